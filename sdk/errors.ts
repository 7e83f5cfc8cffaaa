/**
 * The errors of the client, by class and `kind`. No message, property or stack trace contains a key. After a failed write,
 * `mayHaveSucceeded` says whether the service may have applied it.
 */

import { type Explanation, explain, explainStatus, UNKNOWN_URL } from "./error-codes";

/** At which stage a call failed. */
export type ErrorKind =
  | "input"
  | "connection"
  | "no-response"
  | "timeout"
  | "aborted"
  | "api"
  | "invalid-response"
  | "ended";

/** The call that failed. */
export interface CallContext {
  /** `webhooks.create` */
  operation?: string;
  method?: string;
  /** Path without the base URL. */
  path?: string;
  /** The subaccount whose key the call had; none for the configured key. */
  companyId?: string | undefined;
}

/** Base class of all errors of the client. */
export abstract class EsignError extends Error {
  abstract readonly kind: ErrorKind;
  /** True when the service may have applied the call although no valid response arrived. Check the account before you retry. */
  readonly mayHaveSucceeded: boolean;
  readonly operation: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  /** The subaccount whose key the call had; undefined for the key that was given to `connect`. */
  readonly companyId: string | undefined;

  constructor(message: string, context: CallContext, mayHaveSucceeded = false, options?: { cause?: unknown }) {
    super(mayHaveSucceeded ? message + OUTCOME_UNKNOWN : message, options);
    this.name = new.target.name;
    this.operation = context.operation;
    this.method = context.method;
    this.path = context.path;
    this.companyId = context.companyId;
    this.mayHaveSucceeded = mayHaveSucceeded;
  }

  /** The message without the operation, with which it begins: for texts that name the call themselves. */
  get summary(): string {
    const called = `${this.operation}: `;
    return this.operation !== undefined && this.message.startsWith(called)
      ? this.message.slice(called.length)
      : this.message;
  }

  /** Cause, field and fix of the error. Works offline. */
  explain(): Explanation {
    const advice = this.advice();
    return this.mayHaveSucceeded ? { ...advice, fix: `${CHECK_FIRST} ${advice.fix}` } : advice;
  }

  /** Like {@link explain}, but without the hint to check the account first: for callers that check it themselves. */
  abstract advice(): Explanation;
}

const OUTCOME_UNKNOWN = "; the request may have succeeded";
const CHECK_FIRST = "Check the account before you retry.";

/** Marks an error if an earlier attempt of the same call may have succeeded, whatever its last attempt says. */
export function markMayHaveSucceeded<E extends EsignError>(error: E, mayHaveSucceeded: boolean): E {
  if (!mayHaveSucceeded || error.mayHaveSucceeded) return error;
  error.message += OUTCOME_UNKNOWN;
  return Object.defineProperty(error, "mayHaveSucceeded", { value: true, enumerable: true });
}

/** One problem with the input of a call. */
export interface InputIssue {
  /** `envelope_parties[1].party_email`; empty for the input as a whole. */
  path: string;
  /** What is wrong and what is allowed. Never contains the value. */
  message: string;
}

/** The input is invalid; nothing was sent. Contains all issues at once. */
export class InputError extends EsignError {
  readonly kind = "input";
  constructor(
    context: CallContext,
    readonly issues: readonly InputIssue[],
    readonly fix = "Fix the problems listed above.",
  ) {
    super(
      `${context.operation ?? "call"}: ${issues.map(({ path, message }) => (path ? `${path} ${message}` : message)).join("; ")}`,
      context,
    );
  }

  advice(): Explanation {
    const [first] = this.issues;
    const explanation = { cause: "The input is not valid; nothing was sent.", fix: this.fix };
    return first === undefined || first.path === "" ? explanation : { ...explanation, field: first.path };
  }
}

/** The request did not reach the service: unknown host, connection refused, TLS failure. */
export class ConnectionError extends EsignError {
  readonly kind = "connection";

  advice(): Explanation {
    return {
      cause: "The service could not be reached; nothing was sent.",
      fix: "Check baseUrl, the network, any proxy or firewall, and for certificate errors NODE_EXTRA_CA_CERTS.",
    };
  }
}

/** The connection closed after the request was sent and before a response arrived. */
export class NoResponseError extends EsignError {
  readonly kind = "no-response";

  advice(): Explanation {
    return {
      cause: "The connection closed before the response arrived.",
      fix: `${this.mayHaveSucceeded ? "" : "Try again. "}If this persists, check the network and any proxy.`,
    };
  }
}

/** The timeout of the call expired. */
export class TimeoutError extends EsignError {
  readonly kind = "timeout";

  advice(): Explanation {
    return { cause: "The service did not respond in time.", fix: "Raise timeout if the service is that slow." };
  }
}

