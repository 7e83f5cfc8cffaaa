/**
 * Whether a service refuses in a rhythm: after about as many good answers each time. Then a limit is behind it, even if few
 * requests are refused, as when a single caller waits each time as told. Refusals for no reason have none.
 */

/** Runs of good answers that make a rhythm, and how many times as many after that has led to nothing. */
const enough = 5;
const patience = 4;
/** How much longer than the shortest of them the longest may be. */
const alike = 1.25;
/** How much faster than before it has to go at a pace. */
const worthwhile = 1.3;

export class Rhythm {
  /** When the last refusals came, and after how many good answers in all. */
  #refusals: { at: number; served: number }[] = [];
  #enough = enough;
  /** Good answers per second in the rhythm that has led to a pace. */
  #before: number | undefined;

  refused(at: number, served: number): void {
    this.#refusals.push({ at, served });
    this.#refusals.splice(0, this.#refusals.length - this.#enough - 1);
  }

  get isRegular(): boolean {
    const refusals = this.#refusals;
    if (refusals.length <= this.#enough) return false;
    const runs = refusals.slice(1).map(({ served }, i) => served - refusals[i]!.served);
    return Math.max(...runs) <= Math.min(...runs) * alike + 1;
  }

  /** From now on requests go at a pace. */
  end(): void {
    const [first, last] = [this.#refusals[0], this.#refusals.at(-1)];
    this.#before = this.isRegular ? ((last!.served - first!.served) * 1000) / (last!.at - first!.at) : undefined;
    this.#refusals = [];
  }

  /** That pace is known now. Answers whether it is hardly more than what was served in the rhythm: then the next one takes longer. */
  compare(perSecond: number): boolean {
    const isNoWorse = this.#before !== undefined && perSecond < this.#before * worthwhile;
    if (isNoWorse) this.#enough *= patience;
    this.#before = undefined;
    return isNoWorse;
  }
}
