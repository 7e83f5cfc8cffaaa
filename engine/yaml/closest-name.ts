/**
 * The name that the author of a program may have meant: at most two letters differ, are missing or are superfluous.
 *
 * `closeMatch` (sdk/text/did-you-mean.ts) is the rule for all other suggestions. The engine has its own, since it is a package
 * that runs without `sdk`, and the rooms that both may import are about files and secrets. `fastest-levenshtein`, which both
 * use, finds the nearest name, but has no limit.
 */
import { distance } from "fastest-levenshtein";

export function closest(word: string, names: Iterable<string>): string | undefined {
  const ranked = [...names]
    .map((name) => ({ name, away: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.away - b.away);
  return ranked[0] !== undefined && ranked[0].away <= Math.min(2, Math.floor(word.length / 2))
    ? ranked[0].name
    : undefined;
}
