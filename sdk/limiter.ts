/**
 * The gate that all requests of one address and key pass, whichever client or sub account they come from. It keeps to the
 * caller's limits (requests in flight, requests begun per second) and finds the service's own by the refusals (429, 503):
 * fewer at once and a slower pace after a refusal, a little more after a run of good answers. While the service asks to
 * wait, nobody asks again: waiting calls pass one after the other when it is over, so there is no storm.
 */

/** Time, replaceable so that a simulation can turn it. */
export interface Clock {
  /** Milliseconds, never going back. */
  now(): number;
  /** Calls back after so many milliseconds; the result cancels. */
  after(ms: number, callback: () => void): () => void;
}

const realClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** What the caller allows. */
export interface Limits {
  /** Most requests in flight at once. Counted for the address, over all keys. */
  maxConcurrency: number;
  /** Most requests begun per second with this key. */
  requestsPerSecond?: number | undefined;
}

/** How a request that had passed the gate ended: answered; refused for being too many; anything else. */
export type Outcome = "answered" | "refused" | "failed";

interface Waiter {
  limits: Limits;
  pass: () => void;
}

/** Requests in flight to one address, over all keys, and the gates that have calls waiting. */
class Address {
  inFlight = 0;
  readonly busy = new Set<Gate>();

  /** Lets calls through, gate by gate in turn, so that one sub account cannot keep the others waiting. */
  pump(): void {
    for (let idle = 0; this.busy.size > 0 && idle < this.busy.size; ) {
      const [gate] = this.busy as unknown as [Gate];
      this.busy.delete(gate);
      const passed = gate.passOne();
      if (gate.waiting > 0) this.busy.add(gate);
      idle = passed ? 0 : idle + 1;
    }
  }
}

/** Answers in a row without a refusal after which one more request is tried at once. */
const probeAfter = 20;
/** Milliseconds of the first wait after a refusal that names none; doubled while nothing succeeds in between. */
const firstPause = 50;
const longestPause = 5_000;

/** The gate of one address and key. */
export class Gate {
  /** Requests in flight with this key. */
  inFlight = 0;
  /** Refusals since the last good answer, counted once per round of requests: 0 when all is well. */
  refusals = 0;
  readonly #first = new Set<Waiter>();
  readonly #later = new Set<Waiter>();
  /** What the service seems to bear at once. */
  #window = Number.POSITIVE_INFINITY;
  #goodRun = 0;
  #pausedUntil = 0;
  /** Requests that began before this time tell nothing new about the present window. */
  #adjustedAt = Number.NEGATIVE_INFINITY;
  /** When the last requests began: as many as may begin in one period. */
  #begun: number[] = [];
  #wake: (() => void) | undefined;

  constructor(
    readonly address = new Address(),
    readonly clock: Clock = realClock,
  ) {}

  get waiting(): number {
    return this.#first.size + this.#later.size;
  }

  /**
   * Waits for a turn. Nothing is returned when the turn is now. A call that was refused comes `again` and goes first.
   * When the signal ends the wait, the promise rejects with its reason and no turn was taken.
   */
  enter(limits: Limits, again: boolean, signal?: AbortSignal): Promise<void> | undefined {
    if (this.waiting === 0 && this.#admit(limits) === 0) {
      this.#begin(limits);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const queue = again ? this.#first : this.#later;
      const onAbort = () => {
        queue.delete(waiter);
        reject(signal!.reason);
      };
      const waiter: Waiter = {
        limits,
        pass: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", onAbort);
      queue.add(waiter);
      this.address.busy.add(this);
      this.address.pump();
    });
  }

  /** Gives the turn back. `began` is when the request began; `retryAfter` the milliseconds that the service asked to wait. */
  leave(outcome: Outcome, began: number, retryAfter?: number): void {
    this.inFlight--;
    this.address.inFlight--;
    if (outcome === "refused") this.#slowDown(began, retryAfter);
    else if (outcome === "answered") this.#speedUp();
    this.address.pump();
  }

  /** Lets the next waiting call through if it may go. */
  passOne(): boolean {
    const queue = this.#first.size > 0 ? this.#first : this.#later;
    const [next] = queue as unknown as [Waiter | undefined];
    if (next === undefined) return false;
    const wait = this.#admit(next.limits);
    if (wait > 0) {
      if (wait !== Number.POSITIVE_INFINITY) {
        this.#wake?.();
        this.#wake = this.clock.after(wait, () => this.address.pump());
      }
      return false;
    }
    queue.delete(next);
    this.#begin(next.limits);
    next.pass();
    return true;
  }

  /** Milliseconds until a request may begin; infinite when it must wait for another to end. */
  #admit(limits: Limits): number {
    if (this.address.inFlight >= limits.maxConcurrency || this.inFlight >= Math.floor(this.#window)) {
      return Number.POSITIVE_INFINITY;
    }
    if (this.#pausedUntil === 0 && limits.requestsPerSecond === undefined) return 0;
    const now = this.clock.now();
    return Math.max(0, this.#pausedUntil - now, this.#spacing(limits.requestsPerSecond, now));
  }

  /** Milliseconds until another request may begin under so many per second. */
  #spacing(perSecond: number | undefined, now: number): number {
    if (perSecond === undefined) return 0;
    const count = Math.max(1, Math.floor(perSecond));
    const oldest = this.#begun.at(-count);
    return oldest === undefined ? 0 : oldest + (count / perSecond) * 1000 - now;
  }

  #begin(limits: Limits): void {
    this.inFlight++;
    this.address.inFlight++;
    if (limits.requestsPerSecond !== undefined) {
      const count = Math.max(1, Math.floor(limits.requestsPerSecond));
      this.#begun.push(this.clock.now());
      if (this.#begun.length > count * 2) this.#begun.splice(0, this.#begun.length - count);
    }
  }

  #slowDown(began: number, retryAfter: number | undefined): void {
    const now = this.clock.now();
    if (retryAfter !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, now + retryAfter);
    // One round of requests that were begun together and are refused together counts once.
    if (began < this.#adjustedAt) return;
    this.#adjustedAt = now;
    this.#goodRun = 0;
    this.#window = Math.max(1, Math.floor(Math.min(this.#window, this.inFlight + 1) * 0.7));
    if (retryAfter === undefined) {
      const pause = Math.min(longestPause, firstPause * 2 ** this.refusals) * (0.5 + Math.random());
      this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    }
    this.refusals++;
  }

  #speedUp(): void {
    this.refusals = 0;
    if (this.#window === Number.POSITIVE_INFINITY) return;
    if (++this.#goodRun >= probeAfter) {
      this.#goodRun = 0;
      this.#window++;
    }
  }
}

const addresses = new Map<string, Address>();
const gates = new Map<string, Gate>();

/** The gate of an address and key in this process. */
export function gateOf(origin: string, key: string): Gate {
  const address = addresses.get(origin) ?? new Address();
  addresses.set(origin, address);
  const name = `${origin} ${key}`;
  const gate = gates.get(name) ?? new Gate(address);
  gates.set(name, gate);
  return gate;
}
