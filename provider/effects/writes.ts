/** How many writes several effects are, and how that is said, in every plan and after every run. */
import type { Effect } from "./effect";

export interface Writes {
  /** Requests that change the account, as far as is known. */
  writes: number;
  /** Those of them that may turn out to be needless. */
  uncertain?: number;
  /** Number of resources of which the effect is not known. */
  unread: number;
}

/** An effect that is absent is not known. */
export function sumWrites(effects: Iterable<Partial<Effect>>): Writes {
  let [writes, uncertain, unread] = [0, 0, 0];
  for (const each of effects) {
    if (each.effect === undefined || each.effect === "unread") {
      unread++;
      continue;
    }
    writes += each.writes ?? 0;
    if (each.isMaximum) uncertain += each.writes ?? 0;
  }
  return { writes, ...(uncertain > 0 && { uncertain }), unread };
}

/** `2`, `at most 2`, `at least 2`, `not known`. */
export function describeWrites({ writes, uncertain = 0, unread }: Writes): string {
  if (unread === 0) return uncertain === 0 ? String(writes) : `at most ${writes}`;
  return writes > uncertain ? `at least ${writes - uncertain}` : "not known";
}
