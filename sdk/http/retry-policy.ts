/**
 * Whether a call is retried, and after how long.
 *
 * The API has no idempotency keys, so what counts is whether the service may have applied the request:
 * - `safe`: it was not. The request was never sent, or the service turned it away (429, or 503 with a Retry-After). Any call
 *   is retried, also a POST.
 * - `unknown`: no response, an incomplete one, 408 or 5xx. A 503 without Retry-After is among them: gateways return it when
 *   the service behind them fails halfway. Idempotent endpoints are retried; the others fail with `mayHaveSucceeded`.
 * - `never`: a retry would not help.
 */
import type { EsignError } from "../errors";

/** See above. */
type Retryability = "safe" | "unknown" | "never";

/** An attempt without a valid response. */
export interface FailedAttempt {
  error: EsignError;
  retryability: Retryability;
  /** The service is too busy (429, 503): the rate limiter slows down. */
  throttled: boolean;
  /** Milliseconds to wait, from Retry-After. */
  retryAfter?: number | undefined;
}

/** Whether the same request may be sent again. */
export function mayRetry(retryability: Retryability, idempotent: boolean): boolean {
  return retryability === "safe" || (retryability === "unknown" && idempotent);
}

const firstDelay = 100;
const maxDelay = 5_000;

/** Milliseconds before retry `n` (1, 2, …): exponential backoff with full jitter. */
export function retryDelay(n: number, random: () => number = Math.random): number {
  return Math.min(maxDelay, firstDelay * 2 ** (n - 1)) * random();
}

/**
 * Milliseconds to wait by a Retry-After of seconds or a date; undefined for anything else. A date counts from the response's
 * own Date, so that clock skew does not matter.
 */
export function parseRetryAfter(
  value: string | undefined,
  date: string | undefined,
  now = Date.now(),
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Every HTTP date begins with a weekday; Date.parse accepts much more.
  const until = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const serverNow = date === undefined ? Number.NaN : Date.parse(date);
  return Math.max(0, until - (Number.isNaN(serverNow) ? now : serverNow));
}
