/** JSON that a person may have edited: some editors begin a file with a byte order mark, which is no part of its text. */

/** Parses it. Throws for what is no JSON, as `JSON.parse` does. */
export const parseJsonText = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ""));

/** Undefined for what is no JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
