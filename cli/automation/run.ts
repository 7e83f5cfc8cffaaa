/** Runs a command line of the Automation API, and reports what went wrong in the words that the API looks for. */
import { Exit } from "../output/exit-codes";
import { reportError } from "../output/report-error";
import { note } from "../output/terminal";
import { newProgram } from "./program";

/** Runs a command line; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  try {
    const program = await newProgram(args);
    await program.parseAsync(args, { from: "user" });
    return Exit.ok;
  } catch (error) {
    return reportError(error, printError);
  }
}

/** Of the Automation API's errors by their code: without these words it makes a general one of them. */
const phrases: Record<string, string> = { locked: "the stack is currently locked by another update: " };

function printError(lines: readonly string[], { code }: Error & { code?: string }): void {
  note(`error: ${phrases[code ?? ""] ?? ""}${lines.join("\n")}`);
}
