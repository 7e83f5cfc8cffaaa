/**
 * The settings of a project: Pulumi.yaml, found and checked.
 *
 * Serves: Pulumi.yaml.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { readText } from "../../fs/files";
import { withoutPrototypeKeys } from "../../fs/prototype-keys";
import { EngineError } from "../errors";
import { isProjectName, projectFileNames, stackConfigFile } from "./file-names";
import { goYamlReviver, goYamlTags } from "./go-yaml";
import { type ProjectConfigType, parseConfigSchema } from "./schema";
import { describeYamlProblem } from "./yaml-problem";

/** What the engine uses of Pulumi.yaml. */
export interface ProjectSettings {
  name: string;
  /** Pulumi.yaml itself. */
  file: string;
  directory: string;
  /** The folder that programs and providers run in. */
  programDirectory: string;
  /** What to run in it: "." or a file. */
  entryPoint: string;
  runtime: { typescript: boolean; nodeArguments: string[]; tsconfig?: string };
  configSchema: Map<string, ProjectConfigType>;
  /** The file with the configuration of a stack. */
  stackConfigFile: (stack: string) => string;
  backendUrl: string | undefined;
  /** Refresh before every operation. */
  refreshAlways: boolean;
}

/** The settings of the project that a folder belongs to: Pulumi.yaml is in it or in one above it. */
export async function readProject(dir: string): Promise<ProjectSettings> {
  const from = path.resolve(dir);
  for (let at = from; ; at = path.dirname(at)) {
    for (const name of projectFileNames) {
      const file = path.join(at, name);
      const text = await readText(file);
      if (text !== undefined) return parseProject(file, text);
    }
    if (at === path.dirname(at))
      throw new EngineError(`there is no Pulumi.yaml in ${from} nor in any folder above it`, "not-found");
  }
}

/** The settings that the text of a project file holds; checked. */
function parseProject(file: string, text: string): ProjectSettings {
  const invalid = (what: string): never => {
    throw new EngineError(`${file}: ${what}`, "invalid");
  };
  const refuse = (what: string): never => {
    throw new EngineError(
      `${file}: ${what}. This is not supported by the built-in engine; use the Pulumi CLI for this project`,
    );
  };
  let raw: Record<string, unknown>;
  try {
    raw = withoutPrototypeKeys(parse(text, goYamlReviver, { customTags: goYamlTags }) as Record<string, unknown>);
  } catch (cause) {
    return invalid(describeYamlProblem(text, cause));
  }
  if (raw === null || typeof raw !== "object") return invalid("it is empty");
  const name = raw.name;
  if (typeof name !== "string" || !isProjectName(name))
    return invalid(
      `the project's name must be made of letters, digits, "-", "_" and "."; it is ${JSON.stringify(name)}`,
    );
  const runtime =
    typeof raw.runtime === "string"
      ? { name: raw.runtime }
      : (raw.runtime as { name?: string; options?: Record<string, unknown> } | undefined);
  if (runtime?.name !== "nodejs")
    refuse(`its runtime is ${JSON.stringify(runtime?.name ?? null)}; the built-in engine runs "nodejs"`);
  const options = (runtime as { options?: Record<string, unknown> }).options ?? {};
  for (const part of ["packages", "plugins"] as const) {
    const v = raw[part];
    if (v !== undefined && v !== null && Object.keys(v as object).length > 0) refuse(`it has "${part}"`);
  }
  const directory = path.dirname(path.resolve(file));
  const config = raw.config;
  const main = typeof raw.main === "string" && raw.main !== "" ? path.resolve(directory, raw.main) : directory;
  // `main` may name a folder or a file; without extension, too.
  const isFile = main !== directory && (/\.[cm]?[jt]s$/.test(main) || (!existsSync(main) && existsSync(`${main}.js`)));
  return {
    name,
    file: path.resolve(file),
    directory,
    programDirectory: isFile ? path.dirname(main) : main,
    entryPoint: isFile ? path.basename(main) : ".",
    runtime: {
      typescript: options.typescript !== false && options.typescript !== "false",
      nodeArguments: splitWords(typeof options.nodeargs === "string" ? options.nodeargs : ""),
      ...(typeof options.tsconfig === "string" && options.tsconfig !== "" && { tsconfig: options.tsconfig }),
    },
    configSchema: parseConfigSchema(name, config, invalid),
    stackConfigFile: (stack) => stackConfigFile(path.resolve(file), raw, stack),
    backendUrl: (raw.backend as { url?: string } | null | undefined)?.url,
    refreshAlways: (raw.options as { refresh?: string } | null | undefined)?.refresh === "always",
  };
}

/** Words of a command line, with quotes. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? (m[3] as string));
}
