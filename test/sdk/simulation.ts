/** A simulated service with a limit, in simulated time, to try the rate limiter on: nothing sleeps, and chance is the same each time. */

import { type Clock, type Outcome, RateLimiter } from "../../sdk/http/rate-limiter";
import { retryDelay } from "../../sdk/http/retry-policy";
import { RetryCount } from "../../sdk/request/retry-count";

/** A clock that a test turns: events run in their order. */
export class FakeClock implements Clock {
  #now = 0;
  #events: { at: number; run: () => void }[] = [];

  now() {
    return this.#now;
  }

  after(ms: number, run: () => void) {
    const event = { at: this.#now + Math.max(ms, 0.01), run };
    // Behind those of the same time.
    let place = this.#events.length;
    while (place > 0 && this.#events[place - 1]!.at > event.at) place--;
    this.#events.splice(place, 0, event);
    return () => {
      this.#events = this.#events.filter((other) => other !== event);
    };
  }

  sleep(ms: number) {
    return new Promise<void>((resolve) => this.after(ms, resolve));
  }

  /** Timers that have not fired. */
  get pending() {
    return this.#events.length;
  }

  async until(done: () => boolean) {
    for (;;) {
      for (let i = 0; i < 8; i++) await null;
      if (done()) return;
      const next = this.#events.shift();
      if (next === undefined) throw new Error("no timer is left, but not everything is done");
      if (next.at > 3_600_000) throw new Error("it takes more than an hour");
      this.#now = next.at;
      next.run();
    }
  }
}

/** Random numbers that are the same each time (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether a service that allows `n` serves a request at this time, with so many in flight; else the milliseconds until it might. */
export type Limit = (now: number, n: number, inFlight: number) => true | number;

/** Windows of the service begin in the midst of the simulation's seconds. */
const offset = 370;

export const limits = {
  none: (): Limit => () => true,
  /** `n` requests in each second. */
  window: (): Limit => {
    let window = -1;
    let count = 0;
    return (now, n) => {
      const present = Math.floor((now + offset) / 1000);
      if (present !== window) [window, count] = [present, 0];
      return ++count <= n || (present + 1) * 1000 - offset - now;
    };
  },
  /** A bucket that refills with `n` tokens per second and holds `burst`. */
  bucket: (burst: number): Limit => {
    let tokens = burst;
    let last = 0;
    return (now, n) => {
      tokens = Math.min(burst, tokens + ((now - last) * n) / 1000);
      last = now;
      if (tokens < 1) return ((1 - tokens) * 1000) / n;
      tokens--;
      return true;
    };
  },
  /** `n` requests at once. */
  concurrency: (): Limit => (_, n, inFlight) => inFlight <= n || 1,
};

/** What a service writes into Retry-After, in milliseconds as the client reads it. */
export const retryAfters = {
  none: () => undefined,
  seconds: (ms: number) => Math.ceil(ms / 1000) * 1000,
  exact: (ms: number) => ms,
};

export interface World {
  limit: keyof typeof limits;
  n: number;
  /** What a bucket holds. Default: a second's worth. */
  burst?: number;
  retryAfter: keyof typeof retryAfters;
  /** Milliseconds for a response, a fifth more or less. */
  latency: number;
  /** Calls that are made at once, one after the other each. */
  callers: number;
  calls: number;
  /** The limit is so many times as high after half of the calls. */
  change?: number;
  /** Share of the requests that are turned away whatever the limit, and the milliseconds of their Retry-After. */
  unlucky?: { share: number; retryAfter?: number };
}

export interface Result {
  requestsPerCall: number;
  /** Time taken, as a multiple of what a client needs that knows the limit. */
  time: number;
  /** The most requests in flight. */
  mostInFlight: number;
  failed: number;
}

export const maxConcurrency = 8;

/** Milliseconds that a client takes for which each request that is turned away waits alone. */
const plainTime = async (world: World): Promise<number> => (await run(world, () => "answered")).end;

/** Milliseconds that a client needs at least that knows the limit: no fixed setting is faster. */
function idealTime({ limit, n, burst = n, latency, callers, calls, change = 1 }: World): number {
  const slots = Math.min(callers, maxConcurrency, limit === "concurrency" ? n : Number.POSITIVE_INFINITY);
  const bySlots = (calls / slots) * latency;
  if (limit === "none" || limit === "concurrency") return bySlots;
  // What is allowed at the begin, then half of the calls at each of the two rates.
  const seconds = (calls / 2 - burst) / n + calls / 2 / (n * change);
  return Math.max(bySlots, seconds * 1_000 + latency);
}

export async function simulate(world: World): Promise<Result> {
  const { requests, mostInFlight, failed, end } = await run(world, (outcome) => outcome);
  const least = world.unlucky === undefined ? idealTime(world) : await plainTime(world);
  return { requestsPerCall: requests / world.calls, time: end / least, mostInFlight, failed };
}

/** `report`: what the limiter learns of how a request ended. */
async function run(world: World, report: (outcome: Outcome) => Outcome) {
  const { limit: kind, n, burst = n, latency, callers, calls, change = 1, unlucky } = world;
  const random = randomFrom(n * 7 + burst * 13 + latency + callers * 3 + calls);
  const clock = new FakeClock();
  const limiter = new RateLimiter(undefined, clock);
  const limit = limits[kind](burst);
  const count = { requests: 0, inFlight: 0, serving: 0, begun: 0, done: 0, failed: 0, mostInFlight: 0 };

  /** A call that is safe to repeat. */
  const call = async () => {
    const retries = new RetryCount(5, true);
    for (let attempt = 1; ; attempt++) {
      const permit = await limiter.acquire({ maxConcurrency });
      retries.begin(limiter);
      count.requests++;
      count.mostInFlight = Math.max(count.mostInFlight, ++count.inFlight);
      const duration = latency * (0.8 + random() * 0.4);
      await clock.sleep(duration * 0.4);
      const isUnlucky = unlucky !== undefined && random() < unlucky.share;
      const wait = isUnlucky || limit(clock.now(), count.done < calls / 2 ? n : n * change, count.serving + 1);
      const isServed = wait === true && !isUnlucky;
      if (isServed) count.serving++;
      const retryAfter =
        wait === true ? (isServed ? undefined : unlucky?.retryAfter) : retryAfters[world.retryAfter](wait);
      await clock.sleep(duration * 0.6);
      count.inFlight--;
      const outcome = report(isServed ? "answered" : "throttled");
      permit.release(outcome, outcome === "throttled" ? retryAfter : undefined);
      if (isServed) {
        count.serving--;
        return;
      }
      const delay = Math.max(retryAfter ?? 0, retryDelay(attempt, random));
      if (!retries.take({ throttled: true, retryability: "safe" })) {
        count.failed++;
        return;
      }
      await clock.sleep(delay);
    }
  };
  const caller = async () => {
    while (count.begun < calls) {
      count.begun++;
      await call();
      count.done++;
    }
  };
  for (let i = 0; i < callers; i++) void caller();
  await clock.until(() => count.done === calls);

  return { ...count, end: clock.now() };
}

/** What the limiter must reach in each of the {@link worlds}. */
export const bars = { requestsPerCall: 1.5, meanRequestsPerCall: 1.1, time: 2 };

const latencies = [50, 100, 300, 1_000];
const unluckyOf = (share: number, retryAfter?: number): World[] =>
  [20, ...latencies].flatMap((latency) =>
    [100, 250].map((calls) => ({
      limit: "none",
      n: 0,
      retryAfter: "none",
      latency,
      callers: 50,
      calls,
      unlucky: { share, ...(retryAfter !== undefined && { retryAfter }) },
    })),
  );
const worldsOf = (limit: World["limit"], ns: number[], more: Partial<World> = {}): World[] =>
  ns.flatMap((n) =>
    (Object.keys(retryAfters) as World["retryAfter"][]).flatMap((retryAfter) =>
      latencies.map((latency) => ({ limit, n, retryAfter, latency, callers: 50, calls: 300, ...more })),
    ),
  );

/** Groups of worlds: 300 calls by 50 callers. */
export const worlds: [string, World[]][] = [
  ["by rate", worldsOf("window", [5, 10, 20, 50])],
  ["by bucket", worldsOf("bucket", [5, 10, 20, 50])],
  ["by concurrency", worldsOf("concurrency", [2, 3, 5])],
  ["no limit", worldsOf("none", [0])],
  ["a limit that falls to half", worldsOf("bucket", [10, 20, 50], { change: 0.5 })],
];

/** Groups of worlds in which requests are turned away by chance, with the bar for the time. */
export const unluckyWorlds: [string, World[], number][] = [
  ["5 % by chance, for a second", unluckyOf(0.05, 1_000), 3],
  ["10 % by chance, for a second", unluckyOf(0.1, 1_000), 3],
  ["10 % by chance", unluckyOf(0.1), 3],
  ["30 % by chance", unluckyOf(0.3), 5],
  ["30 % by chance, for a second", unluckyOf(0.3, 1_000), 5],
];
