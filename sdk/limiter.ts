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

/**
 * How a request that had passed the gate ended: answered; refused for being too many; its connection refused or cut, before
 * that connection had ever worked or afterwards; anything else.
 */
export type Outcome = "answered" | "refused" | "cut-unproven" | "cut-proven" | "failed";

interface Waiter {
  limits: Limits;
  /** Time before which it must not go, because the service asked it to wait. */
  notBefore: number;
  pass: () => void;
}

/**
 * Requests in flight to one address, over all keys, and the gates that have calls waiting. As many connections are open as
 * requests are in flight, so here is also learnt how many connections the service bears.
 */
class Address {
  inFlight = 0;
  readonly busy = new Set<Gate>();
  /** Connections at once that the service seems to bear. */
  connections = Number.POSITIVE_INFINITY;
  /** Answers since that was learnt. */
  #answers = 0;

  /** Learns from a request that has just ended. */
  learn(outcome: Outcome): void {
    if (outcome === "cut-proven") {
      // A limit turns away the newcomer: what cuts those that work is a bad line.
      this.connections = Number.POSITIVE_INFINITY;
    } else if (outcome === "cut-unproven") {
      // This one was too many, the others are not; but when all are cut and nothing works, it is no limit.
      if (this.inFlight > 0) this.#limit(Math.min(this.connections, this.inFlight));
      else if (this.#answers === 0) this.connections = Number.POSITIVE_INFINITY;
    } else if (outcome === "answered" && ++this.#answers % connectionRun === 0) {
      this.connections++;
    }
  }

  #limit(connections: number): void {
    this.connections = connections;
    this.#answers = 0;
  }

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

/** Answers after which one more connection is tried: a long run, since a try that is cut is a lost answer. */
const connectionRun = 320;
/** The share of refusals that is borne without slowing down: single ones come for reasons of their own. */
const bearableShare = 0.1;
/** Weight of one answer in the share of refusals: about the last 40 answers count. */
const weight = 1 / 40;
/** Milliseconds over which answers are counted to learn the pace that the service bears. */
const paceWindow = 1000;
/** Requests at once to begin with. */
const firstWindow = 8;
/** Good answers after which one more request is tried at once, and how far that grows while the trials fail. */
const firstRun = 20;
const longestRun = 320;
/** What is kept of the pace that was seen when there are too many refusals. */
const paceKept = 0.95;
/** Milliseconds in which an unconfirmed pace doubles: a first guess is often far too low. */
const doubling = 150;
/** Growth, with each good answer, of a pace that two refusals in a row agree on. */
const probing = 0.005;
/** Milliseconds of the first pause after a refusal that names none; doubled while nothing succeeds in between. */
const firstPause = 50;
const longestPause = 5_000;

/** The gate of one address and key. */
export class Gate {
  /** Requests in flight with this key. */
  inFlight = 0;
  readonly #first = new Set<Waiter>();
  readonly #later = new Set<Waiter>();
  #wake: (() => void) | undefined;
  /** When the last requests began, for the caller's own limit per second. */
  #begun: number[] = [];

  /** Share of refusals among the last answers. */
  #share = 0;
  /** Rounds of refusals since the last good answer. */
  #refusedRounds = 0;
  /** Nothing begins before. */
  #pausedUntil = 0;
  /** When the refused request began that caused the pause. */
  #pauseBegan = 0;
  /** Requests that began before belong to the last round of refusals. */
  #roundEnded = Number.NEGATIVE_INFINITY;
  /** Requests at once that the service seems to bear. */
  #window = firstWindow;
  /** True until the first refusal: the window still opens fast. */
  #slowStart = true;
  /** The window at the last round of refusals. */
  #ceiling = 0;
  /** Good answers in a row, and how many it takes to try one more request at once. */
  #goodRun = 0;
  #probeAfter = firstRun;
  /** Requests per second that the service seemed to bear when it was last seen to refuse; unknown at first. */
  #pace: { base: number; since: number; confirmed: boolean } | undefined;
  /** When the next request may begin at that pace. */
  #nextAt = 0;
  /** When the last good answers came. */
  #answered: number[] = [];

  constructor(
    readonly address = new Address(),
    readonly clock: Clock = realClock,
  ) {}

  get waiting(): number {
    return this.#first.size + this.#later.size;
  }

