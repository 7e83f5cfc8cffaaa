/** The errors of the provider's operations: what the user can fix, and whether a write that failed may have been applied. */
import { EsignError } from "../../sdk/errors";
import { type ErrorCode, errorMessage } from "./error-codes";
import type { Properties } from "./pulumi-values";
import { redactValues } from "./redact-values";
import type { Fields } from "./resource-definition";

/** An error of the provider's own, with its code. The message is complete and holds no secret. */
export class Failure extends Error {
  override readonly name = "Error";

  constructor(
    readonly code: ErrorCode,
    problem: string,
    fix?: string,
    /** True if a rerun fails in the same way. */
    readonly isLasting = false,
  ) {
    super(errorMessage(code, problem, fix));
  }
}

/** A response about another object: the outcome of a write is unknown. */
export class MismatchedResponse extends Failure {
  readonly mayHaveSucceeded = true;
}

/** The object exists, but the rest of the work failed: the engine keeps the id and the properties. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly properties: Properties,
    override readonly cause: unknown,
  ) {
    super();
  }
}

/** A write that failed, with the values that it sent and those that they were to replace. */
export class WriteFailure extends Error {
  constructor(
    readonly sent: Fields,
    readonly previous: Fields,
    override readonly cause: unknown,
    /** True if something was surely applied before the failure. */
    readonly isPartlyApplied = false,
  ) {
    super(cause instanceof Error ? cause.message : "unknown failure");
  }

  /** What no message may hold: original values may be secret, too. */
  get values(): (string | undefined)[] {
    return [...Object.values(this.sent), ...Object.values(this.previous)];
  }

  /** The message without values. */
  get reason(): string {
    return redactValues(this.message, this.values);
  }

  /** True if nothing was changed. */
  get isRejected(): boolean {
    return !this.isPartlyApplied && !mayHaveSucceeded(this.cause);
  }
}

/** True if something was changed, or may have been, although it failed. */
export function mayHaveSucceeded(error: unknown): boolean {
  if (error instanceof WriteFailure) return !error.isRejected;
  return (error instanceof EsignError || error instanceof MismatchedResponse) && error.mayHaveSucceeded;
}

/** Most bytes of properties that a failure carries: they travel as base64 in one header, of which Node accepts at most 64 KiB. */
const maxPartialBytes = 45_000;

/** A failure that keeps the properties, unless they are too long. Not for a create, whose id only the failure carries. */
export function withProperties(id: string, properties: Properties, failure: unknown): unknown {
  const length = Buffer.byteLength(JSON.stringify(properties));
  return length > maxPartialBytes ? failure : new PartialFailure(id, properties, failure);
}
