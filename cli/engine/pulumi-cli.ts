/** Runs the Pulumi CLI instead of the built-in engine: same words, same terminal, its exit code. */
import { spawn } from "node:child_process";
import { withLocalNoProxy } from "../../engine/loopback";
import { ExitError } from "../output/errors";
import { Exit, type ExitCode } from "../output/exit-codes";

/** Options that only `esign` knows; the rest of the command line is passed on as it was typed. */
const ownFlags = new Map([
  ["--engine", 1],
  ["--verbose", 0],
  ["-v", 0],
  ["--cwd", 1],
  ["-C", 1],
]);

export function stripOwnFlags(args: readonly string[]): string[] {
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    // What comes behind it is no option, whatever it looks like.
    if (arg === "--") return [...rest, ...args.slice(i)];
    // -C with its value in one word.
    if (/^-C./.test(arg)) continue;
    const count = ownFlags.get(arg.split("=")[0] as string);
    if (count === undefined) rest.push(arg);
    else if (!arg.includes("=")) i += count;
  }
  return rest;
}

/**
 * Resolves when it has succeeded.
 * @throws {ExitError} with its exit code
 */
export async function runPulumi(path: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(path, args, { env: cliEnvironment(env), stdio: "inherit" });
    // A terminal sends Ctrl-C to the CLI as well, which decides what it means; we only wait.
    const ignore = () => undefined;
    process.on("SIGINT", ignore);
    const passOn = () => child.kill("SIGTERM");
    process.on("SIGTERM", passOn);
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => {
      process.off("SIGINT", ignore);
      process.off("SIGTERM", passOn);
      resolve(exitCode ?? (signal === "SIGINT" ? Exit.cancelled : Exit.failed));
    });
  });
  if (code !== 0) throw new ExitError(code as ExitCode);
}

export const cliEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PULUMI_SKIP_UPDATE_CHECK: "true",
  ...withLocalNoProxy(env),
});
