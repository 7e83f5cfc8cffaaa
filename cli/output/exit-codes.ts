/**
 * Exit codes of the command, and the errors that end it with one of them. Where the Pulumi CLI has a code for a case, the number is the
 * same.
 */
export const Exit = {
  ok: 0,
  /** The command began its work and failed. */
  failed: 1,
  /** The command line, a file or the configuration is wrong; nothing was done. */
  usage: 2,
  /** The stack does not exist, or no stack was named and none is selected. */
  noStack: 6,
  /** `--expect-no-changes` found changes, or `--expect-no-writes` found that the account would be written to. */
  changes: 7,
  /** The user pressed Ctrl-C, or answered a question with no. */
  cancelled: 8,
} as const;
export type ExitCode = (typeof Exit)[keyof typeof Exit];

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
