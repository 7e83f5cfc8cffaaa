/** One attempt of a call: sends it, reports the outcome to the rate limiter and to the caller's callbacks. */

import {
  AbortedError,
  type CallContext,
  ConnectionError,
  type EsignError,
  InvalidResponseError,
  NoResponseError,
  TimeoutError,
} from "../errors";
import { describeCall, type ParsedResponse, parseResponse } from "../http/parse-response";
import type { Permit } from "../http/rate-limiter";
import type { Redactor } from "../http/redact";
import type { FailedAttempt } from "../http/retry-policy";
import { type HttpRequest, SendFailure, send } from "../http/send";
import { startSpan } from "../http/tracing";
import type { ConnectOptions, RequestEvent, ResponseEvent } from "../options";
import { requestIdIn } from "./request-id";
import type { CompiledEndpoint } from "./validate-input";

interface Attempt {
  endpoint: CompiledEndpoint;
  context: CallContext;
  request: HttpRequest;
  /** Counted from 1. */
  number: number;
  permit: Permit;
  /** Milliseconds before this attempt. */
  waited: number;
  /** Names of the members of the body. */
  fields: readonly string[];
  /** Milliseconds for the call as a whole. */
  callTimeout: number;
  redactor: Redactor;
  callbacks: Pick<ConnectOptions, "onRequest" | "onResponse">;
}

export async function attempt(options: Attempt): Promise<ParsedResponse> {
  const { endpoint, context, request, permit, callbacks, fields } = options;
  const event: RequestEvent = {
    operation: endpoint.name,
    method: request.method,
    path: context.path!,
    attempt: options.number,
    ...(context.companyId !== undefined && { companyId: context.companyId }),
    ...(fields.length > 0 && { fields }),
  };
  notify(callbacks.onRequest, event);
  const endSpan = startSpan({ ...event, origin: request.origin, template: endpoint.endpoint.path });
  let status: number | undefined;
  let requestId: string | undefined;
  let outcome: ParsedResponse;
  try {
    const response = await send(request);
    status = response.status;
    requestId = requestIdIn(response);
    outcome = parseResponse(endpoint.endpoint, context, response, options.redactor);
  } catch (failure) {
    if (!(failure instanceof SendFailure)) {
      endSpan?.(undefined, "unknown");
      throw failure;
    }
    status = failure.status;
    outcome = toFailedAttempt(options, failure);
  }
  if ("error" in outcome && outcome.throttled) {
    // The other calls wait no longer than one call may take; then one of them tries again.
    permit.release("throttled", Math.min(outcome.retryAfter ?? 0, options.callTimeout));
  } else permit.release(status !== undefined && status < 500 ? "answered" : "failed");
  const error = "error" in outcome ? outcome.error : undefined;
  endSpan?.(status, error?.kind);
  notify(callbacks.onResponse, {
    ...event,
    elapsed: toTenths(performance.now() - permit.since),
    waited: toTenths(options.waited),
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(error === undefined ? {} : { error: error.message }),
    ...(error?.mayHaveSucceeded && { mayHaveSucceeded: true }),
  } satisfies ResponseEvent);
  return outcome;
}

/** Milliseconds without the digits that no clock has. */
const toTenths = (ms: number): number => Math.round(ms * 10) / 10;

function toFailedAttempt({ endpoint, context, request, redactor }: Attempt, failure: SendFailure): FailedAttempt {
  const { reason, sent, status } = failure;
  const detail = redactor.redact(failure.detail);
  const isWrite = endpoint.endpoint.method !== "GET";
  const call = describeCall(context);
  let error: EsignError;
  let retryability: FailedAttempt["retryability"] = sent ? "unknown" : "safe";
  if (reason === "aborted") {
    error = new AbortedError(`${call} was aborted by the caller`, context, sent && isWrite);
    retryability = "never";
  } else if (reason === "timeout") {
    const ms = Math.round(request.timeout);
    error = new TimeoutError(`${call} did not respond within ${ms} ms`, context, sent && isWrite);
  } else if (!sent) {
    error = new ConnectionError(`${call} could not be sent to ${request.origin}: ${detail}`, context);
    if (failure.isLasting) retryability = "never";
  } else if (status !== undefined) {
    error = new InvalidResponseError(`${call} returned ${status}, but ${detail}`, context, status, isWrite);
    if (reason === "too-large") retryability = "never";
  } else {
    error = new NoResponseError(`${call} got no response: ${detail}`, context, isWrite);
  }
  return { error, retryability, throttled: false };
}

/** A callback that throws must not break the call, and one that rejects must not end the process. */
export function notify<E>(callback: ((event: E) => unknown) | undefined, event: E): void {
  try {
    Promise.resolve(callback?.(event)).catch(() => undefined);
  } catch {}
}
