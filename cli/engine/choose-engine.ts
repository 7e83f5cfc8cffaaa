/**
 * Which engine runs a deployment: the Pulumi CLI where it is installed, else the built-in one. Both keep the same state,
 * so the choice may differ from run to run.
 */
import { accessSync, constants, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { UsageError } from "../output/errors";

export type EngineChoice = {
  /** One line that says which engine runs, and how to get the other. */
  note: string;
} & ({ engine: "pulumi"; path: string } | { engine: "embedded" });

export const engineNames = ["auto", "pulumi", "embedded"] as const;
export type EngineName = (typeof engineNames)[number];

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

/** The Pulumi CLI on PATH, or under the user's Pulumi home. */
export function findPulumi(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const home = pulumiHome(env);
  const folders = [...(env.PATH ?? "").split(delimiter), join(home, "bin"), ...fetchedVersions(home)];
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, fileName))
    .find((path) => isExecutable(path) && !isOwnCommand(path));
}

export function chooseEngine(wanted: EngineName, env: NodeJS.ProcessEnv = process.env): EngineChoice {
  if (wanted === "embedded") {
    return {
      engine: "embedded",
      note: "Engine: built-in (--engine embedded; by default it is the Pulumi CLI, where that is installed)",
    };
  }
  const path = findPulumi(env);
  if (path !== undefined)
    return { engine: "pulumi", path, note: `Engine: the Pulumi CLI, ${path} (--engine embedded: the built-in one)` };
  if (wanted === "pulumi")
    // Not fetched here: what it is would be decided by the network, in a process that has the account's key.
    throw new UsageError(
      "the Pulumi CLI is not installed.\nInstall it (https://www.pulumi.com/docs/install), or leave --engine out to use the built-in engine.",
    );
  return { engine: "embedded", note: "Engine: built-in, no Pulumi CLI found" };
}
