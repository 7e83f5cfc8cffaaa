/** Finds the project, and reads from its files which account its stacks have: what the command must know before an engine starts. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { parse } from "yaml";
import { projectFileNames, stackConfigFile } from "../../engine/config/file-names";
import { assertNoLink, localFolderName } from "../../fs/local-folder";
import { withoutPrototypeKeys } from "../../fs/prototype-keys";
import { UsageError } from "../output/exit-codes";

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

/** The same where one can do without a project; undefined outside of one. */
export function projectFolderHere(from?: string): string | undefined {
  try {
    return projectFolder(from);
  } catch {
    return undefined;
  }
}

/** Where this project keeps what belongs to this machine only: the data of the emulator, the passphrase. Throws if it is a link. */
export function localFolder(project: string): string {
  const folder = join(project, localFolderName);
  assertNoLink(folder);
  return folder;
}

/** What is of interest of a project's file or a stack's. */
interface SettingsFile {
  name?: unknown;
  runtime?: unknown;
  encryptionsalt?: string;
  config?: Record<string, unknown>;
}

const parseSettings = (text: string): SettingsFile =>
  withoutPrototypeKeys((parse(text, { merge: true }) as SettingsFile | null) ?? {});

/** Nothing for what is no YAML: the engine reads it again and says what is wrong, with the place. */
function readYaml(path: string, parsed = parseSettings): Readonly<SettingsFile> {
  try {
    return existsSync(path) ? parsed(readFileSync(path, "utf8")) : {};
  } catch {
    return {};
  }
}

/** The project's file is parsed once: it may hold a long program, and each command asks it several times, a fleet for each stack. */
let lastProject: { text: string; settings: SettingsFile } | undefined;
function parseProject(text: string): SettingsFile {
  if (lastProject?.text !== text) lastProject = { text, settings: parseSettings(text) };
  return lastProject.settings;
}

/** The project's file, in the folder that it makes a project, and what that says. */
function readProject(project: string): { file: string; settings: Readonly<SettingsFile> } {
  const file = projectFileIn(project) ?? join(project, "Pulumi.yaml");
  return { file, settings: readYaml(file, parseProject) };
}

/** The file that makes the folder a project. */
export const projectFile = (project: string): string => readProject(project).file;

export const projectName = (project: string): string => String(readProject(project).settings.name);

/** Whether its program is in YAML. */
export function isYamlProject(project: string): boolean {
  const { runtime } = readProject(project).settings;
  return (runtime as { name?: unknown } | null | undefined)?.name === "yaml" || runtime === "yaml";
}

/** The file with the configuration of a stack. */
export function stackConfigPath(project: string, stack: string): string {
  const { file, settings } = readProject(project);
  return stackConfigFile(file, settings, stack);
}

/** The stacks that have a configuration, wherever their states are. */
export function configuredStacks(project: string): string[] {
  const any = stackConfigPath(project, "any");
  const [folder, ending] = [dirname(any), extname(any)];
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith("Pulumi.") && name.endsWith(ending) && name.length > 7 + ending.length)
    .map((name) => name.slice(7, -ending.length));
}

export const stackFile = (project: string, stack: string): SettingsFile => readYaml(stackConfigPath(project, stack));

/** A stack's configuration and the project's default for it. */
function configurations(project: string, stack: string): Record<string, unknown>[] {
  const { file, settings } = readProject(project);
  return [readYaml(stackConfigFile(file, settings, stack)), settings].map(({ config }) => config ?? {});
}

/** True when a stack's configuration, or the project's default for it, names an account. */
export function namesAccount(project: string, stack: string): boolean {
  // Keys may be written as older versions of the CLI did.
  return configurations(project, stack).some((config) =>
    Object.keys(config).some((key) => /^esign:(config:)?(apiKey|baseUrl)$/.test(key)),
  );
}

/** What the files say of a stack's configuration in clear, by full key, while its engine is not asked. */
export function configurationInClear(project: string, stack: string): { get(key: string): string | undefined } {
  const configs = configurations(project, stack);
  return {
    get(key) {
      for (const config of configs) {
        const said = config[key] ?? config[key.replace(":", ":config:")];
        // A project's default may stand in a description of the key.
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
