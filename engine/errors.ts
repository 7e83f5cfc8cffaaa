/** The errors of the engine that callers tell apart: what the user can fix, what was reported already, and the end of the process. */

/** An error that the user can fix. Its message is complete: what is wrong, what is allowed, and what to do. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  constructor(
    message: string,
    /** For callers that handle one case differently. */
    readonly code: EngineErrorCode = "refused",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export type EngineErrorCode =
  /** Not supported by the engine; the message names an alternative. */
  | "refused"
  /** A file or an option of the user is not valid. */
  | "invalid"
  /** There is no such stack. */
  | "no-stack"
  /** There is such a stack already. */
  | "exists"
  /** There is no such project, resource or value. */
  | "not-found"
  /** The stack is in use. */
  | "locked"
  /** A passphrase is missing or wrong. */
  | "passphrase"
  /** The selected stack could not be saved in the home folder; all else is done. */
  | "not-selected"
  /** The state breaks the rules; it was not touched. */
  | "integrity";

/** Ends what cannot continue, after its cause was reported where it happened. */
export class AlreadyReported extends Error {
  constructor(cause?: unknown) {
    super("reported already", { cause });
  }
}

/** The engine accepts no more requests, and the program is ended. */
export class ShuttingDown extends Error {
  constructor() {
    super("the engine is shutting down");
  }
}

/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
