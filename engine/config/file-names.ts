/** The files of a project and the configurations of its stacks, in the same places as for the CLI. */
import path from "node:path";
import { plainStackName } from "./stack-names";

/** In the order in which they are looked for in a folder. */
export const projectFileNames: readonly string[] = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The configuration file of a stack, beside the project's file or in the folder that this names, with the same extension. */
export function stackConfigFile(
  projectFile: string,
  { config, stackConfigDir }: { config?: unknown; stackConfigDir?: unknown },
  stack: string,
): string {
  const folder = typeof config === "string" ? config : stackConfigDir;
  const name = `Pulumi.${plainStackName(stack)}${path.extname(projectFile)}`;
  return path.resolve(path.dirname(projectFile), typeof folder === "string" ? folder : ".", name);
}
