/** The engine's errors that callers distinguish: one that the user can fix, one that was reported already, and a shutdown. */

/** An error that the user can fix. Its message is complete: what is wrong, what is allowed, and what to do. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  constructor(
    message: string,
    /** Why, for callers that treat one case differently. */
    readonly code: EngineErrorCode = "refused",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export type EngineErrorCode =
  /** The engine does not support it; the message names an alternative. */
  | "refused"
  /** A file or option is not valid. */
  | "invalid"
  /** The stack does not exist. */
  | "no-stack"
  /** The stack lacks values that Pulumi.yaml asks for: {@link MissingValues}. */
  | "missing-values"
  /** The stack exists already. */
  | "exists"
  /** The project, resource or value does not exist. */
  | "not-found"
  /** Another operation has locked the stack. */
  | "locked"
  /** The passphrase is missing or wrong. */
  | "passphrase"
  /** The stack's selection could not be saved in the home folder; everything else was done. */
  | "not-selected"
  /** The state is inconsistent; it was not changed. */
  | "integrity";

/** The stack lacks values that Pulumi.yaml asks for. Callers that keep them elsewhere have a remedy of their own. */
export class MissingValues extends EngineError {
  constructor(
    readonly problem: string,
    remedy: string,
  ) {
    super(`${problem} ${remedy}`, "missing-values");
  }
}

/** Stops an operation whose error was reported where it happened: callers print nothing more. */
export class AlreadyReported extends Error {
  constructor(cause?: unknown) {
    super("reported already", { cause });
  }
}

/** The engine accepts no more requests and ends the program. */
export class ShuttingDown extends Error {
  constructor() {
    super("the engine is shutting down");
  }
}

/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
