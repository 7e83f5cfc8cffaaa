/**
 * Limits the requests to one host with one API key, for all clients of the process. Every request needs a permit:
 *
 * - `maxConcurrency` and `requestsPerSecond` are the caller's limits.
 * - The service's limits show when it throttles (429, 503). The cap on requests in progress then halves and grows back one by
 *   one (AIMD), and so does the rate of requests, by factors. Both change once for all requests that were in progress together.
 * - Where the evidence shows a limit, nothing is sent before the time that a Retry-After names. Where it shows chance, a throttled
 *   request delays only itself, and there are no limits but the caller's.
 *
 * Keys of one host share `maxConcurrency` and take turns.
 */

import { longestTimer } from "./abortable-waits";
import { RequestPace } from "./request-pace";
import { ThrottlingEvidence } from "./throttling-evidence";

/** Time, replaceable in tests. */
export interface Clock {
  /** Milliseconds, never going back. */
  now(): number;
  /** Calls back after so many milliseconds; the result cancels. */
  after(ms: number, callback: () => void): () => void;
}

const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    // The limiter waits again for the rest.
    const timer = setTimeout(callback, Math.min(ms, longestTimer));
    return () => clearTimeout(timer);
  },
};

/** What the caller allows. */
export interface Limits {
  /** Most requests in progress to the host, for all keys. */
  maxConcurrency: number;
  /** Most requests started per second with the key. */
  requestsPerSecond?: number | undefined;
}

/** How a request ended: answered, throttled (429, 503), or without a response that shows that the service works. */
export type Outcome = "answered" | "throttled" | "failed";

/** Permission to send one request. */
export interface Permit {
  /** When it was granted, by the limiter's clock. */
  readonly since: number;
  /** Must be called when the request has ended; only the first call counts. `retryAfter`: milliseconds to wait, from the service. */
  release(outcome: Outcome, retryAfter?: number): void;
}

interface Waiter {
  limits: Limits;
  grant(permit: Permit): void;
}

/** Responses after which the cap grows by one. */
const growthInterval = 60;
/** The rate is multiplied by the former when the service throttles, and grows by the latter share with each response. */
const rateDecrease = 0.7;
const rateIncrease = 0.015;
/** Lowest cap while a limit is not proven. */
const leastUnprovenCap = 2;
/** Lowest rate, in requests per second. */
const minRate = 1;
/** Milliseconds over which the rate is measured. */
const measuringTime = 1_000;
/** Retries that are allowed without any response. */
const retryBudget = 100;

/** Requests in progress to one host. */
export class Host {
  inFlight = 0;
  readonly waiting = new Set<RateLimiter>();

  /** Grants all permits that are possible, one per key in turn, so that no key starves the others. */
  dispatch(): void {
    for (let blocked = 0; blocked < this.waiting.size; ) {
      const [limiter] = this.waiting as unknown as [RateLimiter];
      this.waiting.delete(limiter);
      const granted = limiter.dispatchOne();
      if (limiter.waiting > 0) this.waiting.add(limiter);
      blocked = granted ? 0 : blocked + 1;
    }
  }
}

export class RateLimiter {
  /** Number of requests that were answered. */
  answered = 0;
  readonly #queue = new Set<Waiter>();
  #cancelTimer: (() => void) | undefined;
  #inFlight = 0;

  /** Most requests in progress, and responses since that was set. */
  #cap = Number.POSITIVE_INFINITY;
  #answersAtCap = 0;
  /** Requests per second, and when the next one may start. */
  #rate = Number.POSITIVE_INFINITY;
  readonly #pace = new RequestPace();
  /** Requests that started before this were in progress when the limits were last lowered. */
  #loweredAt = Number.NEGATIVE_INFINITY;
  /** No request starts before this (Retry-After). */
  #blockedUntil = Number.NEGATIVE_INFINITY;
  /** When requests were answered, within the last second. */
  #recent: number[] = [];
  /** Start of the first request that counts for the measured rate. */
  #measuredSince: number | undefined;
  readonly #evidence = new ThrottlingEvidence();
  #retryTokens = retryBudget;

  constructor(
    readonly host = new Host(),
    readonly clock: Clock = systemClock,
  ) {}

