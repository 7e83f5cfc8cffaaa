/** A simulated service with a limit, in simulated time, to try the gate on: nothing is slept, and chance is the same each time. */

import { type Clock, Gate } from "../../sdk/http/limiter";
import { delayBefore } from "../../sdk/http/retry-policy";

/** Time that a test turns: events run in their order. */
export class Simulation implements Clock {
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

  async until(done: () => boolean) {
    for (;;) {
      for (let i = 0; i < 8; i++) await null;
      if (done()) return;
      const next = this.#events.shift();
      if (next === undefined) throw new Error("nobody has anything to do, but not all is done");
      if (next.at > 3_600_000) throw new Error("it takes more than an hour");
      this.#now = next.at;
      next.run();
    }
  }
}

/** Chance that is the same each time (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether a request at this time, with so many in flight, is served by a service of so many a second; else the milliseconds until it might be. */
export type Limit = (now: number, perSecond: number, inFlight: number) => true | number;

/** Windows of the service begin in the midst of the simulation's seconds. */
const offset = 370;

export const limits = {
  "fixed window": (): Limit => {
    let window = -1;
    let count = 0;
    return (now, n) => {
      const present = Math.floor((now + offset) / 1000);
      if (present !== window) [window, count] = [present, 0];
      return ++count <= n || (present + 1) * 1000 - offset - now;
    };
  },
  "sliding window": (): Limit => {
    let served: number[] = [];
    return (now, n) => {
      served = served.filter((at) => at > now - 1000);
      if (served.length >= n) return served[served.length - n]! + 1000 - now;
      served.push(now);
      return true;
    };
  },
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
  "at once": (): Limit => (_, n, inFlight) => inFlight <= n || 1,
};

/** How a service words the wait, in milliseconds as read by the client. */
export const wordings = {
  none: () => undefined,
  seconds: (ms: number) => Math.ceil(ms / 1000) * 1000,
  exact: (ms: number) => ms,
  date: (ms: number, now: number) =>
    Math.ceil((now + offset + ms) / 1000) * 1000 - Math.floor((now + offset) / 1000) * 1000,
};

export interface World {
  kind: keyof typeof limits;
  /** Requests per second, or at once. */
  n: number;
  /** What a bucket holds. Default: a second's worth. */
  burst?: number;
  wording: keyof typeof wordings;
  /** Milliseconds for an answer, a fifth more or less. */
  latency: number;
  /** Who call one after the other: hooks of an engine. */
  callers: number;
  maxConcurrency?: number;
  calls: number;
  /** The limit is so many times as high after half of the calls. */
  change?: number;
  /** Share of requests that are refused for no reason. */
  noise?: number;
}

export interface Outcome {
  /** Requests for each call. */
  requests: number;
  /**
   * Time taken, divided by that of callers who know the limit, and send each request when it is served and not before; with their own
   * limits, and the waits after refusals for no reason.
   */
  time: number;
  /** Milliseconds that the limit allows. */
  ideal: number;
  /** The most in flight. */
  most: number;
  /** The most refusals of one call, and calls that were given up. */
  refusals: number;
  failed: number;
}

/** Milliseconds that it takes who knows the limit. */
function knowing({ kind, n, latency, callers, maxConcurrency = 8, calls, change = 1, ...world }: World): number {
  const limit = limits[kind](world.burst ?? n);
  const atMost = Math.min(callers, maxConcurrency, kind === "at once" ? n : Number.POSITIVE_INFINITY);
  /** When each of those in flight ends. */
  const ends: number[] = Array(atMost).fill(0);
  let last = 0;
  for (let i = 0; i < calls; i++) {
    const slot = ends.indexOf(Math.min(...ends));
    last = Math.max(last, ends[slot]!);
    for (;;) {
      const wait = limit(last, Math.max(1, Math.round(i < calls / 2 ? n : n * change)), 1);
      if (wait === true) break;
      // So much at least that time goes on.
      last += Math.max(wait, 0.01);
    }
    ends[slot] = last + latency;
  }
  return Math.max(...ends);
}

export async function simulate(world: World): Promise<Outcome> {
  const { kind, n, wording, latency, callers, maxConcurrency = 8, calls, change = 1, noise = 0 } = world;
  const burst = kind === "bucket" ? (world.burst ?? n) : n;
  const random = chance(n * 7 + burst * 13 + latency + callers * 3 + calls);
  const time = new Simulation();
  const gate = new Gate(undefined, time, random);
  const limit = limits[kind](burst);
  const now = { requests: 0, inFlight: 0, served: 0, begun: 0, done: 0, waited: 0 };
  const seen = { most: 0, refusals: 0, failed: 0 };

  const call = async () => {
    let again: number | undefined;
    let left = 30_000;
    let repeats = 0;
    let before: number | undefined;
    for (let attempt = 1; ; attempt++) {
      await gate.enter({ maxConcurrency }, again);
      const began = time.now();
      before ??= gate.served;
      now.requests++;
      seen.most = Math.max(seen.most, ++now.inFlight);
      const takes = latency * (0.8 + random() * 0.4);
      await time.sleep(takes * 0.4);
      const present = Math.max(1, Math.round(now.done < calls / 2 ? n : n * change));
      const isNoise = random() < noise;
      const served = isNoise ? 1000 : limit(time.now(), present, now.served + 1);
      if (served === true) now.served++;
      const retryAfter = served === true ? undefined : wordings[wording](served, time.now());
      await time.sleep(takes * 0.6);
      now.inFlight--;
      gate.leave(served === true ? "answered" : "refused", began, retryAfter);
      if (served === true) {
        now.served--;
        return;
      }
      seen.refusals = Math.max(seen.refusals, attempt);
      again = Math.max(retryAfter ?? 0, delayBefore(repeats + 1, random));
      if (gate.served === before) repeats++;
      before = gate.served;
      left -= again;
      if (isNoise) now.waited += again;
      if (repeats > 5 || left <= 0) {
        seen.failed++;
        return;
      }
    }
  };
  const caller = async () => {
    while (now.begun < calls) {
      now.begun++;
      await call();
      now.done++;
    }
  };
  for (let i = 0; i < callers; i++) void caller();
  await time.until(() => now.done === calls);

  const ideal = latency + (knowing(world) - latency) / (1 - noise) + now.waited / callers;
  return { requests: now.requests / calls, time: time.now() / ideal, ideal, ...seen };
}
