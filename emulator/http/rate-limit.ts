/** Rate limits per key: requests per second (a token bucket) and concurrent requests; and the response to those beyond. */
import type { ServerResponse } from "node:http";
import type { Settings } from "../domain/emulator-settings";
import { retryAfter } from "./retry-after";
import { write } from "./send-response";

interface Bucket {
  tokens: number;
  at: number;
  inFlight: number;
}

export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();

  constructor(readonly limit: Settings["rateLimit"]) {}

  /** Starts a request: returns a function that ends it, or the seconds until a retry. */
  acquire(key: string, now: number): (() => void) | number {
    const { perSecond, concurrent } = this.limit;
    if (perSecond === undefined && concurrent === undefined) return () => {};
    const burst = this.limit.burst ?? Math.max(1, Math.ceil(perSecond ?? 1));
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = { tokens: burst, at: now, inFlight: 0 };
      this.#buckets.set(key, bucket);
    }
    if (concurrent !== undefined && bucket.inFlight >= concurrent) return 1;
    if (perSecond !== undefined) {
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
      bucket.at = now;
      if (bucket.tokens < 1) return (1 - bucket.tokens) / perSecond;
      bucket.tokens--;
    }
    const entry = bucket;
    entry.inFlight++;
    return () => {
      entry.inFlight--;
    };
  }
}

export const TOO_MANY_REQUESTS = "Too many requests.";

/** Returns the status. `seconds`: until a retry. */
export function sendTooManyRequests(
  response: ServerResponse,
  now: Date,
  { rateLimit }: Pick<Settings, "rateLimit">,
  seconds: number,
): number {
  const headers = retryAfter(now, seconds, rateLimit.retryAfter ?? "seconds");
  return write(response, 429, JSON.stringify({ http: 429, message: TOO_MANY_REQUESTS }), undefined, headers);
}
