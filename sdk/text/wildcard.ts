/** Patterns in which `*` matches anything. */

/**
 * Whether a text matches a pattern as a whole. Part by part, each at its first place: a regular expression would try all of them, and a
 * stranger may have written the pattern.
 */
export function wildcard(pattern: string): (text: string) => boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}
