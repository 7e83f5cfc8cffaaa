/** Where a project is and which account its stacks name, as far as the command line must know before an engine starts. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { parse } from "yaml";
import { projectFileNames, stackConfigFile } from "../engine/project-file";
import { UsageError } from "./exit";

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
export function projectFolderHere(): string | undefined {
  try {
    return projectFolder();
  } catch {
    return undefined;
  }
}

/** Where this project keeps what is of this machine only: local service, passphrase. */
export const localFolder = (project: string): string => join(project, ".esign");

/** What is of interest of a project's file or a stack's. */
interface SettingsFile {
  name?: unknown;
  encryptionsalt?: string;
  config?: Record<string, unknown>;
}

const readYaml = (path: string): SettingsFile => {
  try {
    return existsSync(path) ? ((parse(readFileSync(path, "utf8"), { merge: true }) as SettingsFile | null) ?? {}) : {};
  } catch {
    // The engine reads it again and says what is wrong, with the place.
    return {};
  }
};

/** The project's file, in the folder that it makes a project, and what that says. */
function readProject(project: string): { file: string; settings: SettingsFile } {
  const file = projectFileIn(project) ?? join(project, "Pulumi.yaml");
  return { file, settings: readYaml(file) };
}

export const projectName = (project: string): string => String(readProject(project).settings.name);

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

/** True when a stack's configuration, or the project's default for it, names an account. */
export function namesAccount(project: string, stack: string): boolean {
  const { file, settings } = readProject(project);
  const files = [settings, readYaml(stackConfigFile(file, settings, stack))];
  // Keys may be written as older versions of the CLI did.
  return files.some(({ config }) =>
    Object.keys(config ?? {}).some((key) => /^esign:(config:)?(apiKey|baseUrl)$/.test(key)),
  );
}
