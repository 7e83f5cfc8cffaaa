/**
 * Edits the files of a placeholder text so that it gives another text: a minimal change that keeps placeholders and partials, and
 * edits a partial if the change is in it.
 */
import { diffArrays } from "diff";
import { groupBy } from "../../definitions/group-by";
import { type TextFormat, valueWriter } from "../diff/match-placeholders";
import type { Values } from "../folder/fill-folder";
import { escapePlaceholders, type Part, type PlaceholderText } from "../placeholders/placeholder-text";
import type { SourceFile } from "../placeholders/source-map";
import { type Neighbours, type Piece, splitAtValues } from "./split-at-values";

/** Replaces a range of a file. */
export interface Edit {
  source: SourceFile;
  offset: number;
  length: number;
  text: string;
}

/**
 * The edits after which `unfilled` gives `desired`.
 * @param values - the values of the environment that `desired` comes from. A value that is not among them is taken to
 * differ between the environments where nothing but it differs.
 * @param onOtherValue - called with the text that is taken for a value
 * @returns undefined when the change crosses the border of a partial, and so belongs to no single file
 */
export function editPlaceholderText(
  unfilled: PlaceholderText,
  desired: string,
  values: Values,
  format: TextFormat,
  onOtherValue: (name: string, text: string) => void = () => {},
): Edit[] | undefined {
  const edits: Edit[] = [];
  const hunks = hunksOf(unfilled, desired, values, format);
  for (const hunk of hunks) {
    const other = otherValueIn(hunk, values);
    if (other !== undefined && !isMoved(hunk, hunks)) {
      onOtherValue(other, hunk.inserted.map(({ text }) => text).join(""));
      continue;
    }
    const edit = toEdit(hunk, unfilled, named(hunk.inserted.map(({ piece }) => piece)));
    if (!edit || changesEscaping(edit)) return undefined;
    edits.push({ ...edit, text: withLineEndsOf(edit.source.text || unfilled.source.text, edit.text) });
  }
  return edits;
}

/** A whole text as a placeholder text, with the values that it holds by their names. */
export function asPlaceholderText(text: string, values: Values, format: TextFormat): string {
  return named(splitAtValues(text, values, format));
}

/** Pieces as a placeholder text, each once however many tokens it has. */
const named = (pieces: readonly Piece[]): string =>
  [...new Set(pieces)]
    .map(({ text, value }) => (value === undefined ? escapePlaceholders(text) : `\${${value}}`))
    .join("");

/** A token of a placeholder text, and its source. */
interface Token {
  text: string;
  part: Part;
  /** In the part's source. A token of a value has the place of the whole value. */
  offset: number;
  length: number;
}

/** A token of the desired text, and the value that it is a part of. */
interface DesiredToken {
  text: string;
  piece: Piece;
}

/** Removed and inserted tokens, and their neighbours. */
interface Hunk {
  removed: Token[];
  inserted: DesiredToken[];
  before?: Token;
  after?: Token;
}

/** One step from the old text to the new one: a token in both, only in the old or only in the new. */
interface Step {
  old?: Token;
  new?: DesiredToken;
}

function hunksOf(unfilled: PlaceholderText, desired: string, values: Values, format: TextFormat): Hunk[] {
  const neighbours = neighboursIn(unfilled, values, format);
  const find = (text: string) => splitAtValues(text, values, format, neighbours);
  const old = unfilled.parts.flatMap((part) => tokensOf(part, values, format, find));
  const desiredTokens = find(desired).flatMap((piece) =>
    split(piece.text).map((text) => ({ text, piece: piece.value === undefined ? { text } : piece })),
  );
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  let before: Token | undefined;
  for (const step of keepValuesAtomic(stepsBetween(old, desiredTokens))) {
    if (step.old && step.new !== undefined) {
      if (hunk) hunks.push({ ...hunk, after: step.old });
      hunk = undefined;
      before = step.old;
    } else {
      hunk ??= { removed: [], inserted: [], ...(before && { before }) };
      if (step.old) hunk.removed.push(step.old);
      if (step.new !== undefined) hunk.inserted.push(step.new);
    }
  }
  if (hunk) hunks.push(hunk);
  return hunks;
}

