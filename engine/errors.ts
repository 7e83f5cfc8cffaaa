/** Errors that people are meant to read. */

/** Something the user can put right. The message is complete: what is wrong, what is allowed, and the way out. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  constructor(
    message: string,
    /** For callers that treat a case of their own differently. */
    readonly code: EngineErrorCode = "refused",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export type EngineErrorCode =
  /** The engine does not do this; the message says what does. */
  | "refused"
  /** A file of the user's cannot be understood. */
  | "invalid"
  /** There is no such stack. */
  | "no-stack"
  /** There is no such project, resource or value. */
  | "not-found"
  /** The stack is in use. */
  | "locked"
  /** A passphrase is missing or wrong. */
  | "passphrase"
  /** The home folder does not keep which stack is selected; all else is done. */
  | "not-selected"
  /** The state breaks the rules; it was not touched. */
  | "integrity";

/** The engine takes nothing more: the program is ended. */
export class ShuttingDown extends Error {
  constructor() {
    super("the engine is shutting down");
  }
}

/** Text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
