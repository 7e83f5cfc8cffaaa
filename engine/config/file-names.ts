/**
 * Names of projects and stacks, and the files that go by them: a project's own, and the configurations of its stacks,
 * in the places that the CLI has for them.
 */
import path from "node:path";

/** In the order in which they are looked for in a folder. */
export const projectFileNames: readonly string[] = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The name of a stack without those of organization and project, which may stand before it. */
export const plainStackName = (stack: string): string => stack.slice(stack.lastIndexOf("/") + 1);

/** The file with the configuration of a stack. It ends as the project's file does, and lies beside it or in the folder that it names. */
export function stackConfigFile(
  projectFile: string,
  { config, stackConfigDir }: { config?: unknown; stackConfigDir?: unknown },
  stack: string,
): string {
  const folder = typeof config === "string" ? config : stackConfigDir;
  const name = `Pulumi.${plainStackName(stack)}${path.extname(projectFile)}`;
  return path.resolve(path.dirname(projectFile), typeof folder === "string" ? folder : ".", name);
}

/** Names of projects and stacks are names of files and folders, and parts of URNs. */
const inFiles = /^[A-Za-z0-9_.-]{1,100}$/;

export const isProjectName = (name: string): boolean => inFiles.test(name);

/** `.` and `..` are folders themselves, and the removal of such a stack would take others along. */
export const isStackName = (name: string): boolean => inFiles.test(name) && name !== "." && name !== "..";
