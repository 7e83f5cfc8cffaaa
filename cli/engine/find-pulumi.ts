/** Where the Pulumi CLI is installed. */
import { accessSync, constants, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { commandFolders } from "../../fs/path-variable";

const fileName = process.platform === "win32" ? "pulumi.exe" : "pulumi";

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const pulumiHome = (env: NodeJS.ProcessEnv): string => env.PULUMI_HOME || join(env.HOME || homedir(), ".pulumi");

/** Versions that the `pulumi` npm package and the Automation API have fetched, newest first. */
function fetchedVersions(home: string): string[] {
  try {
    return readdirSync(join(home, "versions"))
      .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
      .map((version) => join(home, "versions", version, "bin"));
  } catch {
    return [];
  }
}

/** The built-in engine for the Automation API has the CLI's name: that API puts it on the PATH of what it starts. */
const isOwnCommand = (path: string): boolean => realpathSync(path).endsWith(join("cli", "automation", "bin", fileName));

/** Its path: on PATH, or under the user's Pulumi home. */
export function findPulumi(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const home = pulumiHome(env);
  const folders = [...commandFolders(env), join(home, "bin"), ...fetchedVersions(home)];
  return folders.map((folder) => join(folder, fileName)).find((path) => isExecutable(path) && !isOwnCommand(path));
}
