/** What a command line comes to: its exit code, and its error as people should read it. */
import { Exit } from "./exit-codes";
import { reportError } from "./report-error";
import { errorColours, note } from "./terminal";

export async function reportOutcome(execute: () => Promise<void>): Promise<number> {
  try {
    await execute();
    return Exit.ok;
  } catch (error) {
    return reportError(error, ([first, ...rest]) => {
      note(`${errorColours.red(errorColours.bold("error:"))} ${first}`);
      for (const line of rest) note(line);
    });
  }
}
