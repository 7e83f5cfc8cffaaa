/** Suggestions for misspelt words. */
import { closest, distance } from "fastest-levenshtein";

/** The nearest candidate, if the text is probably a misspelling of it. */
export function nearestMatch(text: string, candidates: readonly string[]): string | undefined {
  const word = text.trim().toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const d = distance(word, candidate.toLowerCase());
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}

/** The nearest candidate, if at most a third of its letters differ. */
export function closeMatch(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const near = closest(word.toLowerCase(), candidates as string[]);
  const edits = distance(word.toLowerCase(), near.toLowerCase());
  // For a word of one letter, every other letter would be near.
  return edits <= Math.max(1, Math.floor(near.length / 3)) && edits < near.length ? near : undefined;
}

/** The message for a value that is not in a list: first the probable intention, then the whole list. */
export function notOneOf(value: string, values: readonly string[]): string {
  const near = closeMatch(value.trim(), values);
  const all = values.join(", ");
  return near === undefined ? `must be one of ${all}` : `is not known, did you mean "${near}"? One of: ${all}`;
}

/** True if the text differs from a candidate in one or two letters. */
export function isMisspelt(text: string, candidates: readonly string[]): boolean {
  return candidates.some((candidate) => distance(text, candidate) <= 2);
}

/** True if one letter was added, removed or changed, or letters were swapped. */
export const isTypoOf = (word: string, right: string): boolean =>
  distance(word, right) <= 1 || sortLetters(word) === sortLetters(right);

const sortLetters = (word: string) => [...word].sort().join("");

/** The end of a sentence about an unknown word: `, did you mean "x"?`, or empty. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = closeMatch(word, candidates);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}
