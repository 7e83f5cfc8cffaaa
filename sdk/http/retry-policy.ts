/**
 * When a call is sent again, and after how long.
 *
 * What decides is whether the service may have carried the call out (no endpoint knows an idempotency key):
 * - It surely was not: the request never left, or was refused for being one too many (429, or 503 with a Retry-After: a
 *   server that names a time turned the request away). Any call may be repeated, a POST too.
 * - Nobody knows: no answer, an answer that broke off, 408, 5xx. A 503 without Retry-After is among them: gateways answer
 *   it when the service behind them fell over halfway. Only endpoints that are `repeatable` are repeated; the others fail
 *   with `mayHaveSucceeded`, and the caller looks before sending again.
 * - Sending again would not help: any other answer.
 */
import type { EsignError } from "../errors";

/** What an attempt's failure allows, see above. */
export type Prospect = "not-done" | "unknown" | "final";

/** An attempt without a good answer. */
export interface Failed {
  error: EsignError;
  prospect: Prospect;
  /** The service is too busy (429, 503): the rate limiter slows down. */
  throttled: boolean;
  /** Milliseconds that the service asked to wait. */
  retryAfter?: number | undefined;
}

/** Whether the same request may be sent once more. */
export function mayRepeat(prospect: Prospect, repeatable: boolean): boolean {
  return prospect === "not-done" || (prospect === "unknown" && repeatable);
}

const firstDelay = 100;
const longestDelay = 5_000;

/** Milliseconds before repetition `n` (1, 2, …): exponential backoff with full jitter, so that calls that failed together come apart. */
export function delayBefore(n: number, random: () => number = Math.random): number {
  return Math.min(longestDelay, firstDelay * 2 ** (n - 1)) * random();
}

/** Milliseconds for an attempt of a repeatable call that has `left` for all: half, so that a hanging one leaves time for another. */
export function attemptTimeout(left: number, repeatable: boolean): number {
  return repeatable && left >= 10_000 ? left / 2 : left;
}

/**
 * Reads Retry-After: seconds, or a date. A date is taken against the answer's own Date, so that a wrong clock here or there
 * does not matter. Undefined for anything else.
 */
export function parseRetryAfter(
  value: string | undefined,
  date: string | undefined,
  now = Date.now(),
): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Every form of HTTP's dates begins with a weekday; Date.parse takes much more than those.
  const until = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const serverNow = date === undefined ? Number.NaN : Date.parse(date);
  return Math.max(0, until - (Number.isNaN(serverNow) ? now : serverNow));
}
