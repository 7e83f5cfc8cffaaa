/** Exit codes of the command. Where the Pulumi CLI has a code for a case, the number is the same. */
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
