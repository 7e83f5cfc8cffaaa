/**
 * How many requests per second a service bears, learnt from its refusals.
 *
 * A service that counts by the second (fixed or sliding) bears that many in each. One with a bucket bears a burst, and then
 * as many as flow back, which may be far more or far fewer than the burst. Which it is shows when a request is sent soon
 * after the first refusal: so soon served, it is a bucket (or a limit on requests at once), and the pace is sought in large
 * steps; otherwise what was served in a second is near the limit, and small steps do. Requests go out evenly spaced. That
 * suits all kinds, since a pace a little too high then costs a refusal now and then, and no time. Only where the service serves
 * two in a row after it refused for a while, it counts by the second, and a second's worth goes out as soon as there is room.
 */
import { firstRun, longestRun } from "./at-once";
import { soon } from "./pause";

/** When the last good answers came. */
export class Answers {
  readonly #times: number[] = [];
  /** When requests began again after a pause in which nothing was tried. */
  resumed = Number.NEGATIVE_INFINITY;

  add(now: number): void {
    this.#times.push(now);
    if (this.#times.length > 2000) this.#times.splice(0, 1000);
  }

  /** Milliseconds until there is room for one more, if the service bears `most` in any second and so many are in flight. */
  room(most: number, inFlight: number, now: number): number {
    if (inFlight >= most) return Number.POSITIVE_INFINITY;
    return (this.#times.at(inFlight - most) ?? Number.NEGATIVE_INFINITY) + second - now;
  }

  /** Those that came after that time. */
  after(time: number): number {
    let count = 0;
    while (count < this.#times.length && this.#times[this.#times.length - 1 - count]! > time) count++;
    return count;
  }

  /** Milliseconds since the last `count` answers began to come. */
  since(count: number, now: number): number {
    return Math.max(1, now - (this.#times.at(-count) ?? now));
  }

  /** Answers per second: of the last second, or of the last five when fewer came. `burst` is left out after a pause, which it fills. */
  perSecond(now: number, burst: number): number {
    const times = this.#times;
    const count = this.after(now - second);
    const few = Math.min(5, times.length);
    if (count < few) return (few * 1000) / Math.max(1000, this.since(few, now));
    const active = now - this.resumed;
    const flow = active > 100 && active < 1000 ? ((count - burst) * 1000) / active : 0;
    return Math.max(1, count, flow);
  }
}

/** Requests per second below which no first guess goes, and from which a pace that is sought begins. */
const leastGuess = 2;
const leastSought = 10;
/** Growth while the pace is sought: within so many answers at least, so many times. */
const seekGrowth = 2;
const creepGrowth = 1.25;
const creepMost = 1.5;
const leastAnswers = 3;
/** Milliseconds in which a service counts that counts by the second, and in which the effect of a change shows. */
export const second = 1000;
/** Growth after a good run; doubled while it goes well. */
const firstStep = 0.05;
const longestStep = 0.2;
/** Milliseconds after which it is tried although a long run is not over, which takes its time where few are served. */
const longestRest = 4_000;
/** What is kept of the pace at which there were too many refusals. */
const kept = 0.85;
/** What is kept of the number that was seen to be served. */
const keptOfSeen = 0.97;
/** What counts by the second and serves less than this share of what it seemed to bear is a bucket. */
const leastShare = 1 / 3;
/** Refusals since the pace was lowered, each on its own, after which it is far too high: what was served between them is the limit. */
const farTooHigh = 3;
/** Good answers for each of those; where there are more, refusals may have other reasons. */
const fewEach = 2;
/** How many times as high the best pace is taken to be then. */
const doubtful = 1.6;
/** How much lower what was served in a second may be at once. */
const lowest = 0.45;
/** The share of the best pace down to which slowing down may go. */
const helpful = 0.5;
/** Times that a known pace is lowered until it shows that this does not help, whatever it rose to in between. */
const enoughReductions = 4;

export class Pace {
  /** Requests per second. */
  rate: number;
  /**
   * - `guess`: the service has not served again yet.
   * - `seek`: sought in large steps, in which a bucket is emptied.
   * - `creep`: sought in small ones.
   * - `hold`: known. A bit more is tried after a run of good answers.
   */
  #stage: "guess" | "seek" | "creep" | "hold" = "guess";
  /** The pace that is known to go well. */
  #good: number;
  #step = firstStep;
  #answers = 0;
  #grown = 0;
  #run = firstRun;
  /** When it began to be sought. */
  readonly #begun: number;
  /** Since there were last too many refusals: when that was, what was served, how often it was refused again, and the first time. */
  #since: number;
  #served = 0;
  #refusals = 0;
  #firstRefusal = { at: 0, served: 0 };
  /** Whether a bucket has been emptied: it is not sought again, and what is served between two refusals has flowed back meanwhile. */
  #isBucket = false;
  /** How often it was lowered since it was known. */
  #reductions = 0;
  /** The most that ever went well. */
  #best = 0;
  /** Whether the service is known to count by the second: it bears {@link rate} of them in each, however close together. */
  byTheSecond = false;

  /** `burst`: what was served in the second before the first refusal. */
  constructor(
    readonly burst: number,
    now: number,
  ) {
    this.rate = this.#good = Math.max(leastGuess, burst);
    this.#since = this.#begun = now;
  }

  get isGuess(): boolean {
    return this.#stage === "guess";
  }

  /** Whether going slower has not helped: refusals that come whatever the pace is have other reasons, or the limit is a new one. */
  get isInVain(): boolean {
    return this.#stage === "hold" && (this.rate < this.#best * helpful || this.#reductions >= enoughReductions);
  }

  get isHeld(): boolean {
    return this.#stage === "hold";
  }

  /** Milliseconds from one request to the next. */
  get spacing(): number {
    return 1000 / this.rate;
  }

  /** The service serves again, so many milliseconds after it refused. */
  begin(after: number): void {
    this.#stage = after < soon ? "seek" : "creep";
    if (this.#stage === "seek") this.rate = Math.max(this.rate, leastSought);
  }

  /** The service counts by the second, and served so many in the one in which it began to refuse. */
  count(served: number, now: number): void {
    this.byTheSecond = true;
    this.#grown = now;
    this.#stage = "hold";
    this.rate = this.#good = served;
  }

  /** So many were served in the second in which the service began to refuse. */
  measured(count: number): void {
    if (count >= this.rate) return;
    this.#best = Math.max(this.#best, this.#good);
    this.rate = this.#good = Math.max(1, count, this.rate * lowest);
    this.#answers = 0;
  }

  /** A request that began at `began` was served. */
  served(began: number, now: number, inFlight: number, answers: Answers): void {
    this.#served++;
    // What is not used up is not learnt from.
    if (began < this.#since || this.rate >= 4 * Math.max(5, answers.perSecond(now, this.burst))) return;
    const least = Math.max(leastAnswers, inFlight);
    if (this.#stage === "seek") this.rate *= seekGrowth ** (1 / least);
    else if (this.#stage === "creep") {
      this.rate *= creepGrowth ** (1 / Math.max(least, Math.min(this.burst, this.rate)));
      // Far above what a second seemed to have room for: it is a bucket after all.
      if (!this.#isBucket && this.rate > this.#good * creepMost) this.#stage = "seek";
    } else if (++this.#answers >= firstRun && now - this.#grown >= (this.#answers >= this.#run ? second : longestRest))
      this.#grow(now);
  }

  #grow(now: number): void {
    this.#answers = 0;
    this.#grown = now;
    if (this.rate > this.#good) {
      this.#good = this.rate;
      this.#run = firstRun;
      this.#step = Math.min(longestStep, this.#step * 2);
    } else this.#step = firstStep;
    this.rate *= 1 + this.#step;
  }

  /** A single refusal: if a bit more was being tried, it is too much, and tried again later. Whether it was. */
  stepBack(now: number): boolean {
    if (++this.#refusals === 1) this.#firstRefusal = { at: now, served: this.#served };
    if (this.#stage !== "hold" || this.rate === this.#good) return false;
    this.rate = this.#good;
    this.#answers = 0;
    this.#run = Math.min(longestRun, this.#run * 2);
    this.#step = firstStep;
    return true;
  }

  /** Too many refusals. */
  reduce(now: number, answers: Answers): void {
    // What is too much is measured.
    if (this.byTheSecond) return;
    if (this.#stage === "hold" && now - this.#since < second && !this.#isFarTooHigh) return;
    const seen = answers.perSecond(now, this.burst);
    // Surely borne is what was served since the last refusal, when a bucket was as empty as now; but so few say little.
    const few = this.#served < leastAnswers ? this.rate / creepMost : 1;
    const average = (1000 * this.#served) / Math.max(1, now - this.#since);
    const least = Math.max(few, average);
    if (this.#stage === "guess") {
      // Nothing is known yet that could be too high.
    } else if (this.#stage === "seek") {
      // The steps were large. Borne is also what was served lately beyond a burst.
      const lately = Math.min(2 * this.burst + 4, this.#served);
      const flow = (lately - 1 - this.burst) / answers.since(lately, now);
      this.rate = Math.min(this.rate / 1.1, Math.max(least, 1000 * flow, seen / 2));
      this.#stage = "creep";
      this.#isBucket = true;
    } else if (this.#stage === "creep" && !this.#isBucket && this.#served < this.#good * leastShare) {
      this.rate = Math.min(this.rate, Math.max(1, average));
      this.#isBucket = true;
    } else if (this.#stage === "creep") {
      // What a second saw in which a bucket was full at first is more than flows back in one.
      const borne = !this.#isBucket ? seen : now - this.#begun < second ? least : Math.max(least, seen);
      this.rate = Math.min(this.rate, borne) * keptOfSeen;
      this.#stage = "hold";
    } else {
      this.#reductions++;
      // What was served in a second says nothing when there was a pause in it.
      this.#best = Math.max(this.#best, this.#good);
      this.rate = Math.min(this.rate * kept, now - answers.resumed > second ? seen : this.rate);
      const between = (1000 * this.#servedBetween) / Math.max(1, now - this.#firstRefusal.at);
      if (this.#isFarTooHigh && between < this.rate) {
        this.rate = Math.max(1, between);
        // What went well before is no measure any more. But were this no limit either, that should show soon.
        this.#best = this.rate * doubtful;
      }
    }
    this.#good = this.rate;
    this.#answers = 0;
    this.#run = firstRun;
    this.#since = now;
    this.#served = this.#refusals = 0;
  }

  /** What was served since the first refusal. */
  get #servedBetween(): number {
    return this.#served - this.#firstRefusal.served;
  }

  /** Every second request is refused, or one of three. */
  get #isFarTooHigh(): boolean {
    const served = this.#servedBetween;
    return this.#refusals >= farTooHigh && served >= this.#refusals - 1 && served < this.#refusals * fewEach;
  }

  /** When there were last too many refusals. */
  get reducedAt(): number {
    return this.#since;
  }
}
