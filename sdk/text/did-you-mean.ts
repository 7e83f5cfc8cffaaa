/** Finds what was probably meant. */
import { closest, distance } from "fastest-levenshtein";

/** The candidate nearest to the text, if one is near enough to be a slip of the pen. */
export function nearestMatch(text: string, candidates: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const d = distance(wanted, candidate.toLowerCase());
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}

/** The nearest of the known words when it is near enough to be a slip, a third of its letters at most. */
export function closeMatch(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const near = closest(word.toLowerCase(), known as string[]);
  return distance(word.toLowerCase(), near.toLowerCase()) <= Math.max(1, Math.floor(near.length / 3))
    ? near
    : undefined;
}

/** `, did you mean "x"?` or nothing: the end of a sentence about an unknown word. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = closeMatch(word, known);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}
