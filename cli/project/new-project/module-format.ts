/** Makes a project of CommonJS modules one of ES modules. The programs are the same: they read files from the current folder, which is the project's. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import type { Files } from "../../../account-folder/folder/write-folder";
import { projectRuntime } from "../project-files";
import { parseManifest } from "./merge-files";

export const moduleFormats = ["commonjs", "esm"] as const;
export type ModuleFormat = (typeof moduleFormats)[number];

/** The format of the project in a folder; CommonJS if there is none. */
export function moduleFormatIn(folder: string): ModuleFormat {
  const manifest = join(folder, "package.json");
  if (projectRuntime(folder) === undefined || !existsSync(manifest)) return "commonjs";
  return parseManifest(readFileSync(manifest, "utf8")).type === "module" ? "esm" : "commonjs";
}

/** Pulumi loads TypeScript with ts-node, which knows CommonJS only: tsx loads ES modules. */
export function toEsModules(files: Files): void {
  edit(files, "package.json", (manifest) => ({
    name: manifest.name,
    private: true,
    type: "module",
    ...manifest,
    devDependencies: { ...(manifest.devDependencies as object), tsx: "^4" },
  }));
  const project = parseDocument(files.get("Pulumi.yaml")!);
  project.set("runtime", project.createNode({ name: "nodejs", options: { nodeargs: "--import tsx" } }));
  files.set("Pulumi.yaml", project.toString({ lineWidth: 0 }));
}

function edit(files: Files, path: string, change: (json: Record<string, unknown>) => object): void {
  files.set(path, `${JSON.stringify(change(JSON.parse(files.get(path)!)), undefined, 2)}\n`);
}
