/** Patterns of names, as the configuration of rules has them: `*` matches anything. */

/** True if a pattern matches the whole name; letter case is ignored. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  const text = name.toLowerCase();
  return patterns.some((pattern) => matches(pattern.toLowerCase(), text));
}

/** Part by part, each at its first place: a regular expression would try all of them, and a fork writes the patterns. */
function matches(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
