/**
 * Recognises the values of an environment in a text: learns them where a template and a text fit, and finds them again
 * in other texts, so that a change can be carried from one environment to another without its addresses.
 */

import { escapeHtml } from "../../sdk/text/html-escape";
import type { Values } from "../folder/load";
import type { Part, Template } from "../template/template";
import { groupBy } from "../text/group-by";
import { normalizeText, normalizeUrl } from "../text/normalize";

/** How a value is written in a text: in HTML with entities. */
export const writeValue = (kind: "text" | "html") => (kind === "html" ? escapeHtml : (value: string) => value);

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const readHtml = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/**
 * The values with which a template gives a text, in whatever form the service answers it, or undefined when it gives it with
 * none. A value is one line, and in HTML holds no markup: else a template would fit texts that somebody has added to.
 * @param known - values that are not learnt, but must be these
 */
export function matchTemplate(
  template: Template,
  answered: string,
  kind: "text" | "html",
  known: Values = {},
): Record<string, string> | undefined {
  const text = normalizeText(answered);
  const write = writeValue(kind);
  const parts = canonicalParts(template.parts, (name) =>
    Object.hasOwn(known, name) ? write(known[name]!) : `\0${name}\0`,
  );
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
function canonicalParts(parts: readonly Part[], write: (name: string) => string): (string | { name: string })[] {
  const joined = parts.map((part) => (part.kind === "value" ? write(part.name) : part.text)).join("");
  const pieces = normalizeText(joined).split("\0");
  return pieces.map((piece, i) => (i % 2 ? { name: piece } : piece)).filter((piece) => piece !== "");
}

/** A stretch of a text: as it is, or the name of the value that stands there. */
export type Piece = { text: string; value?: string };

/** What stands right before and after a value in a template. */
export interface Neighbours {
  name: string;
  before: string;
  after: string;
}

/**
 * Splits a text at the values that occur in it as whole words; a longer value is preferred to one that is part of it.
 * @param known - values that a template names, with what they stand between there: they need be no whole words, and are
 * preferred to others that read alike
 */
export function splitAtValues(
  text: string,
  values: Values,
  kind: "text" | "html",
  known: readonly Neighbours[] = [],
): Piece[] {
  const write = writeValue(kind);
  const isKnown = new Set(known.map(({ name }) => name));
  const found = Object.entries(values)
    .flatMap(([name, value]) => spellingsOf(value).map((each) => ({ name, written: write(each) })))
    // A value of one or two characters is found everywhere and means nothing.
    .filter(({ written }) => written.length > 2)
    .sort(
      (a, b) =>
        b.written.length - a.written.length ||
        Number(isKnown.has(b.name)) - Number(isKnown.has(a.name)) ||
        (a.name < b.name ? -1 : 1),
    );
  if (found.length === 0) return [{ text }];
  const neighbours = groupBy(known, ({ name }) => name);
  const patterns = found.flatMap(({ name, written }) => [
    wholeWord(written),
    ...(neighbours.get(name) ?? []).map((each) => wholeWord(written, each)),
  ]);
  const pattern = new RegExp([...new Set(patterns)].join("|"), "gv");
  const names = new Map(found.map(({ name, written }) => [written, name]).reverse() as [string, string][]);
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

/** A value as it is given, and as services answer it: a colour in capitals, an address as browsers read it. */
function spellingsOf(value: string): string[] {
  if (/^#[0-9a-f]+$/i.test(value)) return [...new Set([value, value.toUpperCase()])];
  if (!/^https?:\/\//i.test(value)) return [value];
  const address = normalizeUrl(value);
  return [...new Set([value, value.endsWith("/") ? address : address.replace(/\/$/, "")])];
}

/** Letters and digits of scripts that part their words. In others, and with Korean particles, a name ends before any letter. */
const LETTER =
  "[[\\p{L}\\p{N}]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]]";
const BEGINS = new RegExp(`^${LETTER}`, "v");
const ENDS = new RegExp(`${LETTER}$`, "v");

function wholeWord(
  text: string,
  { before, after }: Pick<Neighbours, "before" | "after"> = { before: "", after: "" },
): string {
  const or = (border: string, neighbour: string) => (neighbour === "" ? border : `(?:${border}|${neighbour})`);
  const begin = BEGINS.test(text) ? or(`(?<!${LETTER})`, before && `(?<=${literal(before)})`) : "";
  const end = ENDS.test(text) ? or(`(?!${LETTER})`, after && `(?=${literal(after)})`) : "";
  // Nor after a dollar sign: `$${name}` would be a literal.
  return `(?<!\\$)${begin}${literal(text)}${end}`;
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`);
