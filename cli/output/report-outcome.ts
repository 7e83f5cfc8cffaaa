/** Runs a command, prints its error, and returns its exit code. */
import { CommandLineError } from "./errors";
import { Exit } from "./exit-codes";
import { reportError } from "./report-error";
import { errorColours, note } from "./terminal";

export async function reportOutcome(execute: () => Promise<void>): Promise<number> {
  try {
    await execute();
    return Exit.ok;
  } catch (error) {
    if (error instanceof CommandLineError) {
      note(await error.describe());
      return Exit.usage;
    }
    return reportError(error, ([first, ...rest]) => {
      note(`${errorColours.red(errorColours.bold("error:"))} ${first}`);
      for (const line of rest) note(line);
    });
  }
}
