/** What goes with an object that is deleted. */
import { type Amount, isNone, unknownAmount } from "./amount";

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
