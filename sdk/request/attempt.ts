/** One attempt of a call: sends it, says to the gate how it went and to listeners what happened, and puts failures in words. */

import {
  AbortedError,
  type CallContext,
  ConnectionError,
  type EsignError,
  InvalidResponseError,
  NoResponseError,
  TimeoutError,
} from "../errors";
import type { Gate } from "../http/limiter";
import { callOf, understand } from "../http/parse-response";
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
  gate: Gate;
  /** When it began, by `performance.now()`. */
  begin: number;
  /** Milliseconds that the call as a whole waits. */
  patience: number;
  redactor: Redactor;
  listeners: Pick<ConnectOptions, "onRequest" | "onResponse">;
}

/** A good answer, or why there is none. */
export type Outcome = { reply: Record<string, unknown> } | Failed;

export async function attempt(o: Attempt): Promise<Outcome> {
  const { op, context, request, gate, begin } = o;
  const { onRequest, onResponse } = o.listeners;
  let event: RequestEvent | undefined;
  if (onRequest !== undefined || onResponse !== undefined) {
    event = { operation: op.name, method: request.method, path: context.path!, attempt: o.number };
    tell(onRequest, event);
  }
  let status: number | undefined;
  let cut: SendFailure["cut"];
  let outcome: Outcome;
  try {
    const answer = await send(request);
    status = answer.status;
    outcome = understand(op.endpoint, context, answer, o.redactor);
  } catch (failure) {
    if (!(failure instanceof SendFailure)) {
      gate.leave("failed", begin);
      throw failure;
    }
    ({ status, cut } = failure);
    outcome = failed(o, failure);
  }
  if ("reply" in outcome) gate.leave("answered", begin);
  else {
    // Longer than a call would wait itself, the others do not wait for it either: one of them asks again.
    const retryAfter = outcome.retryAfter === undefined ? undefined : Math.min(outcome.retryAfter, o.patience);
    gate.leave(outcome.refused ? "refused" : cut ? `cut-${cut}` : "failed", begin, retryAfter);
  }
  if (event !== undefined && onResponse !== undefined) {
    const response: ResponseEvent = { ...event, elapsed: performance.now() - begin };
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
  return { error, prospect, refused: false };
}

/** A listener that throws must not break the call, and one that is asynchronous must not end the process. */
function tell<E>(listener: ((event: E) => unknown) | undefined, event: E): void {
  try {
    Promise.resolve(listener?.(event)).catch(() => undefined);
  } catch {}
}