/** Above this number of different tokens, the text counts as rewritten: the time of a diff grows with its square. */
const MAX_DIFFERENCES = 4_000;

function stepsBetween(old: readonly Token[], desired: readonly DesiredToken[]): Step[] {
  // Each file has line ends of its own, which are no difference.
  const texts = (tokens: readonly { text: string }[]) => tokens.map(({ text }) => (/^\r\n?$/.test(text) ? "\n" : text));
  const changes = diffArrays(texts(old), texts(desired), { maxEditLength: MAX_DIFFERENCES });
  if (changes === undefined)
    return [...old.map((token) => ({ old: token })), ...desired.map((token) => ({ new: token }))];
  let [i, j] = [0, 0];
  return changes.flatMap((change) =>
    change.value.map(
      (): Step => ({
        ...(!change.added && { old: old[i++]! }),
        ...(!change.removed && { new: desired[j++]! }),
      }),
    ),
  );
}

/**
 * A value changes as a whole or not at all, one of the placeholder text as one of the desired text: where a token of it changes, all of
 * them do. What is left of an address, whose begin is that of another, would not be known for a value.
 */
function keepValuesAtomic(steps: readonly Step[]): readonly Step[] {
  const broken = new Set([
    ...brokenIn(steps, ({ old }) => (old?.part.kind === "value" ? old.part : undefined)),
    ...brokenIn(steps, (step) => (step.new?.piece.value === undefined ? undefined : step.new.piece)),
  ]);
  const next = steps.flatMap((step): Step[] =>
    isKept(step) && (broken.has(step.old.part) || broken.has(step.new.piece))
      ? [{ old: step.old }, { new: step.new }]
      : [step],
  );
  // Tokens that change with one value may be those of another.
  return next.length === steps.length ? steps : keepValuesAtomic(next);
}

const isKept = (step: Step): step is Required<Step> => step.old !== undefined && step.new !== undefined;

/** The values whose tokens are not all kept, side by side. */
function brokenIn<T extends object>(steps: readonly Step[], valueIn: (step: Step) => T | undefined): T[] {
  const places = groupBy([...steps.keys()], (i) => valueIn(steps[i]!));
  return [...places].flatMap(([value, at]) =>
    value === undefined || steps.slice(at[0]!, at.at(-1)! + 1).every(isKept) ? [] : [value],
  );
}

/** The characters right before and after each placeholder of a placeholder text. */
function neighboursIn({ parts }: PlaceholderText, values: Values, format: TextFormat): Neighbours[] {
  const texts = parts.map((part) => (part.kind === "value" ? written(part.name, values, format) : part.text));
  return parts.flatMap((part, i) =>
    part.kind === "value"
      ? [
          {
            name: part.name,
            before: [...(texts[i - 1] ?? "").slice(-2)].at(-1) ?? "",
            after: [...(texts[i + 1] ?? "").slice(0, 2)][0] ?? "",
          },
        ]
      : [],
  );
}

/** How a value is written, where it is known. */
const written = (name: string, values: Values, format: TextFormat): string | undefined =>
  Object.hasOwn(values, name) ? valueWriter(format)(values[name]!) : undefined;

function tokensOf(part: Part, values: Values, format: TextFormat, find: (text: string) => Piece[]): Token[] {
  const { offset, length } = part;
  if (part.kind === "value") {
    const value = written(part.name, values, format);
    const texts = value === undefined ? [`\0${part.name}`] : split(value);
    return texts.map((text) => ({ text, part, offset, length }));
  }
  let done = offset;
  const texts = find(part.text).flatMap((piece) => split(piece.text));
  return texts.map((text) => {
    done += text.length;
    const token = { text, part, offset: done - text.length, length: text.length };
    // The file has `$${` for it.
    const escaped = text === "${" && part.source.text[token.offset - 1] === "$";
    return escaped ? { ...token, offset: token.offset - 1, length: token.length + 1 } : token;
  });
}

