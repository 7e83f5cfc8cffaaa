/** Waves: how many stacks are deployed before the others, and how many failures stop those that have not begun. */
import { UsageError } from "../output/exit-codes";

/** A number, or a share of all. */
export type Amount = { count: number } | { share: number };

/** `5` or `5%`. */
export function parseAmount(text: string, option: string): Amount {
  const [, digits = "", percent] = /^(\d{1,9}(?:\.\d+)?)(%)?$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === "" || (percent ? value > 100 : !Number.isInteger(value)))
    throw new UsageError(`${option} must be a number or a share of all, such as 5 or 5%`);
  return percent ? { share: value / 100 } : { count: value };
}

const atLeastOne = (amount: Amount, all: number): number =>
  Math.max(1, "count" in amount ? amount.count : Math.ceil(amount.share * all));

export interface WavePlan {
  canary?: Amount | undefined;
  /** Size of those after the canary. Default: all in one. */
  wave?: Amount | undefined;
}

/** The same items, in waves. */
export function toWaves<T>(items: readonly T[], { canary, wave }: WavePlan): T[][] {
  const waves: T[][] = [];
  for (let from = 0; from < items.length; ) {
    const amount = from === 0 && canary !== undefined ? canary : wave;
    const to = from + (amount === undefined ? items.length : atLeastOne(amount, items.length));
    waves.push(items.slice(from, to));
    from = to;
  }
  return waves;
}

/**
 * Most failures after which more stacks are begun. A share counts for the waves so far, this one included: with 5 %, a canary of
 * ten stops at its first failure.
 */
export const allowedFailures = (most: Amount, sizeOfWaves: number): number =>
  "count" in most ? most.count : Math.floor(most.share * sizeOfWaves);
