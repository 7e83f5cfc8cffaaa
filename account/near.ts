/** The word that somebody probably meant. */
import { closest, distance } from "fastest-levenshtein";

/** The nearest of the known words when it is near enough to be a slip, a third of its letters at most. */
export function nearWord(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const near = closest(word.toLowerCase(), known as string[]);
  return distance(word.toLowerCase(), near.toLowerCase()) <= Math.max(1, Math.floor(near.length / 3))
    ? near
    : undefined;
}

/** `, did you mean "x"?` or nothing: the end of a sentence about an unknown word. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearWord(word, known);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}