  /** Requests that wait for a permit. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Milliseconds for which the service takes no requests (Retry-After). */
  get blockedFor(): number {
    return Math.max(0, this.#blockedUntil - this.clock.now());
  }

  /** Milliseconds until all that wait now have had their turn, as fast as responses came in the last second. */
  get queueTime(): number {
    const now = this.clock.now();
    return (this.#queue.size / this.#measuredRate(now, Math.min(this.#blockedUntil, now))) * 1_000;
  }

  /** Waits for a permit. Rejects with the signal's reason when it aborts. */
  acquire(limits: Limits, signal?: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        this.#queue.delete(waiter);
        // Also cancels a timer that would keep the process alive.
        this.host.dispatch();
        reject(signal!.reason);
      };
      const grant = (permit: Permit) => {
        signal?.removeEventListener("abort", onAbort);
        resolve(permit);
      };
      const waiter: Waiter = { limits, grant };
      signal?.addEventListener("abort", onAbort);
      this.#queue.add(waiter);
      this.host.waiting.add(this);
      this.host.dispatch();
    });
  }

  /** Takes a retry from the budget; false if it is empty. Each response adds one. */
  takeRetry(): boolean {
    if (this.#retryTokens < 1) return false;
    this.#retryTokens--;
    return true;
  }

  /** Grants the next permit if that is possible now. */
  dispatchOne(): boolean {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const [next] = this.#queue;
    if (next === undefined) return false;
    const delay = this.#delay(next.limits);
    if (delay > 0) {
      if (delay !== Number.POSITIVE_INFINITY) this.#cancelTimer = this.clock.after(delay, () => this.host.dispatch());
      return false;
    }
    this.#queue.delete(next);
    next.grant(this.#permit(next.limits));
    return true;
  }

  /** Milliseconds until a request may start; infinite if another one must end first. */
  #delay({ maxConcurrency }: Limits): number {
    if (this.host.inFlight >= maxConcurrency || this.#inFlight >= this.#cap) return Number.POSITIVE_INFINITY;
    return Math.max(this.#pace.nextAt, this.#blockedUntil) - this.clock.now();
  }

  #permit({ maxConcurrency, requestsPerSecond = Number.POSITIVE_INFINITY }: Limits): Permit {
    const since = this.clock.now();
    this.#inFlight++;
    this.host.inFlight++;
    this.#measuredSince ??= since;
    this.#pace.take(since, Math.min(this.#rate, requestsPerSecond));
    let isReleased = false;
    const release = (outcome: Outcome, retryAfter?: number) => {
      if (isReleased) return;
      isReleased = true;
      if (outcome !== "failed") {
        const isOld = since < this.#loweredAt;
        this.#evidence.add(outcome === "throttled", { since, now: this.clock.now(), isOld });
      }
      if (outcome === "answered") this.#onAnswered(maxConcurrency);
      else if (outcome === "throttled") this.#onThrottled(since, maxConcurrency, retryAfter);
      this.#inFlight--;
      this.host.inFlight--;
      this.host.dispatch();
    };
    return { since, release };
  }

  #onAnswered(maxConcurrency: number): void {
    this.answered++;
    const now = this.clock.now();
    this.#recent.push(now);
    while (this.#recent[0]! < now - measuringTime) this.#recent.shift();
    this.#retryTokens = Math.min(retryBudget, this.#retryTokens + 1);
    this.#rate *= 1 + rateIncrease;
    if (++this.#answersAtCap < growthInterval) return;
    this.#answersAtCap = 0;
    this.#cap = Math.min(maxConcurrency, this.#cap + 1);
  }

  #onThrottled(since: number, maxConcurrency: number, retryAfter = 0): void {
    const { showsLimit, showsChance } = this.#evidence;
    // The request waits for itself; the others have no reason to.
    if (showsChance) return void this.#liftLimits();
    const now = this.clock.now();
    const resumedAt = Math.min(this.#blockedUntil, now);
    if (showsLimit && retryAfter > 0) this.#blockedUntil = Math.max(this.#blockedUntil, now + retryAfter);
    if (since < this.#loweredAt) return;
    this.#loweredAt = now;
    this.#evidence.beginTrial();
    const isCapLow = this.#cap <= leastUnprovenCap;
    this.#lowerCap(maxConcurrency, showsLimit ? 1 : leastUnprovenCap);
    if (!showsLimit && !isCapLow) return;
    const isRateUsed = this.#rate === Number.POSITIVE_INFINITY || this.#queue.size > 0;
    // Without waiting requests, few responses only mean that few requests were sent.
    const rate = isRateUsed ? Math.min(this.#rate, this.#measuredRate(now, resumedAt)) : this.#rate;
    this.#rate = Math.max(minRate, rate * rateDecrease);
  }

  /** Those that the service's answers have set. When the next request may start stays: the caller's rate may be the reason. */
  #liftLimits(): void {
    this.#cap = this.#rate = Number.POSITIVE_INFINITY;
    this.#blockedUntil = Number.NEGATIVE_INFINITY;
  }

  #lowerCap(maxConcurrency: number, least: number): void {
    this.#answersAtCap = 0;
    // If fewer than the cap are in progress, the cap is not the reason.
    if (this.#cap === Number.POSITIVE_INFINITY) this.#cap = Math.max(2, Math.floor(this.#inFlight / 2));
    else if (this.#inFlight >= Math.min(this.#cap, maxConcurrency))
      this.#cap = Math.max(Math.min(least, this.#cap), Math.floor(this.#cap / 2));
  }

  /** Current number of responses per second. */
  #measuredRate(now: number, resumedAt: number): number {
    const start = Math.max(this.#measuredSince ?? now, resumedAt, now - measuringTime);
    const count = this.#recent.filter((at) => at >= start).length;
    return (Math.max(1, count) * 1_000) / Math.max(1, now - start);
  }
}

const hosts = new Map<string, Host>();
const limiters = new Map<string, RateLimiter>();

/** The limiter of a host and key in this process. */
export function limiterFor(origin: string, key: string): RateLimiter {
  const host = hosts.get(origin) ?? new Host();
  hosts.set(origin, host);
  const id = `${origin} ${key}`;
  const limiter = limiters.get(id) ?? new RateLimiter(host);
  limiters.set(id, limiter);
  return limiter;
}
