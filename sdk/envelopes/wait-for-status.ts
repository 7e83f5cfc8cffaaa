/** Waits for an envelope to reach a status. */
import { z } from "zod";
import { envelopeStatus } from "../enum-schemas";
import { AbortedError, ApiError, EnvelopeEndedError, EsignError, InputError, TimeoutError } from "../errors";
import { raiseListenerLimit, sleep } from "../http/abortable-waits";
import { longestLag } from "../http/read-lag";
import type { EnvelopeStatus } from "../known-values";
import { milliseconds, signal, validateOptions } from "../request/validate-input";
import { finalStatuses, isFinal } from "./final-statuses";
import type { EnvelopeClient, EnvelopeRecord } from "./find-created";

/** What to wait for, and how long. Defaults are in parentheses. */
export interface WaitOptions {
  /** The status or statuses to wait for, or a predicate (any final status). */
  until?: EnvelopeStatus | readonly EnvelopeStatus[] | ((envelope: EnvelopeRecord) => boolean) | undefined;
  /** Milliseconds to wait in total (600000, ten minutes). */
  timeout?: number | undefined;
  /** Milliseconds between the first two requests (1000); grows by half each time. */
  interval?: number | undefined;
  /** Most milliseconds between two requests (30000). */
  maxInterval?: number | undefined;
  /** Aborts the wait. */
  signal?: AbortSignal | undefined;
  /** Called after each request. */
  onProgress?: ((progress: { envelope: EnvelopeRecord; elapsed: number }) => void) | undefined;
}

const waitOptions = z.strictObject({
  until: z.array(envelopeStatus, "must be a status, several, or a function").min(1, "must name a status").optional(),
  timeout: milliseconds.optional(),
  interval: milliseconds.optional(),
  maxInterval: milliseconds.optional(),
  signal: signal.optional(),
  onProgress: z.custom<() => void>((value) => typeof value === "function", "must be a function").optional(),
});

/**
 * Polls an envelope until it has the status, and returns it. Transient failures (no response, 408, 429, 5xx) do not end the wait
 * before its timeout does, nor does a new envelope that cannot be read in the first seconds.
 *
 * @throws InputError when an option is not valid; nothing was sent.
 * @throws EnvelopeEndedError when the envelope has another final status.
 * @throws TimeoutError when the timeout expires.
 * @throws AbortedError when the signal aborts the wait.
 */
export async function waitFor(
  client: EnvelopeClient,
  envelope_fingerprint: string,
  options: WaitOptions = {},
): Promise<EnvelopeRecord> {
  const { until, timeout = 600_000, signal } = options;
  // For a status that this version does not know, the caller passes a predicate.
  const statuses = typeof until === "function" ? undefined : typeof until === "string" ? [until] : until;
  const issues = validateOptions(waitOptions, { ...options, until: statuses });
  if (issues.length > 0) throw new InputError({ operation: "waitFor" }, issues);
  // Aborts a request in progress as well: it has its own timeout, which may be longer than the time left.
  const stop = new AbortController();
  const abort = () => stop.abort();
  if (signal !== undefined) raiseListenerLimit(signal);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  void sleep(timeout, stop.signal).then(abort);
  try {
    return await poll(client, envelope_fingerprint, options, timeout, stop.signal);
  } finally {
    abort();
    signal?.removeEventListener("abort", abort);
  }
}

/** Polls until `stop`, which the caller's signal or the timeout aborts. */
async function poll(
  client: EnvelopeClient,
  envelope_fingerprint: string,
  options: WaitOptions,
  timeout: number,
  stop: AbortSignal,
): Promise<EnvelopeRecord> {
  const { until = finalStatuses, maxInterval = 30_000, signal, onProgress } = options;
  const isReached = typeof until === "function" ? until : hasStatus(typeof until === "string" ? [until] : until);
  const path = `/v1/envelopes/${encodeURIComponent(envelope_fingerprint)}`;
  const context = { operation: "waitFor", method: "GET", path };
  const start = performance.now();
  let last: EnvelopeRecord | undefined;
  let failure: EsignError | undefined;
  for (let interval = options.interval ?? 1000; ; interval = Math.min(maxInterval, interval * 1.5)) {
    try {
      last = await client.envelopes.get({ envelope_fingerprint }, { signal: stop });
      failure = undefined;
      await onProgress?.({ envelope: last, elapsed: performance.now() - start });
      if (isReached(last)) return last;
      if (isFinal(last.envelope_status)) {
        const status = last.envelope_status;
        throw new EnvelopeEndedError(`waitFor: the envelope is ${status}, which is final`, context, status);
      }
    } catch (error) {
      const isStopped = error instanceof AbortedError && stop.aborted;
      const mayBeNew = last === undefined && performance.now() - start < longestLag;
      if (!isStopped && !(error instanceof EsignError && isTransient(error, mayBeNew))) throw error;
      failure = error;
    }
    // With jitter, so that many waits do not poll at the same moment.
    if (await sleep(interval * (0.75 + Math.random() / 2), stop)) continue;
    if (signal?.aborted) throw new AbortedError("waitFor was aborted by the caller", context);
    throw new TimeoutError(`waitFor: after ${timeout} ms ${describeState(last, failure)}`, context);
  }
}

function describeState(last: EnvelopeRecord | undefined, failure: EsignError | undefined): string {
  const state = last === undefined ? "the envelope has not been read" : `the envelope is ${last.envelope_status}`;
  if (failure === undefined) return state;
  const reason = failure.kind === "aborted" ? "has no response yet" : `failed: ${failure.message}`;
  return `${state}; the last request ${reason}`;
}

function hasStatus(statuses: readonly string[]): (envelope: EnvelopeRecord) => boolean {
  return (envelope) => statuses.includes(envelope.envelope_status);
}

function isTransient(error: EsignError, mayBeNew: boolean): boolean {
  if (error instanceof ApiError)
    return error.status === 408 || error.status === 429 || error.status >= 500 || (mayBeNew && error.isNotFound);
  return error.kind === "connection" || error.kind === "no-response" || error.kind === "timeout";
}
