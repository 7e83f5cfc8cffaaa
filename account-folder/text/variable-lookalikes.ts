/**
 * What looks like a variable and the API does not replace: those of other systems, names with a brace too few or too many,
 * or with something else between the braces. Readers would see it. Each pattern begins with what no prose has, and has an end.
 */
import { brandingEmailVariables } from "../../sdk/email-variables";
import { DecodedText, decodeReferences } from "./html/decoded-text";
import type { StartTag, TextRange } from "./html/parse";
import type { TextPiece } from "./html/visibility";
import { nearVariable, type Variable } from "./variables";

/** A part of a text that the API sends to readers as it is. */
export interface Lookalike extends TextRange {
  written: string;
  /** The variable that was probably meant. */
  near?: string;
  /** What it is. */
  flaw: string;
}

interface Pattern {
  flaw: string;
  /** The first group is the name, where there is one. */
  pattern: RegExp;
  /** True for what is one only with the name of a variable in it. */
  needsName?: true;
  /** True for what is a variable as it is written, where the text has one there. */
  yieldsToVariables?: true;
}

/** Characters of a name: what is around it is neither. */
const LETTER = "[\\p{L}\\p{N}_]";
/** The names, whatever is between their words. */
const NAME = `(?:${brandingEmailVariables.map((name) => name.replaceAll(" ", "[\\s_.-]{1,3}")).join("|")})`;
const code = (pattern: string) => new RegExp(pattern, "giu");

const patterns: readonly Pattern[] = [
  { flaw: "braces too many, or a variable of another system", pattern: code("\\{\\{\\{?([^{}]{1,200})\\}\\}\\}?") },
  { flaw: "a tag of another system", pattern: code("\\{%([^{}%]{1,200})%\\}") },
  { flaw: "a tag of another system", pattern: code("<%([^<>%]{1,200})%>") },
  { flaw: "a variable of another system", pattern: code("\\*\\|([\\p{L}\\p{N}_:. -]{1,60})\\|\\*") },
  { flaw: "a variable of another system", pattern: code(`%%(${LETTER}[\\p{L}\\p{N}_ .-]{0,60})%%`) },
  { flaw: "a variable of another system", pattern: code("\\[\\[(\\p{L}[^\\[\\]]{0,60})\\]\\]") },
  { flaw: "a variable of another system", pattern: code("[#$]\\{([^{}]{1,80})\\}") },
  { flaw: "a variable of another system", pattern: code("\\{[!$#/](\\p{L}[^{}]{0,80})\\}") },
  {
    flaw: "a variable of another system",
    pattern: code(`\\{\\s{0,3}(\\p{L}${LETTER}{0,40})\\s{0,3}\\|[^{}\\r\\n]{0,60}\\}`),
  },
  { flaw: "other brackets", pattern: code(`(?:\\[|<<|«|｛)\\s{0,3}(${NAME})\\s{0,3}(?:\\]|>>|»|｝)`) },
  { flaw: "other brackets", pattern: code(`%(${NAME})%`) },
  // A brace forgotten, or more than the name between two.
  {
    flaw: "a brace missing, or more than a name between the braces",
    pattern: code(`\\{\\s{0,3}(${NAME})(?!${LETTER})(?!\\s{0,3}\\})(?:[^{}\\r\\n]{0,60}\\})?`),
    yieldsToVariables: true,
  },
  { flaw: "a brace missing", pattern: code(`(?<![{\\p{L}\\p{N}_])(${NAME})\\s{0,3}\\}`), yieldsToVariables: true },
  {
    flaw: "more than a name between the braces",
    pattern: code("\\{([^{}<>\\r\\n]{3,60})\\}"),
    needsName: true,
    yieldsToVariables: true,
  },
];

/** Those of a subject or plain text, once each. */
export const lookalikesOfText = (text: string, variables: readonly Variable[]): Lookalike[] =>
  distinct(inPieces(text, [{ text: decodeReferences(text), start: 0, end: text.length, isShown: true }], variables));

