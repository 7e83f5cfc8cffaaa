/**
 * What happens from a refusal on: when a single request may try whether the service serves again, and what its answers say.
 * A pause ends when a request that began later is served, or at the time that the service named.
 */

/** Milliseconds to the first try when no pace is known: without and with a Retry-After. */
const firstGap = 50;
const firstGapTold = 100;
/** Milliseconds: a shorter Retry-After ("0") says that the service refuses, not until when. */
const leastTold = 10;
/** Milliseconds between tries to which the gap grows, and what it may be where little is served. */
const commonGap = 400;
const longestGap = 5_000;
/** Retry-After has whole seconds: the last of them is rounding. */
const rounding = 1000;
/** Milliseconds within which a service serves again that does not count by the second. */
export const soon = 150;
/** Tries in a row after which it is not found out any more what the service counts by, and how many milliseconds they may take if they are more. */
const mostInRow = 5;
const longestRow = 200;

export class Pause {
  /** When the service said that it would serve again. Never, when it said nothing. */
  until: number;
  /** When a request tries whether it serves already, and whether one does. */
  tryAt: number;
  trying = false;
  /** Requests that were refused, and tries in vain among them. */
  refusals = 1;
  vain = 0;
  /** Whether the service counts by the second; undefined while that is not known. */
  byTheSecond: boolean | undefined;
  /** Tries that were served one right after the other. */
  inRow = 0;
  /** When the first of them began. */
  #rowBegan = 0;
  /** Milliseconds from the last to the next try. */
  #gap: number;
  /** Until when the service is known to have refused. */
  #refusedUntil: number;

  /**
   * `since`: now, when a request was refused that had begun at `began`. `retryAfter`: the milliseconds that the service asked for.
   * `spacing`: those from one request to the next at a known pace. `room`: those until a service has room that is known to count by
   * the second.
   */
  constructor(
    readonly since: number,
    public began: number,
    retryAfter: number | undefined,
    spacing: number | undefined,
    room: number | undefined,
  ) {
    const told = retryAfter !== undefined && retryAfter >= leastTold;
    this.#gap = spacing ?? (told ? firstGapTold : firstGap);
    this.until = told ? since + retryAfter : Number.POSITIVE_INFINITY;
    const isRounded = told && retryAfter % 1000 === 0;
    this.#refusedUntil = told ? Math.max(since, this.until - (isRounded ? rounding : 0)) : since;
    // No try is made before that, unless it is known better.
    this.tryAt = Math.max(since + this.#gap, room === undefined ? this.#refusedUntil : since + room);
  }

  /** Milliseconds until a request may begin, as a try or because the time is up. */
  wait(now: number): number {
    return (this.trying ? this.until : Math.min(this.until, this.tryAt)) - now;
  }

  /** Whether a request that began then is the one that tries. */
  isTry(began: number): boolean {
    return this.trying && began > this.began;
  }

  /** One more was refused. It names a later time, but the first was as good, unless it is more than rounding. */
  refused(now: number, retryAfter: number | undefined): void {
    this.refusals++;
    if (retryAfter === undefined) return;
    const until = now + retryAfter;
    if (this.until === Number.POSITIVE_INFINITY || until - this.until >= rounding) this.until = until;
  }

  /** The try that began then was refused. `most`: the gap that is not too long for what the service serves. */
  triedInVain(began: number, now: number, most: number, random: () => number): void {
    this.trying = false;
    this.#gap = Math.min(longestGap, this.#gap * 2, Math.max(commonGap, most));
    this.tryAt = now + this.#gap * (0.75 + random() / 2);
    this.vain++;
    this.#refusedUntil = began;
    if (this.inRow > 0) this.byTheSecond = false;
  }

  /** The time is up, but the request that goes now is only the first of a row. */
  tryOn(): void {
    this.trying = true;
    this.until = Number.POSITIVE_INFINITY;
  }

  /** Whether it may turn out that the service counts by the second: it took long to serve again. */
  findsOut(at: number): boolean {
    return this.byTheSecond === undefined && at - this.since >= soon;
  }

  /** The try that began then was served. Whether another has to follow. */
  served(began: number, now: number): boolean {
    if (++this.inRow === 1) this.#rowBegan = began;
    // So many a bucket can have gathered since it refused a try, having gathered less than one until then.
    const gathered = (began - this.#refusedUntil) / Math.max(1, this.#refusedUntil - this.since);
    if (this.inRow > 1 + gathered) this.byTheSecond = true;
    else if (this.inRow >= mostInRow && now - this.#rowBegan >= longestRow) this.byTheSecond = false;
    else {
      this.trying = false;
      this.tryAt = now;
    }
    return this.byTheSecond === undefined;
  }
}
