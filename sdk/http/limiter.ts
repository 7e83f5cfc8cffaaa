/**
 * The gate that all requests of one address and key pass, whichever client or sub account they come from. It keeps to the
 * caller's limits (requests in flight, requests begun per second) and finds the service's own by its refusals (429, 503 with
 * Retry-After): how many at once (`at-once.ts`), how many per second (`pace.ts`), how many connections (`address.ts`). While
 * the service refuses, one request at a time tries whether it serves again (`pause.ts`), so there is no storm.
 */
import { Address, type Outcome } from "./address";
import { AtOnce } from "./at-once";
import { Answers, Pace, second } from "./pace";
import { Pause } from "./pause";
import { Rhythm } from "./rhythm";

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
    // A longer wait than timers know begins anew.
    const timer = setTimeout(callback, Math.min(ms, 0x7fffffff));
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

interface Waiter {
  limits: Limits;
  /** Time before which it must not go, because the service asked it to wait. */
  notBefore: number;
  pass: () => void;
}

/**
 * The share of refusals that is borne without slowing down: single ones come for reasons of their own. More while no limit is
 * known, since a limit that is hit without knowing it refuses many.
 */
const bearableShare = 0.2;
const mostBearable = 0.5;
const bearableShareAtPace = 0.07;
/** Answers that count for that share: the last so many, to begin with and after slowing down as if there had been a few good ones. */
const memory = 30;
const goodBefore = 4;
const goodAfter = 5;
/** A limit begins to refuse all at once: so many in one round say so, if they are the first of all and so many good answers came before. */
const sudden = { refusals: 2, good: 3 };
/** Good answers in a row after which a single refusal does not count. */
const isolated = 6;
/** Milliseconds between tries where one a second is served; fewer where more are. */
const rareGap = 2_000;
/** Milliseconds that a request may catch up when the one before was late. */
const catchUp = 10;

/** The gate of one address and key. */
export class Gate {
  /** Requests in flight with this key. */
  inFlight = 0;
  /** Requests that were served so far. */
  served = 0;
  readonly #again = new Set<Waiter>();
  readonly #new = new Set<Waiter>();
  #wake: (() => void) | undefined;
  /** When the last requests began, for the caller's own limit per second. */
  #begun: number[] = [];
  /** The most that the caller allows in flight. */
  #cap = 1;

  readonly #answers = new Answers();
  readonly #atOnce = new AtOnce();
  readonly #rhythm = new Rhythm();
  /** Unknown until the service is seen to refuse. */
  #pace: Pace | undefined;
  /** When the next request may begin at that pace, and when the last one began. */
  #nextAt = 0;
  #lastAt = 0;

  #pause: Pause | undefined;
  /** Share of refusals among the last answers, and how many those are. */
  #share = 0;
  #counted = goodBefore;
  /** Good answers since the last refusal, and whether that was a single one. */
  #goodSince = 0;
  #isSingle = false;
  /** Requests that were in flight together are one round, however many of them are refused: those that began before this. */
  #roundEnded = Number.NEGATIVE_INFINITY;
  /** Refusals in the present round, and whether they are the first of all: after good answers only, or soon after such a round. */
  #inRound = 0;
  #isSudden = false;
  /** What the present round has led to. */
  #slowed = false;
  #fewer = false;
  /** The share that is borne while no limit is known. */
  #bearable = bearableShare;

  constructor(
    readonly address = new Address(),
    readonly clock: Clock = realClock,
    readonly random: () => number = Math.random,
  ) {}

  get waiting(): number {
    return this.#again.size + this.#new.size;
  }

