/** Waits for an envelope to reach a status (§3). */
import { sleep } from "./call";
import type { Client } from "./client";
import type { EnvelopeStatus } from "./envelopes";
import { AbortedError, EnvelopeEndedError, EsignError, ServiceError, TimeoutError } from "./errors";
import type { EnvelopeRecord } from "./lost";

/** Statuses that an envelope does not leave any more. */
export const finalStatuses: readonly EnvelopeStatus[] = ["signed", "cancelled", "expired", "failed"];

/** What to wait for, and how. */
export interface WaitOptions {
  /** The status to wait for, or several, or a test of the envelope (any final status). */
  until?: EnvelopeStatus | readonly EnvelopeStatus[] | ((envelope: EnvelopeRecord) => boolean);
  /** Milliseconds to wait in all (600000, ten minutes). */
  deadline?: number;
  /** Milliseconds between the first two looks (1000); grows by half each time. */
  interval?: number;
  /** Most milliseconds between two looks (30000). */
  longestInterval?: number;
  /** Ends the wait. */
  signal?: AbortSignal;
  /** Told of every look. */
  onProgress?: (progress: { envelope: EnvelopeRecord; elapsed: number }) => void;
}

/**
 * Looks at an envelope again and again until it has the wanted status, and returns it. Failures that may pass (no answer,
 * 429, 5xx) do not end the wait before its deadline does.
 *
 * @throws EnvelopeEndedError when it has reached another final status, so that the wanted one will not come.
 * @throws TimeoutError when the deadline passes.
 * @throws AbortedError when the signal ends the wait.
 */
export async function waitFor(
  client: Client,
  envelope_fingerprint: string,
  options: WaitOptions = {},
): Promise<EnvelopeRecord> {
  const { until = finalStatuses, deadline = 600_000, longestInterval = 30_000, signal, onProgress } = options;
  const wanted = typeof until === "function" ? until : statusIn(typeof until === "string" ? [until] : until);
  const ended = statusIn(finalStatuses);
  const context = {
    operation: "waitFor",
    method: "GET",
    path: `/v1/envelopes/${encodeURIComponent(envelope_fingerprint)}`,
  };
  const begin = performance.now();
  let last: EnvelopeRecord | undefined;
  let failure: EsignError | undefined;
  for (let interval = options.interval ?? 1000; ; interval = Math.min(longestInterval, interval * 1.5)) {
    const left = deadline - (performance.now() - begin);
    if (left <= 0) {
      const state = last === undefined ? "it was never seen" : `it is ${last.envelope_status}`;
      const doubt = failure === undefined ? "" : `; the last look failed: ${failure.message}`;
      throw new TimeoutError(`waitFor: after ${deadline} ms ${state}${doubt}`, context);
    }
    try {
      last = await client.envelopes.get({ envelope_fingerprint }, signal === undefined ? {} : { signal });
      failure = undefined;
      onProgress?.({ envelope: last, elapsed: performance.now() - begin });
      if (wanted(last)) return last;
      if (ended(last)) {
        throw new EnvelopeEndedError(
          `waitFor: the envelope is ${last.envelope_status} and stays so`,
          context,
          last.envelope_status,
        );
      }
    } catch (error) {
      if (!(error instanceof EsignError) || !passes(error)) throw error;
      failure = error;
    }
    // Jittered, so that many waits do not look at the same moment.
    const pause = Math.min(interval * (0.75 + Math.random() / 2), Math.max(0, left));
    if (!(await sleep(pause, signal))) throw new AbortedError("waitFor was ended by the caller", context);
  }
}

function statusIn(statuses: readonly string[]): (envelope: EnvelopeRecord) => boolean {
  return (envelope) => statuses.includes(envelope.envelope_status);
}

/** Whether a failure may pass by itself. */
function passes(error: EsignError): boolean {
  if (error instanceof ServiceError) return error.status === 429 || error.status >= 500;
  return error.kind === "not-sent" || error.kind === "no-answer" || error.kind === "timeout";
}
