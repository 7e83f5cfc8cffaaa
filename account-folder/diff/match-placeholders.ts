/** Matches placeholder texts against texts, to infer the values of an environment. */

import { kinds } from "../../definitions/index";
import { normalizeText } from "../../definitions/text/normalize";
import { escapeHtml } from "../../sdk/text/html-escape";
import type { Values } from "../folder/fill-folder";
import type { Part, PlaceholderText } from "../placeholders/placeholder-text";
import type { FieldPlace } from "./comparison";

export type TextFormat = "text" | "html";

export const formatOf = ({ kind, field }: Pick<FieldPlace, "kind" | "field">): TextFormat =>
  kinds[kind].fields[field]?.isHtml ? "html" : "text";

/** How a value is written in a text: in HTML with entities. */
export const valueWriter = (format: TextFormat) => (format === "html" ? escapeHtml : (value: string) => value);

/**
 * The values with which a placeholder text gives a text, apart from differences that the API makes; undefined when no values do. A
 * value is one line, and in HTML contains no markup: otherwise a placeholder text would match texts with additions.
 * @param fixed - values that must be these
 */
export function matchPlaceholders(
  unfilled: PlaceholderText,
  result: string,
  format: TextFormat,
  fixed: Values = {},
): Record<string, string> | undefined {
  const text = normalizeText(result);
  const write = valueWriter(format);
  const parts = normalizeParts(unfilled.parts, (name) =>
    Object.hasOwn(fixed, name) ? write(fixed[name]!) : `\0${name}\0`,
  );
  const values: Record<string, string> = {};
  let position = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") {
      // A literal after a value was found with the value's end.
      if (index === 0 && !text.startsWith(part)) return undefined;
      position += part.length;
      continue;
    }
    const next = parts[index + 1];
    // Two adjacent values cannot be told apart.
    if (next !== undefined && typeof next !== "string") return undefined;
    const end = endOfValue(text, position, next, index + 2 >= parts.length);
    if (end === undefined) return undefined;
    const written = text.slice(position, end);
    if (/[\r\n]/.test(written) || (format === "html" && /[<>"]/.test(written))) return undefined;
    const value = format === "html" ? unescapeValue(written) : written;
    if (Object.hasOwn(values, part.name) && values[part.name] !== value) return undefined;
    values[part.name] = value;
    position = end;
  }
  return position === text.length ? values : undefined;
}

/** Where a value ends: before the literal that follows it. */
function endOfValue(text: string, start: number, next: string | undefined, isLast: boolean): number | undefined {
  if (next === undefined) return text.length;
  const end = isLast ? text.length - next.length : text.indexOf(next, start);
  return end >= start && text.startsWith(next, end) ? end : undefined;
}

/** Literals and values in turn; adjacent literals, as at the border of a partial, are joined. */
function normalizeParts(parts: readonly Part[], write: (name: string) => string): (string | { name: string })[] {
  const joined = parts.map((part) => (part.kind === "value" ? write(part.name) : part.text)).join("");
  const pieces = normalizeText(joined).split("\0");
  return pieces.map((piece, i) => (i % 2 ? { name: piece } : piece)).filter((piece) => piece !== "");
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
/** The inverse of `valueWriter("html")`. */
const unescapeValue = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);
