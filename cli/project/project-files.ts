/**
 * Finds the project and reads its files: which stacks have a configuration, and which account they use. For what a command must know
 * before an engine starts.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { parse } from "yaml";
import { projectFileNames, stackConfigFile } from "../../engine/config/file-names";
import { assertNoLink, localFolderName } from "../../fs/local-folder";
import { withoutPrototypeKeys } from "../../fs/prototype-keys";
import { setsAccount } from "../../provider/core/setting-names";
import { UsageError } from "../output/errors";

const projectFileIn = (folder: string): string | undefined =>
  projectFileNames.map((name) => join(folder, name)).find((file) => existsSync(file));

/** The folder with a Pulumi.yaml, here or above. */
export function projectFolder(from: string = process.cwd()): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (projectFileIn(folder) !== undefined) return folder;
    if (folder === dirname(folder)) {
      throw new UsageError(
        `there is no Pulumi.yaml in ${resolve(from)} nor in any folder above it; go to a project's folder, or name it with --cwd`,
      );
    }
  }
}

/** The same for commands that also work without a project; undefined if there is none. */
export function projectFolderHere(from?: string): string | undefined {
  try {
    return projectFolder(from);
  } catch {
    return undefined;
  }
}

/** The folder for data that belongs to this machine only: the emulator's data, the passphrase. Throws if it is a symbolic link. */
export function localFolder(project: string): string {
  const folder = join(project, localFolderName);
  assertNoLink(folder);
  return folder;
}

/** The members of Pulumi.yaml and Pulumi.<stack>.yaml that are read here. */
interface SettingsFile {
  name?: unknown;
  runtime?: unknown;
  encryptionsalt?: string;
  config?: Record<string, unknown>;
}

const parseSettings = (text: string): SettingsFile =>
  withoutPrototypeKeys((parse(text, { merge: true }) as SettingsFile | null) ?? {});

/** Reads a YAML file; empty if it is missing or not valid. The engine reads it again and reports the error with its position. */
function readYaml(path: string, parsed = parseSettings): Readonly<SettingsFile> {
  try {
    return existsSync(path) ? parsed(readFileSync(path, "utf8")) : {};
  } catch {
    return {};
  }
}

/**
 * Caches the parsed project file. It may contain a long program, and each command reads it several times, a fleet once for each stack.
 */
let lastProject: { text: string; settings: SettingsFile } | undefined;
function parseProject(text: string): SettingsFile {
  if (lastProject?.text !== text) lastProject = { text, settings: parseSettings(text) };
  return lastProject.settings;
}

/** The project file and its content. */
function readProject(project: string): { file: string; settings: Readonly<SettingsFile> } {
  const file = projectFileIn(project) ?? join(project, "Pulumi.yaml");
  return { file, settings: readYaml(file, parseProject) };
}

/** Path of the project file, `Pulumi.yaml` or one with another extension. */
export const projectFile = (project: string): string => readProject(project).file;

export const projectName = (project: string): string => String(readProject(project).settings.name);

/** The name in a folder that may have no project file, or one without a name. */
export function declaredProjectName(folder: string): string | undefined {
  const { name } = readProject(folder).settings;
  return name === undefined || name === null ? undefined : String(name);
}

/** What runs the project's program, such as nodejs. */
export function projectRuntime(project: string): unknown {
  const { runtime } = readProject(project).settings;
  return (runtime as { name?: unknown } | null | undefined)?.name ?? runtime;
}

/** True if the project's program is in YAML. */
export const isYamlProject = (project: string): boolean => projectRuntime(project) === "yaml";

/** The file with the configuration of a stack. */
export function stackConfigPath(project: string, stack: string): string {
  const { file, settings } = readProject(project);
  return stackConfigFile(file, settings, stack);
}

/** Names of the stacks that have a configuration file. Their states may be anywhere. */
export function configuredStacks(project: string): string[] {
  const any = stackConfigPath(project, "any");
  const [folder, ending] = [dirname(any), extname(any)];
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith("Pulumi.") && name.endsWith(ending) && name.length > 7 + ending.length)
    .map((name) => name.slice(7, -ending.length));
}

export const stackFile = (project: string, stack: string): SettingsFile => readYaml(stackConfigPath(project, stack));

/** The stack's configuration, and the project's defaults for it. */
function configurations(project: string, stack: string): Record<string, unknown>[] {
  const { file, settings } = readProject(project);
  return [readYaml(stackConfigFile(file, settings, stack)), settings].map(({ config }) => config ?? {});
}

/** True if the stack's configuration or the project's default sets an account. */
export function namesAccount(project: string, stack: string): boolean {
  return configurations(project, stack).some((config) => Object.keys(config).some(setsAccount));
}

/** The unencrypted values of a stack's configuration, by full key, read without an engine. */
export function configurationInClear(project: string, stack: string): { get(key: string): string | undefined } {
  const configs = configurations(project, stack);
  return {
    get(key) {
      for (const config of configs) {
        const said = config[key] ?? config[key.replace(":", ":config:")];
        // The project may write a default directly, or in an object that describes the key.
        const { value, default: standard } = (typeof said === "object" ? (said ?? {}) : { value: said }) as Described;
        const setting = value ?? standard;
        if (setting !== undefined && typeof setting !== "object") return String(setting);
      }
      return undefined;
    },
  };
}

interface Described {
  value?: unknown;
  default?: unknown;
}
