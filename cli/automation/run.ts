/** Runs a command line of the Automation API, and reports what went wrong in the words that the API looks for. */
import { CommanderError } from "commander";
import { Exit, ExitError } from "../output/exit-codes";
import { note } from "../output/terminal";
import { newProgram } from "./program";

/** Runs a command line; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  try {
    const program = await newProgram(args);
    await program.parseAsync(args, { from: "user" });
    return Exit.ok;
  } catch (error) {
    return report(error);
  }
}

/** Of the Automation API's errors by their code: without these words it makes a general one of them. */
const phrases: Record<string, string> = { locked: "the stack is currently locked by another update: " };

async function report(error: unknown): Promise<number> {
  if (error instanceof ExitError) return error.exitCode;
  // Commander has printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.ok : Exit.usage;
  const failure = error instanceof Error ? error : new Error(String(error));
  const { describe } = await import("../output/error.js");
  const { lines, exitCode } = describe(failure);
  const phrase = phrases[(failure as { code?: string }).code ?? ""] ?? "";
  note(`error: ${phrase}${lines.join("\n")}`);
  return exitCode;
}