  /**
   * Waits for a turn. Nothing is returned when the turn is now. A call that was refused comes `again`, with the milliseconds
   * that it has to wait at least. When the signal ends the wait, the promise rejects with its reason and no turn was taken.
   */
  enter(limits: Limits, again?: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.waiting === 0 && !again && this.#wait(limits) <= 0) {
      this.#begin(limits);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const queue = again === undefined ? this.#new : this.#again;
      const onAbort = () => {
        queue.delete(waiter);
        reject(signal!.reason);
        // Its timer keeps no process alive.
        this.address.pump();
      };
      const waiter: Waiter = {
        limits,
        // Not all after the same time, and not in step with a service that counts by the second.
        notBefore: again ? this.clock.now() + again * (1 + this.random() / 10) : 0,
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
    if (outcome === "refused") this.#refused(began, retryAfter);
    else if (outcome === "answered") this.#served(began);
    else {
      this.#count(0);
      if (this.#pause?.isTry(began)) this.#pause.trying = false;
    }
    this.address.pump();
  }

  /** Lets the next waiting call through if it may go. */
  passOne(): boolean {
    const now = this.#again.size > 0 ? this.clock.now() : 0;
    let soonest = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues()) {
      for (const next of queue) {
        // One that has to wait by itself lets others by.
        if (next.notBefore > now) {
          soonest = Math.min(soonest, next.notBefore - now);
          continue;
        }
        const wait = this.#wait(next.limits);
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

  /** A call that was refused has its turn soon, but not always the next one: each is repeated a few times only. */
  #queues(): Set<Waiter>[] {
    const again = this.#pause === undefined && this.random() < 0.5;
    return again ? [this.#again, this.#new] : [this.#new, this.#again];
  }

  #wakeIn(ms: number): void {
    this.#wake?.();
    this.#wake = ms === Number.POSITIVE_INFINITY ? undefined : this.clock.after(ms, () => this.address.pump());
  }

  /** Milliseconds until a request may begin; infinite when it must wait for another to end. */
  #wait(limits: Limits): number {
    const { inFlight, connections } = this.address;
    if (inFlight >= limits.maxConcurrency || inFlight >= connections) return Number.POSITIVE_INFINITY;
    const pause = this.#pause;
    const isFull = pause === undefined && this.inFlight >= this.#atOnce.value;
    if (isFull && this.#atOnce.patience === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    if (pause === undefined && !isFull && this.#pace === undefined && limits.requestsPerSecond === undefined) return 0;
    const now = this.clock.now();
    let wait = this.#pace?.byTheSecond ? this.#room(this.#pace, now) : this.#nextAt - now;
    if (pause !== undefined) wait = pause.wait(now);
    else if (isFull) wait = Math.max(wait, this.#lastAt + this.#atOnce.patience - now);
    return Math.max(0, wait, this.#spacing(limits.requestsPerSecond, now));
  }

  #room(pace: Pace, now: number): number {
    return this.#answers.room(Math.max(1, Math.floor(pace.rate)), this.inFlight, now);
  }

  /** Milliseconds until another request may begin under so many per second. */
  #spacing(perSecond: number | undefined, now: number): number {
    if (perSecond === undefined) return 0;
    const count = Math.max(1, Math.floor(perSecond));
    const oldest = this.#begun.at(-count);
    return oldest === undefined ? 0 : oldest + (count / perSecond) * 1000 - now;
  }

  #begin({ maxConcurrency, requestsPerSecond }: Limits): void {
    this.inFlight++;
    this.address.inFlight++;
    this.#cap = maxConcurrency;
    const now = this.clock.now();
    if (requestsPerSecond !== undefined) {
      const count = Math.max(1, Math.floor(requestsPerSecond));
      this.#begun.push(now);
      if (this.#begun.length > count * 2) this.#begun.splice(0, this.#begun.length - count);
    }
    if (this.#pause !== undefined) {
      if (now < this.#pause.until) this.#pause.trying = true;
      else this.#timeIsUp(this.#pause, now);
    }
    if (this.#pace !== undefined) this.#nextAt = Math.max(this.#nextAt, now - catchUp) + this.#pace.spacing;
    this.#lastAt = now;
    if (this.#pause === undefined) this.#atOnce.atLeast(this.inFlight);
  }

  /** The time that the service named is over, and nothing was served before. */
  #timeIsUp(pause: Pause, now: number): void {
    this.#answers.resumed = now;
    this.#nextAt = now;
    if (this.#pace?.isGuess && pause.findsOut(now)) pause.tryOn();
    else this.#endPause(pause, now);
  }

  /** The request that began at `began` shows that the service serves again. */
  #endPause(pause: Pause, began: number): void {
    this.#pause = undefined;
    const pace = this.#pace;
    if (pace?.isGuess) {
      if (pause.byTheSecond) pace.count(Math.max(1, this.#servedBefore(pause)), this.clock.now());
      else pace.begin(began - pause.since);
      this.#atOnce.doubt();
    } else if (pace?.byTheSecond) {
      const served = this.#servedBefore(pause);
      if (served > 0) pace.measured(served);
      // Who has nothing to count has other reasons to refuse.
      if (served <= 0 || pace.isInVain) this.#forget();
    }
  }

  /** Requests that were served in the second before the service refused. */
  #servedBefore({ since, inRow }: Pause): number {
    // The last of a row is counted later.
    return this.#answers.after(since - second) - Math.max(0, inRow - 1);
  }

  #served(began: number): void {
    const now = this.clock.now();
    this.served++;
    this.#count(0);
    // Single refusals among good answers have reasons of their own.
    if (++this.#goodSince === isolated && this.#isSingle && this.#pace === undefined)
      this.#share = Math.max(0, this.#share - 1 / this.#counted);
    if (this.#pause !== undefined && began > this.#pause.began) this.#servesAgain(this.#pause, now);
    this.#answers.add(now);
    this.#pace?.served(began, now, this.inFlight, this.#answers);
    this.#atOnce.served(this.#cap);
  }

  /** One that began later than those that were refused was served. The rest need not wait for what they were told. */
  #servesAgain(pause: Pause, now: number): void {
    const began = this.#lastAt;
    if (pause.trying) {
      if (this.#pace?.isGuess && pause.findsOut(began) && pause.served(began, now)) return;
    } else {
      // It was in flight with them: too many at once, or a single refusal, but not too many per second, unless few were in flight.
      if (this.#pace?.isGuess && this.#fewer) this.#pace = undefined;
      this.#isSingle = pause.refusals === 1;
    }
    this.#endPause(pause, began);
    if (this.#pace !== undefined) this.#nextAt = began + this.#pace.spacing;
  }

  #refused(began: number, retryAfter: number | undefined): void {
    const now = this.clock.now();
    this.#count(1);
    this.#isSingle = false;
    this.#atOnce.refused();
    if (began >= this.#roundEnded) {
      const isFirst = this.#roundEnded === Number.NEGATIVE_INFINITY;
      this.#isSudden = isFirst ? this.#goodSince >= sudden.good : this.#isSudden && this.#goodSince < isolated;
      this.#inRound = 0;
      this.#roundEnded = now;
      if (this.#pace === undefined) this.#rhythm.refused(now, this.served);
      this.#fewer = false;
      // What was a trial only is over.
      this.#slowed = this.#pace?.stepBack(now) ?? false;
    }
    this.#inRound++;
    this.#goodSince = 0;
    const pause = this.#pause;
    if (pause?.isTry(began)) this.#triedInVain(pause, began, now);
    else {
      const isSought = this.#pace !== undefined && !this.#pace.isGuess && !this.#pace.isHeld;
      if (!this.#slowed && (isSought || this.#isTooMuch)) this.#slowDown(now);
      if (this.#fewer) this.#atOnce.oneLess();
      if (pause !== undefined) pause.began = Math.max(pause.began, began);
    }
    if (pause === undefined) this.#pause = this.#newPause(now, began, retryAfter);
    else pause.refused(now, retryAfter);
  }

  #newPause(now: number, began: number, retryAfter: number | undefined): Pause {
    const pace = this.#pace?.isGuess ? undefined : this.#pace;
    const served = Math.max(1, this.#answers.after(now - second));
    const room = pace?.byTheSecond ? this.#answers.room(served, 0, now) : undefined;
    return new Pause(now, began, retryAfter, pace?.spacing, room);
  }

  #triedInVain(pause: Pause, began: number, now: number): void {
    pause.triedInVain(began, now, rareGap / (this.#pace?.burst ?? 1), this.random);
    if (this.#pace === undefined) {
      // Few were refused, but the service means it.
      if (pause.vain > 1) this.#pace = new Pace(this.#answers.perSecond(now, 0), now);
    } else if (this.#pace.isHeld && this.#pace.reducedAt < pause.since) {
      // Two refusals in a row at a pace that was thought to be known.
      this.#reduce(this.#pace, now);
    }
  }

  get #isTooMuch(): boolean {
    if (this.#pace !== undefined) return this.#share > bearableShareAtPace;
    const isSudden = this.#isSudden && this.#inRound >= sudden.refusals;
    return isSudden || this.#share > this.#bearable || this.#rhythm.isRegular;
  }

  #slowDown(now: number): void {
    this.#slowed = true;
    const inFlight = this.inFlight + 1;
    // Were it too many at once, there would be no room left.
    if (!this.#pace?.byTheSecond && inFlight > 1 && inFlight >= Math.min(this.#atOnce.value, this.#cap)) {
      this.#atOnce.limit(inFlight);
      this.#fewer = true;
    } else this.#atOnce.restore();
    if (this.#pace === undefined) {
      this.#rhythm.end();
      this.#pace = new Pace(this.#answers.perSecond(now, 0), now);
    }
    this.#reduce(this.#pace, now);
  }

  #reduce(pace: Pace, now: number): void {
    if (!pace.isGuess) {
      this.#share = 0;
      this.#counted = goodAfter;
    }
    pace.reduce(now, this.#answers);
    if (pace.isInVain) this.#forget();
    else if (pace.isHeld && this.#rhythm.compare(pace.rate)) this.#pace = undefined;
    else this.#nextAt = now + pace.spacing;
  }

  /** Going slower was in vain. The next time more is borne before it is tried again. */
  #forget(): void {
    this.#pace = undefined;
    this.#bearable = Math.min(mostBearable, this.#bearable * 1.5);
  }

  #count(refusal: 0 | 1): void {
    this.#counted = Math.min(memory, this.#counted + 1);
    this.#share += (refusal - this.#share) / this.#counted;
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
