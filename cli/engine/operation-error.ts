/** How an operation has failed, with either engine. */

/** An engine's errors, without its other output: that may be long, and repeats them. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  /** False where the engine has reported no reason. */
  readonly hasReason: boolean;

  constructor(
    reason: string | undefined,
    /** Another operation has locked the stack. */
    readonly isLocked: boolean,
    readonly exitCode = 1,
  ) {
    super(reason ?? "failed without a message");
    this.hasReason = reason !== undefined;
  }
}
