/** Numbers of which only bounds may be known, such as the writes of a run or the envelopes that a deletion loses. */

/** A number, or the range that it is in. Without `most` nothing limits it. */
export type Amount = number | { readonly least: number; readonly most?: number };

/** What nothing is known of. */
export const unknownAmount: Amount = { least: 0 };

export const atLeast = (least: number): Amount => ({ least });

/** The smallest number that it may be. */
export const leastOf = (amount: Amount): number => (typeof amount === "number" ? amount : amount.least);

/** The largest number that it may be; infinite where nothing limits it. */
export const mostOf = (amount: Amount): number =>
  typeof amount === "number" ? amount : (amount.most ?? Number.POSITIVE_INFINITY);

/** True if it is surely none: what is not known may be some. */
export const isNone = (amount: Amount): boolean => mostOf(amount) === 0;

export function sumAmounts(amounts: Iterable<Amount>): Amount {
  let [least, most] = [0, 0];
  for (const amount of amounts) {
    least += leastOf(amount);
    most += mostOf(amount);
  }
  if (least === most) return least;
  return Number.isFinite(most) ? { least, most } : { least };
}

/** The data that goes with what is deleted. */
export interface Loss {
  /** Envelopes that were sent. */
  sent: Amount;
  /** Envelopes that are open. */
  open: Amount;
  /** Why it is not known. */
  reason?: string;
}

/** Of what was not read. `reason`: why it cannot be. */
export const unknownLoss = (reason?: string): Loss => ({
  sent: unknownAmount,
  open: unknownAmount,
  ...(reason !== undefined && { reason }),
});

/** What is not known counts as loss. */
export const hasLoss = ({ sent, open }: Loss): boolean => !(isNone(sent) && isNone(open));
