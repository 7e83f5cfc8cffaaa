/** The files of a project and the configurations of its stacks, in the places that the CLI has for them. */
import path from "node:path";
import { plainStackName } from "./stack-names";

/** In the order in which they are looked for in a folder. */
export const projectFileNames: readonly string[] = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

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
