/**
 * Recognises the values of an environment in a text: learns them where a template and a text fit, and finds them again
 * in other texts, so that a change can be carried from one environment to another without its addresses.
 */
import { canonicalText } from "./canonical";
import { escapeHtml } from "./escape";
import type { Values } from "./load";
import type { Part, Template } from "./template";

/** How a value is written in a text: in HTML with entities. */
export const writeValue = (kind: "text" | "html") => (kind === "html" ? escapeHtml : (value: string) => value);

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const readHtml = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/**
 * The values with which a template gives a text, in whatever form the service answers it, or undefined when it gives it with
 * none. A value is one line, and in HTML holds no markup: else a template would fit texts that somebody has added to.
 */
export function learnValues(
  template: Template,
  answered: string,
  kind: "text" | "html",
): Record<string, string> | undefined {
  const text = canonicalText(answered);
  const parts = canonicalParts(template.parts);
  const learnt: Record<string, string> = {};
  let done = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") {
      // Literals after a value are found by the search for the value's end.
      if (index === 0 && !text.startsWith(part)) return undefined;
      done += part.length;
      continue;
    }
    const next = parts[index + 1];
    // Two values without anything between them cannot be told apart.
    if (next !== undefined && typeof next !== "string") return undefined;
    const last = index + 2 >= parts.length;
    const end = next === undefined ? text.length : last ? text.length - next.length : text.indexOf(next, done);
    if (end < done || (next !== undefined && !text.startsWith(next, end))) return undefined;
    const written = text.slice(done, end);
    if (/[\r\n]/.test(written) || (kind === "html" && /[<>"]/.test(written))) return undefined;
    const value = kind === "html" ? readHtml(written) : written;
    if (Object.hasOwn(learnt, part.name) && learnt[part.name] !== value) return undefined;
    learnt[part.name] = value;
    done = end;
  }
  return done === text.length ? learnt : undefined;
}

/** Literals and values in turn; of literals that follow each other, such as at the border of a partial, one is made. */
function canonicalParts(parts: readonly Part[]): (string | { name: string })[] {
  const joined = parts.map((part) => (part.kind === "value" ? `\0${part.name}\0` : part.text)).join("");
  const pieces = canonicalText(joined).split("\0");
  return pieces.map((piece, i) => (i % 2 ? { name: piece } : piece)).filter((piece) => piece !== "");
}

/** A stretch of a text: as it is, or the name of the value that stands there. */
export type Piece = { text: string; value?: string };

/** Splits a text at the values that occur in it as whole words; a longer value is preferred to one that is part of it. */
export function findValues(text: string, values: Values, kind: "text" | "html"): Piece[] {
  const write = writeValue(kind);
  const known = Object.entries(values)
    .map(([name, value]) => ({ name, written: write(value) }))
    // A value of one or two characters is found everywhere and means nothing.
    .filter(({ written }) => written.length > 2)
    .sort((a, b) => b.written.length - a.written.length || (a.name < b.name ? -1 : 1));
  if (known.length === 0) return [{ text }];
  const pattern = new RegExp(known.map(({ written }) => wholeWord(written)).join("|"), "gu");
  const names = new Map(known.map(({ name, written }) => [written, name]).reverse() as [string, string][]);
  const pieces: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > done) pieces.push({ text: text.slice(done, match.index) });
    pieces.push({ text: match[0], value: names.get(match[0])! });
    done = match.index + match[0].length;
  }
  if (done < text.length || pieces.length === 0) pieces.push({ text: text.slice(done) });
  return pieces;
}

function wholeWord(text: string): string {
  // Nor after a dollar sign: `$${name}` would be a literal.
  const before = /^[\p{L}\p{N}]/u.test(text) ? "(?<![\\p{L}\\p{N}$])" : "(?<!\\$)";
  const after = /[\p{L}\p{N}]$/u.test(text) ? "(?![\\p{L}\\p{N}])" : "";
  return before + text.replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`) + after;
}
