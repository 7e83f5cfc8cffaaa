/** How many requests at once a service bears, learnt from its refusals: fewer when they are too many, a little more after a good run. */

/** Requests at once to begin with, and what each good answer adds until the first refusal. */
const first = 2;
const opening = 1 / 8;
/** Milliseconds without an answer after which one more begins, until the first refusal: a slow service is not found out slowly. */
const patience = 60;
/** Good answers after which one more is tried. Doubled each time that fails at the same number, so that trials stay rare. */
export const firstRun = 10;
export const longestRun = 80;

export class AtOnce {
  #value = first;
  #opening = true;
  /** Good answers in a row, and how many it takes to try one more. */
  #good = 0;
  #run = firstRun;
  /** What was too many the last time. */
  #ceiling = 0;
  /** The most before it was made less. */
  #before = 0;

  get value(): number {
    return Math.floor(this.#value);
  }

  /** Milliseconds since the last request began after which one more than {@link value} may begin. */
  get patience(): number {
    return this.#opening ? patience : Number.POSITIVE_INFINITY;
  }

  /** So many are in flight, and none was refused. */
  atLeast(inFlight: number): void {
    if (this.#opening) this.#value = Math.max(this.#value, inFlight);
  }

  /** One was served; `cap` is what the caller allows. */
  served(cap: number): void {
    if (this.#value >= cap) return;
    if (this.#opening) this.#value = Math.min(cap, this.#value + opening);
    else if (++this.#good >= this.#run) {
      this.#good = 0;
      this.#value = Math.min(cap, this.#value + 1);
    }
  }

  /** One was refused while so many were in flight, itself among them; `others` of its kind follow by {@link oneLess}. */
  limit(inFlight: number): void {
    const ceiling = Math.min(this.#value, inFlight);
    this.#run = ceiling === this.#ceiling ? Math.min(this.#run * 2, longestRun) : firstRun;
    this.#before = Math.max(this.#before, this.#value);
    this.#ceiling = ceiling;
    this.#value = ceiling;
    this.#opening = false;
  }

  /** What was refused is what was too much; but not more than half at a time, since a limit per second refuses all. */
  oneLess(): void {
    this.#value = Math.max(1, this.#ceiling / 2, this.#value - 1);
  }

  /** A run of good answers is over. */
  refused(): void {
    this.#opening = false;
    this.#good = 0;
  }

  /** It was not the number at once: as many as before. */
  restore(): void {
    this.#value = Math.max(this.#value, this.#before);
  }

  /** It may not be the number at once: one more with each good answer. */
  doubt(): void {
    this.#run = 1;
  }
}
