/** What the service can bear, per key: requests per second (a bucket that refills) and requests in flight. */
import type { Settings } from "../domain/settings";

interface Bucket {
  tokens: number;
  at: number;
  inFlight: number;
}

export class RateLimiter {
  readonly #loads = new Map<string, Bucket>();

  constructor(readonly limit: Settings["rateLimit"]) {}

  /** Begins a request: a function that ends it, or the seconds after which to try again. */
  acquire(key: string, now: number): (() => void) | number {
    const { perSecond, concurrent } = this.limit;
    if (perSecond === undefined && concurrent === undefined) return () => {};
    const burst = this.limit.burst ?? Math.max(1, Math.ceil(perSecond ?? 1));
    let load = this.#loads.get(key);
    if (!load) {
      load = { tokens: burst, at: now, inFlight: 0 };
      this.#loads.set(key, load);
    }
    if (concurrent !== undefined && load.inFlight >= concurrent) return 1;
    if (perSecond !== undefined) {
      load.tokens = Math.min(burst, load.tokens + ((now - load.at) / 1000) * perSecond);
      load.at = now;
      if (load.tokens < 1) return (1 - load.tokens) / perSecond;
      load.tokens--;
    }
    const entered = load;
    entered.inFlight++;
    return () => {
      entered.inFlight--;
    };
  }
}
