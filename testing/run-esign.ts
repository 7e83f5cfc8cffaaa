/** Runs `esign` as a process of its own, as users do, and reads the events of its run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

/** By the package's name, since compiled and source files stand at different depths. */
const packageFile = createRequire(__filename).resolve("pulumi-esign/package.json");
const command = join(dirname(packageFile), "dist/cli/main.js");

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export async function runEsign(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn(process.execPath, [command, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number | null, stdout, stderr };
}

/** An event of a run with `--json`, as far as a test is interested. */
export interface RunEvent {
  type: string;
  status?: string;
  step?: { type: string; name: string; effect?: string; fields?: { field: string }[] };
  severity?: string;
  message?: string;
  result?: { preview: boolean };
  account?: { writes: number | { least: number; most?: number } };
}

export const parseEvents = (stdout: string): RunEvent[] =>
  stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as RunEvent);
