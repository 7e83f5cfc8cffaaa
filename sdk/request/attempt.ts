/** One attempt of a call: sends it, tells the rate limiter how it went and to listeners what happened, and puts failures in words. */

import {
  AbortedError,
  type CallContext,
  ConnectionError,
  type EsignError,
  InvalidResponseError,
  NoResponseError,
  TimeoutError,
} from "../errors";
import { callOf, understand } from "../http/parse-response";
import type { Permit } from "../http/rate-limiter";
import type { Redactor } from "../http/redact";
import type { Failed } from "../http/retry-policy";
import { type HttpRequest, SendFailure, send } from "../http/send";
import type { ConnectOptions, RequestEvent, ResponseEvent } from "../options";
import type { Operation } from "./validate-input";

export interface Attempt {
  op: Operation;
  context: CallContext;
  request: HttpRequest;
  /** Which attempt of its call it is: 1, 2, … */
  number: number;
  permit: Permit;
  /** Milliseconds that the call as a whole waits. */
  patience: number;
  redactor: Redactor;
  listeners: Pick<ConnectOptions, "onRequest" | "onResponse">;
}

/** A good answer, or why there is none. */
export type Outcome = { reply: Record<string, unknown> } | Failed;

export async function attempt(o: Attempt): Promise<Outcome> {
  const { op, context, request, permit } = o;
  const { onRequest, onResponse } = o.listeners;
  let event: RequestEvent | undefined;
  if (onRequest !== undefined || onResponse !== undefined) {
    event = { operation: op.name, method: request.method, path: context.path!, attempt: o.number };
    tell(onRequest, event);
  }
  let status: number | undefined;
  let outcome: Outcome;
  try {
    const answer = await send(request);
    status = answer.status;
    outcome = understand(op.endpoint, context, answer, o.redactor);
  } catch (failure) {
    if (!(failure instanceof SendFailure)) {
      permit.release("failed");
      throw failure;
    }
    status = failure.status;
    outcome = failed(o, failure);
  }
  const isAnswered = status !== undefined && status < 500;
  if ("error" in outcome && outcome.throttled) {
    // Longer than a call would wait itself, the others do not wait either: one of them asks again.
    permit.release("throttled", Math.min(outcome.retryAfter ?? 0, o.patience));
  } else permit.release(isAnswered ? "answered" : "failed");
  if (event !== undefined && onResponse !== undefined) {
    const response: ResponseEvent = { ...event, elapsed: performance.now() - permit.since };
    if (status !== undefined) response.status = status;
    if ("error" in outcome) response.error = outcome.error.message;
    tell(onResponse, response);
  }
  return outcome;
}

function failed({ op, context, request, redactor }: Attempt, failure: SendFailure): Failed {
  const { reason, sent, status } = failure;
  const detail = redactor.text(failure.detail);
  const write = op.endpoint.method !== "GET";
  const call = callOf(context);
  let error: EsignError;
  let prospect: Failed["prospect"] = sent ? "unknown" : "not-done";
  if (reason === "aborted") {
    error = new AbortedError(`${call} was ended by the caller`, context, sent && write);
    prospect = "final";
  } else if (reason === "timeout") {
    error = new TimeoutError(`${call} had no answer within ${Math.round(request.timeout)} ms`, context, sent && write);
  } else if (!sent) {
    error = new ConnectionError(`${call} could not be sent: ${detail}`, context);
    if (/certificate|CERT_|SSL|TLS|status 407/i.test(detail)) prospect = "final";
  } else if (status !== undefined) {
    error = new InvalidResponseError(`${call} was answered ${status}, but ${detail}`, context, status, write);
    if (reason === "too-large") prospect = "final";
  } else {
    error = new NoResponseError(`${call} got no answer: ${detail}`, context, write);
  }
  return { error, prospect, throttled: false };
}

/** A listener that throws must not break the call, and one that is asynchronous must not end the process. */
function tell<E>(listener: ((event: E) => unknown) | undefined, event: E): void {
  try {
    Promise.resolve(listener?.(event)).catch(() => undefined);
  } catch {}
}
