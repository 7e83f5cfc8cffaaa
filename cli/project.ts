/** Where a project is and which account its stacks name, as far as the command line must know before an engine starts. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { UsageError } from "./exit";

const projectFiles = ["Pulumi.yaml", "Pulumi.yml"];

/** The folder with a Pulumi.yaml, here or above. */
export function projectFolder(from: string = process.cwd()): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (projectFiles.some((name) => existsSync(join(folder, name)))) return folder;
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

interface StackFile {
  encryptionsalt?: string;
  config?: Record<string, unknown>;
}

const readYaml = (path: string): StackFile => {
  try {
    return existsSync(path) ? ((parse(readFileSync(path, "utf8")) as StackFile | null) ?? {}) : {};
  } catch {
    // The engine reads it again and says what is wrong, with the place.
    return {};
  }
};

export const stackFile = (project: string, stack: string): StackFile => readYaml(join(project, `Pulumi.${stack}.yaml`));

/** True when a stack's configuration, or the project's default for it, names an account. */
export function namesAccount(project: string, stack: string): boolean {
  const files = [stackFile(project, stack), ...projectFiles.map((name) => readYaml(join(project, name)))];
  return files.some(({ config }) => config?.["esign:apiKey"] !== undefined || config?.["esign:baseUrl"] !== undefined);
}
