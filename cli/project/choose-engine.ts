/**
 * Which engine runs a deployment: the Pulumi CLI where it is installed, else the built-in one. Both keep the same state,
 * so the choice may differ from run to run.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { UsageError } from "../output/exit-codes";

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

/** The Pulumi CLI on PATH, or under the user's Pulumi home. */
export function findPulumi(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const home = pulumiHome(env);
  const folders = [...(env.PATH ?? "").split(delimiter), join(home, "bin"), ...fetchedVersions(home)];
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, fileName))
    .find(isExecutable);
}

export async function chooseEngine(wanted: EngineName, env: NodeJS.ProcessEnv = process.env): Promise<EngineChoice> {
  if (wanted === "embedded") {
    return {
      engine: "embedded",
      note: "Engine: built-in (as asked; without --engine the Pulumi CLI is used where it is installed)",
    };
  }
  const path = findPulumi(env);
  if (path !== undefined)
    return { engine: "pulumi", path, note: `Engine: the Pulumi CLI, ${path} (--engine embedded: the built-in one)` };
  if (wanted === "pulumi")
    return { engine: "pulumi", path: await fetchPulumi(env), note: "Engine: the Pulumi CLI, fetched through npm" };
  return { engine: "embedded", note: "Engine: built-in, no Pulumi CLI found (--engine pulumi fetches it)" };
}

/** Has the `pulumi` npm package fetch the CLI. It puts it under the user's Pulumi home, where later runs find it. */
async function fetchPulumi(env: NodeJS.ProcessEnv): Promise<string> {
  const { code, output } = await capture("npx", ["--yes", "pulumi@3", "version"], env);
  const path = findPulumi(env);
  if (code === 0 && path !== undefined) return path;
  const reason = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("npm warn"))
    .slice(0, 5);
  throw new UsageError(
    [
      "the Pulumi CLI is not installed, and fetching it through the npm package `pulumi` failed; nothing was changed.",
      ...reason.map((line) => `    ${line}`),
      "Install it (https://www.pulumi.com/docs/install), or leave --engine out to use the built-in engine.",
    ].join("\n"),
  );
}

function capture(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
