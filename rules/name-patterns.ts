/** Patterns of names, as the configuration of rules has them: `*` matches anything. */
import { wildcard } from "../sdk/text/wildcard";

/** True if a pattern matches the whole name; letter case is ignored. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  const text = name.toLowerCase();
  return patterns.some((pattern) => wildcard(pattern.toLowerCase())(text));
}
