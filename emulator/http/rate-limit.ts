/** Rate limits per key: requests per second (a token bucket) and concurrent requests. */
import type { Settings } from "../domain/emulator-settings";

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
