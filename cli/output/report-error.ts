/** The end of a command that failed. */
import { CommanderError } from "commander";
import { Exit, ExitError } from "./exit-codes";

/** Has an error printed, unless that was done where it occurred; resolves to the exit code. */
export async function reportError(
  error: unknown,
  print: (lines: readonly string[], error: Error) => void,
): Promise<number> {
  if (error instanceof ExitError) return error.exitCode;
  // Commander has printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.ok : Exit.usage;
  const failure = error instanceof Error ? error : new Error(String(error));
  const { describe } = await import("./error.js");
  const { lines, exitCode } = describe(failure);
  print(lines, failure);
  return exitCode;
}
