/** The errors of the provider's operations. They say what the user can fix, and whether a write that failed may have been applied. */
import { EsignError } from "../../sdk/errors";
import { type ErrorCode, errorMessage, fixOf } from "./error-codes";
import { redactValues } from "./redact-values";
import type { Fields } from "./resource-definition";

/** An error of the provider itself, with an error code. The message is complete and contains no secret. */
export class Failure extends Error {
  override readonly name = "Error";

  constructor(
    readonly code: ErrorCode,
    problem: string,
    /** What to do, without the last full stop: by default that of the code; null where the problem tells it. */
    fix?: string | null,
    /** True if running the same command again fails in the same way. */
    readonly isLasting = false,
  ) {
    super(errorMessage(code, problem, fix === null ? undefined : (fix ?? fixOf(code))));
  }
}

/** The response is about another object, so the outcome of the write is unknown. */
export class MismatchedResponse extends Failure {
  readonly mayHaveSucceeded = true;
}

/** A write that failed, with the sent values and the values that they were to replace. */
export class WriteFailure extends Error {
  constructor(
    readonly sent: Fields,
    readonly previous: Fields,
    override readonly cause: unknown,
    /** True if a part of the write was certainly applied. */
    readonly isPartlyApplied = false,
  ) {
    super(cause instanceof Error ? cause.message : "unknown failure");
  }

  /** Values that must not appear in a message: the sent and the previous ones may be secret. */
  get values(): (string | undefined)[] {
    return [...Object.values(this.sent), ...Object.values(this.previous)];
  }

  /** The message with those values removed. */
  get reason(): string {
    return redactValues(this.message, this.values);
  }

  /** True if the account is certainly unchanged. */
  get isRejected(): boolean {
    return !this.isPartlyApplied && !mayHaveSucceeded(this.cause);
  }
}

/** True if the operation changed something, or may have, although it failed. */
export function mayHaveSucceeded(error: unknown): boolean {
  if (error instanceof WriteFailure) return !error.isRejected;
  return (error instanceof EsignError || error instanceof MismatchedResponse) && error.mayHaveSucceeded;
}
