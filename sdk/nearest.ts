/** Finds what was probably meant. */
import { distance } from "fastest-levenshtein";

/** The candidate nearest to the text, if one is near enough to be a slip of the pen. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const d = distance(wanted, candidate.toLowerCase());
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}