  /**
   * Waits for a turn. Nothing is returned when the turn is now. A call that was refused comes `again`, with the milliseconds
   * that it has to wait, and goes first after them. When the signal ends the wait, the promise rejects with its reason and no turn was taken.
   */
  enter(limits: Limits, again?: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.waiting === 0 && !again && this.#admit(limits) <= 0) {
      this.#begin(limits);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const queue = again === undefined ? this.#later : this.#first;
      const onAbort = () => {
        queue.delete(waiter);
        reject(signal!.reason);
      };
      const waiter: Waiter = {
        limits,
        notBefore: again ? this.clock.now() + again : 0,
        pass: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
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
    this.address.learn(outcome);
    if (outcome === "refused") this.#slowDown(began, retryAfter);
    else if (outcome === "answered") this.#speedUp(began);
    this.address.pump();
  }

  /** Lets the next waiting call through if it may go. */
  passOne(): boolean {
    const now = this.#first.size > 0 ? this.clock.now() : 0;
    let soonest = Number.POSITIVE_INFINITY;
    for (const queue of [this.#first, this.#later]) {
      for (const next of queue) {
        // One that has to wait by itself lets others by.
        if (next.notBefore > now) {
          soonest = Math.min(soonest, next.notBefore - now);
          continue;
        }
        const wait = this.#admit(next.limits);
        if (wait > 0) {
          this.#wakeIn(Math.min(wait, soonest));
          return false;
        }
        queue.delete(next);
        this.#begin(next.limits);
        next.pass();
        return true;
      }
    }
    this.#wakeIn(soonest);
    return false;
  }

  #wakeIn(ms: number): void {
    this.#wake?.();
    this.#wake = ms === Number.POSITIVE_INFINITY ? undefined : this.clock.after(ms, () => this.address.pump());
  }

  /** Milliseconds until a request may begin; infinite when it must wait for another to end. */
  #admit(limits: Limits): number {
    const { inFlight, connections } = this.address;
    if (inFlight >= limits.maxConcurrency || inFlight >= connections || this.inFlight >= Math.floor(this.#window)) {
      return Number.POSITIVE_INFINITY;
    }
    if (this.#pausedUntil === 0 && this.#pace === undefined && limits.requestsPerSecond === undefined) return 0;
    const now = this.clock.now();
    return Math.max(0, this.#pausedUntil - now, this.#nextAt - now, this.#spacing(limits.requestsPerSecond, now));
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
    if (this.#pace !== undefined) {
      const now = this.clock.now();
      this.#nextAt = Math.max(this.#nextAt, now) + 1000 / this.#paceAt(now);
    }
  }

  #paceAt(now: number): number {
    const { base, since, confirmed } = this.#pace!;
    const elapsed = Math.max(0, now - since);
    return confirmed ? base : base * 2 ** Math.min(60, elapsed / doubling);
  }

  #slowDown(began: number, retryAfter: number | undefined): void {
    const now = this.clock.now();
    this.#share += weight * (1 - this.#share);
    if (retryAfter !== undefined) this.#pause(now, retryAfter, began);
    this.#slowStart = false;
    // Requests that were in flight together are one round, however many of them are refused.
    const newRound = began >= this.#roundEnded;
    if (newRound) {
      this.#roundEnded = now;
      this.#refusedRounds++;
      if (retryAfter === undefined && this.#refusedRounds > 1) {
        const pause = Math.min(longestPause, firstPause * 2 ** (this.#refusedRounds - 2));
        this.#pause(now, pause * (0.5 + Math.random()), began);
      }
    }
    if (this.#share <= bearableShare) return;
    if (newRound) {
      if (this.#window === 1 && (retryAfter ?? 0) < paceWindow) this.#learnPace(now);
      // The same window again: it is the service's limit, so trying more pays less often.
      const ceiling = Math.min(this.#window, this.inFlight + 1);
      this.#probeAfter = ceiling === this.#ceiling ? Math.min(this.#probeAfter * 2, longestRun) : firstRun;
      this.#ceiling = ceiling;
      this.#window = ceiling;
    }
    this.#goodRun = 0;
    // What was refused is what was too much.
    this.#window = Math.max(1, this.#window - 1);
  }

  #pause(now: number, ms: number, began: number): void {
    if (now + ms <= this.#pausedUntil) return;
    this.#pausedUntil = now + ms;
    this.#pauseBegan = began;
  }

  #learnPace(now: number): void {
    this.#forget(now);
    const seen = Math.max(1, this.#answered.length);
    const before = this.#pace;
    const confirmed = before !== undefined && Math.abs(seen - before.base) <= 0.3 * before.base;
    this.#pace = { base: seen * paceKept, since: Math.max(now, this.#pausedUntil), confirmed };
    this.#nextAt = Math.max(now, this.#pausedUntil);
  }

  #speedUp(began: number): void {
    this.#share -= weight * this.#share;
    this.#refusedRounds = 0;
    // A later request was served: the refusal was a single one, and the rest need not wait for what it was told.
    const now = this.clock.now();
    if (began > this.#pauseBegan) this.#pausedUntil = 0;
    this.#answered.push(now);
    if (this.#answered.length > 1000) this.#forget(now);
    if (this.#pace?.confirmed) this.#pace.base *= 1 + probing;
    if (this.#slowStart) this.#window += 0.5;
    else if (++this.#goodRun >= this.#probeAfter) {
      this.#goodRun = 0;
      this.#window++;
    }
  }

  #forget(now: number): void {
    const from = this.#answered.findIndex((at) => at > now - paceWindow);
    this.#answered.splice(0, from === -1 ? this.#answered.length : from);
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
