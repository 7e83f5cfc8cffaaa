/**
 * The settings of a project: Pulumi.yaml, found and checked.
 *
 * Used for: Pulumi.yaml.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { readText } from "../../fs/optional-files";
import { withoutPrototypeKeys } from "../../fs/prototype-keys";
import { describeYamlProblem } from "../../fs/yaml-problem";
import { EngineError } from "../errors";
import { type ProjectConfigType, parseConfigSchema } from "./config-schema";
import { projectFileNames, stackConfigFile } from "./file-names";
import { goYamlReviver, goYamlTags } from "./go-yaml";
import { isProjectName } from "./stack-names";

/** The settings in Pulumi.yaml that the engine uses. */
export interface ProjectSettings {
  name: string;
  /** Pulumi.yaml itself. */
  file: string;
  directory: string;
  /** The folder that programs and providers run in. */
  programDirectory: string;
  /** What to run in it: "." or a file. */
  entryPoint: string;
  runtime: { name: Runtime; typescript: boolean; nodeArguments: string[]; tsconfig?: string };
  /** Why this engine cannot run the program; undefined if it can. State and configuration are available in either case. */
  unsupported: string | undefined;
  /** The folders of plugins that it names, by package. */
  pluginFolders: ReadonlyMap<string, string>;
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
  let raw: Record<string, unknown>;
  try {
    raw = withoutPrototypeKeys(parse(text, goYamlReviver, { customTags: goYamlTags }) as Record<string, unknown>);
  } catch (cause) {
    return invalid(describeYamlProblem(text, cause));
  }
  if (raw === null || typeof raw !== "object") return invalid("it is empty");
  if (Array.isArray(raw)) return invalid("it is a list, not settings by their names");
  const name = raw.name;
  if (typeof name !== "string" || !isProjectName(name))
    return invalid(
      `the project's name must be made of letters, digits, "-", "_" and "."; it is ${JSON.stringify(name)}`,
    );
  const runtime =
    typeof raw.runtime === "string"
      ? { name: raw.runtime, options: undefined }
      : (raw.runtime as { name?: string; options?: Record<string, unknown> } | null | undefined);
  const options = runtime?.options ?? {};
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
      name: runtime?.name === "yaml" ? "yaml" : "nodejs",
      typescript: options.typescript !== false && options.typescript !== "false",
      nodeArguments: splitWords(typeof options.nodeargs === "string" ? options.nodeargs : ""),
      ...(typeof options.tsconfig === "string" && options.tsconfig !== "" && { tsconfig: options.tsconfig }),
    },
    unsupported: unsupportedRuntime(runtime?.name),
    pluginFolders: pluginFoldersOf(raw, directory),
    configSchema: parseConfigSchema(name, config, invalid),
    stackConfigFile: (stack) => stackConfigFile(path.resolve(file), raw, stack),
    backendUrl: (raw.backend as { url?: string } | null | undefined)?.url,
    refreshAlways: (raw.options as { refresh?: string } | null | undefined)?.refresh === "always",
  };
}

/** What runs a program: Node, or the engine itself. */
type Runtime = "nodejs" | "yaml";

const unsupportedRuntime = (runtime: string | undefined): string | undefined =>
  runtime === "nodejs" || runtime === "yaml"
    ? undefined
    : `its runtime is ${JSON.stringify(runtime ?? null)}; the built-in engine runs "nodejs" and "yaml"`;

/** The `packages` that name a local folder, and the providers of `plugins`. The CLI has installed all others. */
function pluginFoldersOf({ packages, plugins }: Record<string, unknown>, directory: string): Map<string, string> {
  const folders = new Map<string, string>();
  for (const [name, spec] of Object.entries((packages as Record<string, unknown> | null) ?? {})) {
    const source = (spec as { source?: unknown } | null)?.source ?? spec;
    if (typeof source === "string" && /^(\.{0,2}[\\/]|\.{1,2}$|[A-Za-z]:[\\/])/.test(source))
      folders.set(name, path.resolve(directory, source));
  }
  const { providers } = (plugins as { providers?: unknown } | null) ?? {};
  for (const each of Array.isArray(providers) ? (providers as { name?: unknown; path?: unknown }[]) : [])
    if (typeof each?.name === "string" && typeof each.path === "string")
      folders.set(each.name, path.resolve(directory, each.path));
  return folders;
}

/** @throws if this engine cannot run the project's program and its providers */
export function assertSupported({ file, unsupported }: ProjectSettings): void {
  if (unsupported === undefined) return;
  throw new EngineError(
    `${file}: ${unsupported}. This is not supported by the built-in engine; use the Pulumi CLI for this project`,
  );
}

/** Words of a command line, with quotes. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? (m[3] as string));
}
