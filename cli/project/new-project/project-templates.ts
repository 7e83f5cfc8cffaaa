/** The files of a new project: a template of `templates/`, which are also templates for `pulumi new`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseDocument } from "yaml";
import type { Files } from "../../../account-folder/folder/write-folder";
import { newerNodeFrom } from "../../../provider/core/pulumi-sdk";
import { packageFolder } from "../../output/version";

export const projectTemplates = ["account", "yaml", "python", "go", "partner", "receiver", "automation"] as const;
export type ProjectTemplate = (typeof projectTemplates)[number];

const folderOf = (template: ProjectTemplate) => join(packageFolder, "templates", template);

/** What a template says about itself, to `pulumi new` as well. */
export const describeTemplate = (template: ProjectTemplate): string =>
  parse(readFileSync(join(folderOf(template), "Pulumi.yaml"), "utf8")).template.description;

const gitIgnore = "node_modules/\n.pulumi/\n.esign/\n";
/** Not in the templates of a package: npm takes such a file for its own. */
export const gitIgnoreOf = (template: ProjectTemplate): string =>
  template === "python" ? `${gitIgnore}venv/\n__pycache__/\n` : gitIgnore;

/** A template's files by their path, filled in. */
export function readTemplate(template: ProjectTemplate, project: string): Files {
  const folder = folderOf(template);
  const values = { PROJECT: project, DESCRIPTION: describeTemplate(template) };
  const files: Files = new Map([[".gitignore", gitIgnoreOf(template)]]);
  for (const path of pathsIn(folder)) files.set(path, fillIn(readFileSync(join(folder, path), "utf8"), values));
  files.set("Pulumi.yaml", projectFile(files.get("Pulumi.yaml")!, project));
  const manifest = files.get("package.json");
  if (manifest !== undefined) files.set("package.json", suitNode(manifest));
  return files;
}

/** Whether a project has packages to install. Of one in YAML the command is all that there is. */
export const hasPackages = (template: ProjectTemplate): boolean => template !== "yaml";

/** On an older Node, Yarn 1 and `engine-strict` refuse to install the newest SDK. */
export const suitNode = (manifest: string, node = process.versions.node): string =>
  Number.parseInt(node, 10) < 22
    ? manifest.replace(/("@pulumi\/pulumi": ")\^([\d.]+)"/, `$1>=$2 <${newerNodeFrom}"`)
    : manifest;

/** Level by level: in the archives of Yarn's Plug'n'Play, entries of a recursive listing have relative parents. */
const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? pathsIn(join(folder, entry.name)).map((path) => `${entry.name}/${path}`) : [entry.name],
  );

/** The two placeholders that `pulumi new` fills in, too. */
const fillIn = (text: string, values: Record<"PROJECT" | "DESCRIPTION", string>) =>
  text.replaceAll("${PROJECT}", values.PROJECT).replaceAll("${DESCRIPTION}", values.DESCRIPTION);

/** What describes the template is of no use in a project. A name such as 2026 is a text only in quotation marks. */
function projectFile(text: string, name: string): string {
  const document = parseDocument(text);
  document.delete("template");
  document.set("name", name);
  return document.toString({ lineWidth: 0 });
}
