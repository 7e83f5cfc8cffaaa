/**
 * How long ago a date was, although the clock of the machine is set meanwhile, or the machine sleeps: by the clock that never jumps. As a
 * date may be of any time between two jumps that this process has noticed, it is as old as it is at least.
 */
import type { Clock } from "./clock";

type Clocks = Pick<Clock, "now" | "date">;

/** A clock that is adjusted bit by bit, as the network's time does it, does not jump. */
const smallestJump = 250;

export class Ages {
  /** What the machine's clock has had at the other one's zero; another value after each jump. */
  readonly #zeros: number[] = [];

  private constructor(readonly clocks: Clocks) {}

  /** One for each clock: what one part of the process has noticed counts for all. */
  static by(clocks: Clocks): Ages {
    const ages = byClocks.get(clocks) ?? new Ages(clocks);
    byClocks.set(clocks, ages);
    ages.#look();
    return ages;
  }

  /** Milliseconds since a date; negative for one to come. */
  of(date: number): number {
    const sinceZero = this.#look() - date;
    // Each create asks for the ages of all that was written lately.
    if (this.#zeros.length === 1) return sinceZero + this.#zeros[0]!;
    const ages = this.#zeros.map((zero) => sinceZero + zero);
    const past = ages.filter((age) => age > -smallestJump);
    return past.length === 0 ? Math.max(...ages) : Math.min(...past);
  }

  /** Notices a jump. Returns the time by the clock that never jumps. */
  #look(): number {
    const now = this.clocks.now();
    const zero = this.clocks.date() - now;
    if (!(Math.abs(zero - (this.#zeros.at(-1) ?? Number.NaN)) < smallestJump)) this.#zeros.push(zero);
    return now;
  }
}

const byClocks = new WeakMap<Clocks, Ages>();