/**
 * Hosts, words, line ends and signs: what a person would change as one, and what is escaped as one. Each space is one: between two
 * there may be a value that is empty.
 */
const split = (text: string): string[] =>
  text.match(/\b[a-z]+:\/\/[\w-]+(?:[.:][\w-]+)*|\$\{|\r\n|\r|\n|[\p{L}\p{M}\p{N}_]+|./gsu) ?? [];

/** The name of the unknown value that alone differs. */
function otherValueIn({ removed, inserted }: Hunk, values: Values): string | undefined {
  const part = removed[0]?.part;
  const isAlone = removed.length === 1 && inserted.length > 0;
  return isAlone && part?.kind === "value" && !Object.hasOwn(values, part.name) ? part.name : undefined;
}

/** True if all inserted words were removed elsewhere in the placeholder text: they have moved, and are not a value. */
function isMoved({ inserted }: Hunk, hunks: readonly Hunk[]): boolean {
  const gone = new Set(
    hunks.flatMap(({ removed }) => removed.filter(({ part }) => part.kind !== "value").map(({ text }) => text)),
  );
  return inserted.every(({ text }) => text.trim() === "" || gone.has(text));
}

function toEdit({ removed, before, after }: Hunk, unfilled: PlaceholderText, text: string): Edit | undefined {
  const [first, last] = [removed[0], removed.at(-1)];
  if (first && last) {
    if (!removed.every((token, i) => i === 0 || follows(removed[i - 1]!, token))) return undefined;
    const { source } = first.part;
    return { source, offset: first.offset, length: last.offset + last.length - first.offset, text };
  }
  // Between two files, new text goes into the one that the placeholder text begins with.
  const isOwn = (token: Token | undefined) => token?.part.source === unfilled.source;
  if (before && (isOwn(before) || !isOwn(after))) {
    return { source: before.part.source, offset: before.offset + before.length, length: 0, text };
  }
  if (after) return { source: after.part.source, offset: after.offset, length: 0, text };
  return { source: unfilled.source, offset: 0, length: 0, text };
}

/** A `$` right before `${name}` would make it a literal: such a text cannot be written with the value in it. */
function changesEscaping({ source, offset, length, text }: Edit): boolean {
  const around =
    source.text.slice(Math.max(0, offset - 1), offset) + text + source.text.slice(offset + length).slice(0, 2);
  const at = offset > 0 ? 1 : 0;
  const joints = [at, at + text.length];
  return joints.some((joint) => around[joint - 1] === "$" && around.startsWith("${", joint));
}

/** Whether a token follows the other in the same file. */
function follows(a: Token, b: Token): boolean {
  if (a.part === b.part && a.part.kind === "value") return true;
  return a.part.source === b.part.source && b.offset === a.offset + a.length;
}

/** A text with the line ends of another: browsers and services write their own, which would change every line. */
export function withLineEndsOf(before: string, text: string): string {
  const end = /\r\n|\r|\n/.exec(before)?.[0];
  return end === undefined ? text : text.replace(/\r\n|\r|\n/g, end);
}

/**
 * The new texts of the files, by path. The same edit of a partial may come from several email templates; edits that overlap
 * contradict each other, and give undefined.
 */
export function applyEdits(edits: readonly Edit[]): Map<string, string> | undefined {
  const texts = new Map<string, string>();
  for (const [path, list] of groupBy(edits, ({ source }) => source.path)) {
    const unique = [...new Map(list.map((edit) => [`${edit.offset} ${edit.length} ${edit.text}`, edit])).values()];
    // From the end, so that the offsets of what is still to do stay right.
    unique.sort((a, b) => b.offset - a.offset || b.length - a.length);
    let text = list[0]!.source.text;
    let free = text.length + 1;
    for (const edit of unique) {
      if (edit.offset + edit.length > free || edit.offset === free) return undefined;
      text = text.slice(0, edit.offset) + edit.text + text.slice(edit.offset + edit.length);
      free = edit.offset;
    }
    texts.set(path, text);
  }
  return texts;
}
