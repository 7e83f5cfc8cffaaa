/** The exit codes of the command, and the errors that end it with one. The numbers are those of the Pulumi CLI where it has one for the case. */
export const Exit = {
  ok: 0,
  /** Something went wrong while doing what was asked. */
  failed: 1,
  /** The command line, a file or the configuration is at fault; nothing was done. */
  usage: 2,
  /** There is no such stack, or none was named and none is selected. */
  noStack: 6,
  /** `--expect-no-changes`, and there are changes; `--expect-no-writes`, and the account would be written to. */
  changes: 7,
  /** Stopped by Ctrl-C, or the question was answered with no. */
  cancelled: 8,
} as const;
export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** A mistake in what was asked for; the message says what is allowed. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  constructor(
    message: string,
    readonly exitCode: ExitCode = Exit.usage,
  ) {
    super(message);
  }
}

/** An outcome that is reported already and only has to become the exit code. */
export class ExitError extends Error {
  override readonly name = "Ended";
  constructor(readonly exitCode: ExitCode) {
    super(`ended with ${exitCode}`);
  }
}
