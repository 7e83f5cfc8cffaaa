/**
 * How long ago a date was, although the clock of the machine is set meanwhile, or the machine sleeps: by the clock that never jumps, as far
 * as this process has seen both. A date before its first look is compared with the machine's clock alone.
 */
import type { Clock } from "./clock";

type Clocks = Pick<Clock, "now" | "date">;

/** Both clocks between two jumps of the machine's. */
interface Stretch {
  /** The date at the other clock's zero. */
  zero: number;
  /** When the next one was noticed, by the clock that never jumps. */
  end: number;
}

/** A clock that is adjusted bit by bit, as the network's time does it, does not jump. */
const smallestJump = 250;
/** In milliseconds, the longest expiry that an age is compared with: jumps before that do not matter any more. */
const longestAge = 60 * 60_000;

export class Ages {
  #stretches: Stretch[];

  private constructor(readonly clocks: Clocks) {
    this.#stretches = [{ zero: clocks.date() - clocks.now(), end: Number.POSITIVE_INFINITY }];
  }

  /** One for each clock: what one part of the process has noticed counts for all. */
  static by(clocks: Clocks): Ages {
    const ages = byClocks.get(clocks) ?? new Ages(clocks);
    byClocks.set(clocks, ages);
    return ages;
  }

  /** Milliseconds since a date; negative for one to come. Of what two jumps leave open, the shortest. */
  of(date: number): number {
    const now = this.#look();
    const [first, later] = this.#stretches;
    // Each create asks for the ages of all that was written lately.
    if (later === undefined) return now - (date - first!.zero);
    const times = this.#stretches.map(({ zero, end }) => Math.min(date - zero, end));
    const past = times.filter((time) => time < now + smallestJump);
    return now - (past.length === 0 ? Math.min(...times) : Math.max(...past));
  }

  /** Notices a jump. */
  #look(): number {
    const now = this.clocks.now();
    const zero = this.clocks.date() - now;
    const current = this.#stretches.at(-1)!;
    if (Math.abs(zero - current.zero) < smallestJump) return now;
    current.end = now;
    const isRecent = ({ end }: Stretch) => now - end < longestAge;
    this.#stretches = [...this.#stretches.filter(isRecent), { zero, end: Number.POSITIVE_INFINITY }];
    return now;
  }
}

const byClocks = new WeakMap<Clocks, Ages>();
