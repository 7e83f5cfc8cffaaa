/** The name that a person may have meant: one with at most two letters that differ, are missing or are too many. */
import { distance } from "fastest-levenshtein";

export function closest(word: string, names: Iterable<string>): string | undefined {
  const ranked = [...names]
    .map((name) => ({ name, away: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.away - b.away);
  return ranked[0] !== undefined && ranked[0].away <= Math.min(2, Math.floor(word.length / 2))
    ? ranked[0].name
    : undefined;
}
