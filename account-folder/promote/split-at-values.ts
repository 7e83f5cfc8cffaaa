/** Finds the values of an environment in a text. */

import { groupBy } from "../../definitions/group-by";
import { normalizeUrl } from "../../definitions/text/normalize";
import { compareStrings } from "../../definitions/text/sort";
import { type TextFormat, valueWriter } from "../diff/match-placeholders";
import type { Values } from "../folder/fill-folder";

/** A part of a text: literal, or a value with its name. */
export type Piece = { text: string; value?: string };

/** The characters right before and after a placeholder in a placeholder text. */
export interface Neighbours {
  name: string;
  before: string;
  after: string;
}

/**
 * Splits a text at the values that it contains as whole words. A longer value is preferred to one that is part of it.
 * @param neighbours - the placeholders of a placeholder text: their values need not be whole words where the neighbours are the same,
 * and are preferred to other names for the same value
 */
export function splitAtValues(
  text: string,
  values: Values,
  format: TextFormat,
  neighbours: readonly Neighbours[] = [],
): Piece[] {
  const spellings = spellingsOf(values, format, new Set(neighbours.map(({ name }) => name)));
  if (spellings.length === 0) return [{ text }];
  const neighboursOf = groupBy(neighbours, ({ name }) => name);
  const patterns = spellings.flatMap(({ name, written }) => [
    wholeWord(written),
    ...(neighboursOf.get(name) ?? []).map((each) => wholeWord(written, each)),
  ]);
  const pattern = new RegExp([...new Set(patterns)].join("|"), "gv");
  const names = new Map(spellings.map(({ name, written }): [string, string] => [written, name]).reverse());
  const pieces: Piece[] = [];
  let position = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > position) pieces.push({ text: text.slice(position, match.index) });
    pieces.push({ text: match[0], value: names.get(match[0])! });
    position = match.index + match[0].length;
  }
  if (position < text.length || pieces.length === 0) pieces.push({ text: text.slice(position) });
  return pieces;
}

/** The values in each spelling, in the order of preference. */
function spellingsOf(values: Values, format: TextFormat, preferred: ReadonlySet<string>) {
  const write = valueWriter(format);
  return (
    Object.entries(values)
      .flatMap(([name, value]) => alternatives(value).map((spelling) => ({ name, written: write(spelling) })))
      // Shorter values would be found everywhere.
      .filter(({ written }) => written.length > 2)
      .sort(
        (a, b) =>
          b.written.length - a.written.length ||
          Number(preferred.has(b.name)) - Number(preferred.has(a.name)) ||
          compareStrings(a.name, b.name),
      )
  );
}

/** A value as it was set, and as the API may return it: a colour in capitals, a normalized URL. */
function alternatives(value: string): string[] {
  if (/^#[0-9a-f]+$/i.test(value)) return [...new Set([value, value.toUpperCase()])];
  if (!/^https?:\/\//i.test(value)) return [value];
  const address = normalizeUrl(value);
  return [...new Set([value, value.endsWith("/") ? address : address.replace(/\/$/, "")])];
}

/** Letters and digits of scripts that separate words. In other scripts, and before Korean particles, a word ends at any letter. */
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
  // Not after a dollar sign: `$${name}` would be a literal.
  return `(?<!\\$)${begin}${literal(text)}${end}`;
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`);