/** The caller's signal aborted the call. */
export class AbortedError extends EsignError {
  readonly kind = "aborted";

  advice(): Explanation {
    return {
      cause: `The caller's signal aborted the call${this.mayHaveSucceeded ? "" : "; nothing was changed"}.`,
      fix: "Call again if needed.",
    };
  }
}

/** The service returned an error, by its status or by the `http` field of its body. */
export class ApiError extends EsignError {
  readonly kind = "api";
  /**
   * True if the service answered 403 without its code for "not a partner", and accepts the same key in calls that need no partner key.
   */
  readonly isKeyAccepted: boolean = false;
  constructor(
    message: string,
    context: CallContext,
    /** HTTP status, or the `http` field of the body when that is an error. */
    readonly status: number,
    /** The service's own code, such as 10555. */
    readonly code: number | undefined,
    /** The service's own message. */
    readonly serviceMessage: string | undefined,
    /** Milliseconds to wait, from Retry-After. */
    readonly retryAfter: number | undefined,
    mayHaveSucceeded = false,
    /** False when the response comes from a router or gateway: its body lacks the `http` field that the service sends. */
    readonly fromService = true,
    /** Name of the feature that the account's interface lacks, such as `users`: the path of the call does not exist there. */
    readonly missing?: string,
  ) {
    super(message, context, mayHaveSucceeded);
  }

  advice(): Explanation {
    if (this.missing !== undefined) {
      return {
        cause: `This account's interface has no ${this.missing}: the URL does not exist.`,
        fix: `Manage ${this.missing} in the web app, and declare none for this account. If other calls fail as well, check baseUrl.`,
      };
    }
    if (this.isNotPartner) return explain(NOT_A_PARTNER)!;
    if (!this.fromService && this.code === undefined) {
      const { fix } = explainStatus(this.status);
      return { cause: "A router, gateway or proxy responded instead of the service.", fix };
    }
    // A 401 with a code that is not about keys comes from a component in front of the service: then the status explains more than the
    // code.
    const isExplained = this.code !== undefined && (this.status !== 401 || KEY_CODES.has(this.code));
    return (isExplained ? explain(this.code!) : undefined) ?? explainStatus(this.status);
  }

  /** True if the object does not exist. False for a 404 or 410 of a gateway and for an unknown URL: then the base URL may be wrong. */
  get isNotFound(): boolean {
    if (this.code !== undefined && NOT_FOUND_CODES.has(this.code)) return true;
    return (this.status === 404 || this.status === 410) && this.fromService && this.code !== UNKNOWN_URL;
  }

  /**
   * True if the call needs a partner key and the configured key is not one, so that the account has no subaccounts. Either the error has
   * the code for that; or it is another 403 of the service, which has just accepted the same key in calls that need no partner key. No
   * other 403 counts, and none of a gateway: the key may be out of date, or the account suspended.
   */
  get isNotPartner(): boolean {
    return this.code === NOT_A_PARTNER || this.isKeyAccepted;
  }
}

/** Marks an error of a call that needs a partner key, if the service accepts the same key in other calls. */
export function markKeyAccepted(error: EsignError): void {
  if (error instanceof ApiError && error.status === 403 && error.fromService && error.code !== NOT_A_PARTNER)
    Object.defineProperty(error, "isKeyAccepted", { value: true, enumerable: true });
}

/** Error code for a call that needs a partner key. */
const NOT_A_PARTNER = 10008;
/** Error codes about the API key. */
const KEY_CODES = new Set([10002, 10004, 10005, 10006, NOT_A_PARTNER, 10009]);
/**
 * Error codes for an object that does not exist: webhook, company, envelope, contact, template. Not that of a type of email templates, of
 * which every account has one: it is misspelt.
 */
const NOT_FOUND_CODES = new Set([10306, 10355, 10253, 10053, 10153]);

/** The response is not one of the service: HTML, empty, truncated, or with fields of the wrong type. */
export class InvalidResponseError extends EsignError {
  readonly kind = "invalid-response";
  constructor(
    message: string,
    context: CallContext,
    /** HTTP status of the response. */
    readonly status: number,
    mayHaveSucceeded: boolean,
  ) {
    super(message, context, mayHaveSucceeded);
  }

  advice(): Explanation {
    return {
      cause: "The response does not match the API.",
      fix: "Check baseUrl, and whether a proxy or login page intercepts requests.",
    };
  }
}

/** The envelope reached another final status than the one waited for. */
export class EnvelopeEndedError extends EsignError {
  readonly kind = "ended";
  constructor(
    message: string,
    context: CallContext,
    /** Its status. */
    readonly status: string,
  ) {
    super(message, context);
  }

  advice(): Explanation {
    return {
      cause: `The envelope is ${this.status}, which is final.`,
      fix: "Create a new envelope if you still need one.",
    };
  }
}