/** Those of HTML: in what is text on the page, in attributes but for styles, and as tags. Once each. */
export function lookalikesOfHtml(
  html: string,
  { tags, texts }: { tags: readonly StartTag[]; texts: readonly TextPiece[] },
  variables: readonly Variable[],
): Lookalike[] {
  const inPage = texts.filter(({ within }) => within !== "style" && within !== "script");
  const found = inPieces(html, inPage, variables);
  for (const tag of tags) {
    const written = html.slice(tag.start, tag.end);
    const name = code(`^<\\s{0,3}(${NAME})\\s{0,3}/?>$`).exec(written)?.[1];
    if (name !== undefined)
      found.push({ ...tagRange(tag), written, near: nearVariable(name)!, flaw: "other brackets" });
    for (const { name: attribute, value, valueAt } of tag.attributes) {
      if (attribute === "style" || !/[{}%[|«｛<]/.test(value)) continue;
      const within = (variable: Variable) => variable.start >= tag.start && variable.end <= tag.end;
      const names = variables.filter(within).map((each) => `{${each.name}}`);
      for (const one of inText(value)) {
        if (one.yieldsToVariables && names.some((each) => one.written.includes(each) || each.includes(one.written)))
          continue;
        found.push({ ...valueAt, ...one.found });
      }
    }
  }
  return distinct(found.sort((a, b) => a.start - b.start));
}

const tagRange = ({ start, end }: TextRange): TextRange => ({ start, end });

function inPieces(html: string, pieces: readonly TextPiece[], variables: readonly Variable[]): Lookalike[] {
  const decoded = new DecodedText(html, pieces);
  const isVariable = overlapOf(variables);
  return inText(decoded.text).flatMap(({ start, end, yieldsToVariables, found }) => {
    const range = decoded.place(start, end);
    return yieldsToVariables && isVariable(range) ? [] : [{ ...range, ...found }];
  });
}

interface InText extends TextRange {
  written: string;
  yieldsToVariables: boolean;
  found: Omit<Lookalike, "start" | "end">;
}

/** In order, without those inside of others. */
function inText(text: string): InText[] {
  const all = patterns.flatMap(({ flaw, pattern, needsName = false, yieldsToVariables = false }) =>
    [...text.matchAll(pattern)].flatMap((match): InText[] => {
      const written = match[0];
      const near = nameIn(match[1] ?? "");
      if (needsName && near === undefined) return [];
      if (needsName && new RegExp(`^\\{${LETTER}+(?:[ \\t_.-]${LETTER}+)*\\}$`, "u").test(written)) return [];
      const range = { start: match.index, end: match.index + written.length };
      return [{ ...range, written, yieldsToVariables, found: { written, flaw, ...(near !== undefined && { near }) } }];
    }),
  );
  all.sort((a, b) => a.start - b.start || b.end - a.end);
  let last = 0;
  return all.filter(({ start, end }) => {
    if (start < last) return false;
    last = end;
    return true;
  });
}

const named = code(`(?<!${LETTER})${NAME}(?!${LETTER})`);

/** The variable that a text has the name of, or nearly: `#if client name`, `contract “title”`. */
function nameIn(text: string): string | undefined {
  const [name] = text.match(named) ?? [];
  if (name !== undefined) return nearVariable(name);
  const letters = text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  return letters.includes(" ") || /[A-Z]/.test(letters) ? nearVariable(letters) : undefined;
}

/** Whether a range overlaps one of these, by a search in their order. */
function overlapOf(variables: readonly TextRange[]): (range: TextRange) => boolean {
  const sorted = [...variables].sort((a, b) => a.start - b.start);
  return ({ start, end }) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.end <= start) low = middle + 1;
      else high = middle;
    }
    return low < sorted.length && sorted[low]!.start < end;
  };
}

/** True for what is not a part of one of these. */
export const outside = (lookalikes: readonly Lookalike[]): ((range: TextRange) => boolean) => {
  const isInside = overlapOf(lookalikes);
  return (range) => !isInside(range);
};

const distinct = (found: readonly Lookalike[]): Lookalike[] =>
  [...new Map(found.map((each) => [each.written, each] as const).reverse()).values()].reverse();
