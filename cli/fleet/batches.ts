/** Batches: how many stacks are deployed before the others, and how many failures stop those that have not begun. */
import { UsageError } from "../output/errors";

/** A number, or a share of all. */
export type CountOrShare = { count: number } | { percent: number };

/** `5` or `5%`. */
export function parseCountOrShare(text: string, option: string): CountOrShare {
  const [, digits = "", percent] = /^(\d{1,9}(?:\.\d+)?)(%)?$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === "" || (percent ? value > 100 : !Number.isInteger(value)))
    throw new UsageError(`${option} must be a number or a share of all, such as 5 or 5%`);
  return percent ? { percent: value } : { count: value };
}

/** Without the error of a calculation with fractions: 1.1 % of 1,000 are 11. */
const shareOf = (percent: number, all: number): number => Number(((percent * all) / 100).toFixed(6));

const atLeastOne = (amount: CountOrShare, all: number): number =>
  Math.max(1, "count" in amount ? amount.count : Math.ceil(shareOf(amount.percent, all)));

interface BatchOptions {
  canary?: CountOrShare | undefined;
  /** Size of those after the canary. Default: all in one. */
  batch?: CountOrShare | undefined;
}

/** The same items, in batches. */
export function toBatches<T>(items: readonly T[], { canary, batch }: BatchOptions): T[][] {
  const batches: T[][] = [];
  for (let from = 0; from < items.length; ) {
    const amount = from === 0 && canary !== undefined ? canary : batch;
    const to = from + (amount === undefined ? items.length : atLeastOne(amount, items.length));
    batches.push(items.slice(from, to));
    from = to;
  }
  return batches;
}

/**
 * Most failures after which more stacks are begun. A share counts for the batches so far, this one included: with 5 %, a canary of
 * ten stops at its first failure.
 */
export const allowedFailures = (most: CountOrShare, sizeOfBatches: number): number =>
  "count" in most ? most.count : Math.floor(shareOf(most.percent, sizeOfBatches));
