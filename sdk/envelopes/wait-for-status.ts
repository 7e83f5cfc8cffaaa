/** Waits for an envelope to reach a status (§3). */
import { z } from "zod";
import { type EnvelopeStatus, envelopeStatuses } from "../api/envelopes";
import { oneOf } from "../api/scalars";
import { AbortedError, ApiError, EnvelopeEndedError, EsignError, InputError, TimeoutError } from "../errors";
import { bearMany, sleep } from "../http/abort";
import { faultsOfOptions, milliseconds, signal } from "../request/validate-input";
import type { EnvelopeClient, EnvelopeRecord } from "./find-created";

/** Statuses that an envelope does not leave any more. */
export const finalStatuses: readonly EnvelopeStatus[] = ["signed", "cancelled", "expired", "failed"];
/** Those, and what newer versions of the service call an envelope that a party has declined. */
const endings: readonly string[] = [...finalStatuses, "rejected"];

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

const waitOptions = z.strictObject({
  until: z
    .array(oneOf(envelopeStatuses), "must be a status, several, or a function")
    .min(1, "must name a status")
    .optional(),
  deadline: milliseconds.optional(),
  interval: milliseconds.optional(),
  longestInterval: milliseconds.optional(),
  signal: signal.optional(),
  onProgress: z.custom<() => void>((value) => typeof value === "function", "must be a function").optional(),
});

/** The longest time that a timer of Node knows: some weeks. A deadline beyond it is seen between two looks. */
const longestTimer = 0x7fffffff;

/**
 * Looks at an envelope again and again until it has the wanted status, and returns it. Failures that may pass (no answer,
 * 429, 5xx) do not end the wait before its deadline does.
 *
 * @throws InputError when an option is wrong; nothing was sent.
 * @throws EnvelopeEndedError when it has reached another final status, so that the wanted one will not come.
 * @throws TimeoutError when the deadline passes.
 * @throws AbortedError when the signal ends the wait.
 */
export async function waitFor(
  client: EnvelopeClient,
  envelope_fingerprint: string,
  options: WaitOptions = {},
): Promise<EnvelopeRecord> {
  const { until, deadline = 600_000, signal } = options;
  // Whoever waits for a status that this version does not know gives a function.
  const statuses = typeof until === "function" ? undefined : typeof until === "string" ? [until] : until;
  const faults = faultsOfOptions(waitOptions, { ...options, until: statuses });
  if (faults.length > 0) throw new InputError({ operation: "waitFor" }, faults);
  // Ends the look that is under way as well: a look has a time of its own, which may be longer than what is left.
  const over = new AbortController();
  const end = () => over.abort();
  const timer = deadline <= longestTimer ? setTimeout(end, deadline) : undefined;
  if (signal !== undefined) bearMany(signal);
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    return await look(client, envelope_fingerprint, options, deadline, over.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Looks until `over`, which is the end by the caller's signal or by the deadline. */
async function look(
  client: EnvelopeClient,
  envelope_fingerprint: string,
  options: WaitOptions,
  deadline: number,
  over: AbortSignal,
): Promise<EnvelopeRecord> {
  const { until = endings, longestInterval = 30_000, signal, onProgress } = options;
  const wanted = typeof until === "function" ? until : statusIn(typeof until === "string" ? [until] : until);
  const ended = statusIn(endings);
  const context = {
    operation: "waitFor",
    method: "GET",
    path: `/v1/envelopes/${encodeURIComponent(envelope_fingerprint)}`,
  };
  const begin = performance.now();
  let last: EnvelopeRecord | undefined;
  let failure: EsignError | undefined;
  for (let interval = options.interval ?? 1000; ; interval = Math.min(longestInterval, interval * 1.5)) {
    try {
      last = await client.envelopes.get({ envelope_fingerprint }, { signal: over });
      failure = undefined;
      await onProgress?.({ envelope: last, elapsed: performance.now() - begin });
      if (wanted(last)) return last;
      if (ended(last)) {
        throw new EnvelopeEndedError(
          `waitFor: the envelope is ${last.envelope_status} and stays so`,
          context,
          last.envelope_status,
        );
      }
    } catch (error) {
      const isCut = error instanceof AbortedError && over.aborted;
      if (!isCut && !(error instanceof EsignError && passes(error))) throw error;
      failure = error;
    }
    // Jittered, so that many waits do not look at the same moment.
    const pause = Math.min(interval * (0.75 + Math.random() / 2), longestTimer);
    if (performance.now() - begin < deadline && (await sleep(pause, over))) continue;
    if (signal?.aborted) throw new AbortedError("waitFor was ended by the caller", context);
    const state = last === undefined ? "it was never seen" : `it is ${last.envelope_status}`;
    const why = failure?.kind === "aborted" ? "had no answer yet" : `failed: ${failure?.message}`;
    const doubt = failure === undefined ? "" : `; the last look ${why}`;
    throw new TimeoutError(`waitFor: after ${deadline} ms ${state}${doubt}`, context);
  }
}

function statusIn(statuses: readonly string[]): (envelope: EnvelopeRecord) => boolean {
  return (envelope) => statuses.includes(envelope.envelope_status);
}

/** Whether a failure may pass by itself. */
function passes(error: EsignError): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return error.kind === "connection" || error.kind === "no-response" || error.kind === "timeout";
}
