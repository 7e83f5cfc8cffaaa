/** The end of a command that found what an option such as `--expect-no-changes` excludes. */
import { ExitError } from "./errors";
import { Exit } from "./exit-codes";
import { errorColours, note } from "./terminal";

/** @param reason what was expected and what was found, as a sentence */
export function failExpectation(reason: string): never {
  note(errorColours.red(reason));
  throw new ExitError(Exit.changes);
}
