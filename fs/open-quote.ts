/** Finds an unclosed quotation mark in YAML, which is the most frequent mistake: the parser reports it only at the end of the file. */
import { type CST, Parser } from "yaml";

export const openQuoteMessage = "a quotation mark opens here and is not closed";

/** Where it opens, as an offset in the text; undefined for any other error of the parser. */
export function openQuoteAt(text: string, error: Error & { code?: string; pos?: readonly number[] }) {
  if (error.code !== "MISSING_CHAR") return undefined;
  const end = error.pos?.[0] ?? text.length;
  let found: number | undefined;
  const visit = (token: unknown): void => {
    if (token === null || typeof token !== "object") return;
    const { type = "", offset, source = "" } = token as Partial<CST.FlowScalar>;
    if (/-quoted-scalar$/.test(type) && offset !== undefined && offset < end && offset + source.length >= end)
      if (!isClosed(source)) found = offset;
    for (const part of Object.values(token)) visit(part);
  };
  for (const token of new Parser().parse(text)) visit(token);
  return found;
}

/** Quotation marks in it are escaped: by a backslash, or by another one. */
const isClosed = (quoted: string): boolean => /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/s.test(quoted);
