/** What hooks throw: failures that the user can put right, and what is known of writes that failed. */
import { EsignError } from "../../sdk/errors";
import type { Properties } from "./pulumi-values";
import { redactValues } from "./redact-values";
import type { Fields } from "./resource-definition";

/** Something that the user can put right. The message is complete. */
export class Failure extends Error {
  override readonly name: string = "Error";
}

/** An answer that is about something else: whether a write was carried out is not known. */
export class MismatchedResponse extends Failure {
  readonly mayHaveSucceeded = true;
}

/** The object exists (again), but the rest of the work failed: the engine keeps the id and the properties. */
export class PartialFailure extends Failure {
  constructor(
    readonly id: string,
    readonly properties: Properties,
    override readonly cause: unknown,
  ) {
    super("");
  }
}

/** A write that failed, what it was to write, and over what. */
export class WriteFailure extends Failure {
  constructor(
    readonly sent: Fields,
    readonly previous: Fields,
    override readonly cause: unknown,
    /** True when something was surely carried out, and what failed came after it. */
    readonly isPartlyApplied = false,
  ) {
    super(cause instanceof Error ? cause.message : "unknown failure");
  }

  /** What no message may hold: also what is put back may be secret. */
  get values(): (string | undefined)[] {
    return [...Object.values(this.sent), ...Object.values(this.previous)];
  }

  /** What went wrong, in words for people. */
  get reason(): string {
    return redactValues(this.message, this.values);
  }

  /** True when nothing was changed. */
  get isRejected(): boolean {
    return !this.isPartlyApplied && !mayHaveSucceeded(this.cause);
  }
}

/** True when something was changed, or may have been, although it failed. */
export function mayHaveSucceeded(error: unknown): boolean {
  if (error instanceof WriteFailure) return !error.isRejected;
  return (error instanceof EsignError || error instanceof MismatchedResponse) && error.mayHaveSucceeded;
}
