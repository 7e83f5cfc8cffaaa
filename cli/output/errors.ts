/** Errors whose exit code is known where they are thrown. */
import { Exit, type ExitCode } from "./exit-codes";

/** The command line, a file or the configuration is wrong. The message says what is allowed. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  constructor(
    message: string,
    readonly exitCode: ExitCode = Exit.usage,
  ) {
    super(message);
  }
}

/** The command line has an option, a word or a value that there is not. What is said of it is made when it is shown. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  constructor(
    message: string,
    readonly describe: () => Promise<string>,
  ) {
    super(message);
  }
}

/** Ends the command with an exit code and prints nothing: the outcome has been reported already. */
export class ExitError extends Error {
  override readonly name = "Ended";
  constructor(readonly exitCode: ExitCode) {
    super(`ended with ${exitCode}`);
  }
}
