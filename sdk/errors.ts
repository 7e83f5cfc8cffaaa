/**
 * The ways a call can fail, each told apart by its class and by `kind`. No message, property or stack of these errors
 * holds a key. The question that matters after a failed write is `perhapsDone`: may the service have carried it out?
 */

import { type Explanation, explain, explainStatus } from "./error-codes";

/** Where in the exchange a call failed. */
export type ErrorKind =
  | "input"
  | "not-sent"
  | "no-answer"
  | "timeout"
  | "aborted"
  | "answered"
  | "not-understood"
  | "ended";

/** What is known of the call that failed. */
export interface CallContext {
  /** `webhooks.create` */
  operation?: string;
  method?: string;
  /** Path without the base address. */
  path?: string;
}

/** Base of all errors of the client. */
export abstract class EsignError extends Error {
  abstract readonly kind: ErrorKind;
  /** True when the service may have carried the call out although no good answer came. */
  readonly perhapsDone: boolean;
  readonly operation: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;

  constructor(message: string, context: CallContext, perhapsDone = false, options?: { cause?: unknown }) {
    super(perhapsDone ? message + doubt : message, options);
    this.name = new.target.name;
    this.operation = context.operation;
    this.method = context.method;
    this.path = context.path;
    this.perhapsDone = perhapsDone;
  }

  /** Cause, field and way out in plain words. Asks nobody. */
  explain(): Explanation {
    const advice = this.advice();
    return this.perhapsDone ? { ...advice, fix: `${lookFirst} ${advice.fix}` } : advice;
  }

  /** As {@link explain}, without a word on whether the call was carried out: for callers that find that out themselves. */
  abstract advice(): Explanation;
}

const doubt = "; it may have been carried out";
/** What to do after a write whose end is unknown. */
const lookFirst = "Look whether it was carried out before you send it again.";

/** A write that had an attempt whose end is unknown stays in doubt, whatever the last attempt says. */
export function withDoubt<E extends EsignError>(error: E, perhapsDone: boolean): E {
  if (!perhapsDone || error.perhapsDone) return error;
  error.message += doubt;
  return Object.defineProperty(error, "perhapsDone", { value: true, enumerable: true });
}

/** One thing that is wrong with the input of a call. */
export interface InputFault {
  /** `envelope_parties[1].party_email`; empty for the input as a whole. */
  path: string;
  /** What is wrong and what is allowed. Never holds the value. */
  message: string;
}

/** The input breaks a rule of the specification; nothing was sent. Holds all faults at once. */
export class InputError extends EsignError {
  readonly kind = "input";
  constructor(
    context: CallContext,
    readonly faults: readonly InputFault[],
    readonly fix = "Mend what each fault names.",
  ) {
    super(
      `${context.operation ?? "call"}: ${faults.map((f) => (f.path ? `${f.path} ${f.message}` : f.message)).join("; ")}`,
      context,
    );
  }

  advice(): Explanation {
    const [first] = this.faults;
    const explanation = { cause: "The input breaks a rule; nothing was sent.", fix: this.fix };
    return first === undefined || first.path === "" ? explanation : { ...explanation, field: first.path };
  }
}

/** No answer, and the request surely did not reach the service: address unknown, connection refused, TLS failure. */
export class NotSentError extends EsignError {
  readonly kind = "not-sent";

  advice(): Explanation {
    return {
      cause: "The service could not be reached; nothing was sent.",
      fix: "Check baseUrl, the network, a proxy or firewall, and for certificate errors NODE_EXTRA_CA_CERTS.",
    };
  }
}

/** The connection broke after the request was sent: the service may have carried it out. */
export class NoAnswerError extends EsignError {
  readonly kind = "no-answer";

  advice(): Explanation {
    return {
      cause: "The connection broke before the answer came.",
      fix: `${this.perhapsDone ? "" : "Try again. "}If that goes on, look at the network, and at any proxy that stands between.`,
    };
  }
}

/** The deadline of the call passed; `perhapsDone` tells whether the request had been sent. */
export class TimeoutError extends EsignError {
  readonly kind = "timeout";

  advice(): Explanation {
    return { cause: "No answer came in time.", fix: "Raise timeout if the service is that slow." };
  }
}

/** The caller's signal ended the call; `perhapsDone` tells whether the request had been sent. */
export class AbortedError extends EsignError {
  readonly kind = "aborted";

  advice(): Explanation {
    return {
      cause: "The caller's signal ended the call.",
      fix: this.perhapsDone ? "Call again when wanted." : "Nothing was changed: call again when wanted.",
    };
  }
}

/** The service answered with an error (§7), by its status or by the `http` member of its body. */
export class ServiceError extends EsignError {
  readonly kind = "answered";
  constructor(
    message: string,
    context: CallContext,
    /** HTTP status, or the `http` member of the body when that says error. */
    readonly status: number,
    /** The service's own code, such as 10555. */
    readonly code: number | undefined,
    /** The service's own words. */
    readonly serviceMessage: string | undefined,
    /** Milliseconds that the service asks to wait, from Retry-After. */
    readonly retryAfter: number | undefined,
    perhapsDone = false,
    /** False when the answer is none of the service's own (§7: `http` in the body) but a router's or gateway's. */
    readonly fromService = true,
  ) {
    super(message, context, perhapsDone);
  }

  advice(): Explanation {
    if (!this.fromService && this.code === undefined) {
      const { fix } = explainStatus(this.status);
      return { cause: "A router, gateway or proxy answered in the service's place.", fix };
    }
    return (this.code === undefined ? undefined : explain(this.code)) ?? explainStatus(this.status);
  }

  /**
   * True when the object that was asked for does not exist. A 404 or 410 that is not the service's own, or says that there is no
   * such address, tells nothing of the object: the base address may be wrong.
   */
  get notFound(): boolean {
    if (this.code !== undefined && NOT_FOUND_CODES.has(this.code)) return true;
    return (this.status === 404 || this.status === 410) && this.fromService && this.code !== NO_SUCH_ADDRESS;
  }
}

/** Codes that say "no such object": webhook, company, envelope. */
const NOT_FOUND_CODES = new Set([10306, 10355, 10253]);
const NO_SUCH_ADDRESS = 10003;

/** An answer came that is none of the service's: HTML, empty, cut short, or members of a wrong type. */
export class ReplyError extends EsignError {
  readonly kind = "not-understood";
  constructor(
    message: string,
    context: CallContext,
    /** HTTP status of the answer. */
    readonly status: number,
    perhapsDone: boolean,
  ) {
    super(message, context, perhapsDone);
  }

  advice(): Explanation {
    return {
      cause: "The answer is not the service's, or not as the specification says.",
      fix: "Check baseUrl, and whether a proxy or login page stands between.",
    };
  }
}

/** An envelope that was waited for has ended otherwise: the wanted status will not come. */
export class EnvelopeEndedError extends EsignError {
  readonly kind = "ended";
  constructor(
    message: string,
    context: CallContext,
    /** The status that it has. */
    readonly status: string,
  ) {
    super(message, context);
  }

  advice(): Explanation {
    return {
      cause: `The envelope is ${this.status}, which is final.`,
      fix: "Create a new envelope if one is still wanted.",
    };
  }
}
