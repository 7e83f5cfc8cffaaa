/** Suggestions for misspelt words. */
import { closest, distance } from "fastest-levenshtein";

/** The candidate nearest to the text, if it is near enough to be a typo. */
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

/** The nearest known word, if at most a third of its letters differ. */
export function closeMatch(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const near = closest(word.toLowerCase(), candidates as string[]);
  const edits = distance(word.toLowerCase(), near.toLowerCase());
  // Any other letter is near to one letter.
  return edits <= Math.max(1, Math.floor(near.length / 3)) && edits < near.length ? near : undefined;
}

/** The message for a value that is not in a list: first what was probably meant, then the whole list. */
export function notOneOf(value: string, values: readonly string[]): string {
  const near = closeMatch(value.trim(), values);
  const all = values.join(", ");
  return near === undefined ? `must be one of ${all}` : `is not known, did you mean "${near}"? One of: ${all}`;
}

/** Whether the text is a candidate but for one or two letters. */
export function isMisspelt(text: string, candidates: readonly string[]): boolean {
  return candidates.some((candidate) => distance(text, candidate) <= 2);
}

/** Whether a word is another one with one letter more, less or changed, or with its letters in another order. */
export const isTypoOf = (word: string, right: string): boolean =>
  distance(word, right) <= 1 || sortLetters(word) === sortLetters(right);

const sortLetters = (word: string) => [...word].sort().join("");

/** `, did you mean "x"?` or nothing: the end of a sentence about an unknown word. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = closeMatch(word, candidates);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}
