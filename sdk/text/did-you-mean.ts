/** Suggestions for misspelt words, for all rooms. */
import { distance } from "fastest-levenshtein";

/**
 * The nearest candidate, if the text is probably a misspelling of it: a typo, or at most a third of the candidate's letters differ. Half
 * of them would make `date` of `name`; two would be too few for a long name. Ignores case.
 */
export function closeMatch(text: string, candidates: readonly string[]): string | undefined {
  const word = text.trim().toLowerCase();
  const near = candidates.flatMap((candidate) => {
    const edits = editsTo(candidate.toLowerCase(), word);
    return edits === undefined ? [] : [{ candidate, edits }];
  });
  return near.sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

/** How many letters differ; undefined if they are too many. */
function editsTo(right: string, word: string): number | undefined {
  const most = Math.max(1, Math.floor(right.length / 3));
  // A text of any length may stand where a name is expected.
  if (Math.abs(right.length - word.length) > most) return undefined;
  const edits = distance(word, right);
  // For a word of one letter, every other letter would be near.
  return (edits <= most || isTypoOf(word, right)) && edits < right.length ? edits : undefined;
}

/** The message for a value that is not in a list: first the probable intention, then the whole list. */
export function notOneOf(value: string, values: readonly string[]): string {
  const near = closeMatch(value, values);
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
