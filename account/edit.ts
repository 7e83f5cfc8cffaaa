/**
 * Edits the files of a template so that it gives another text: changes as little as possible, keeps values and partials
 * where they stand, and edits a partial where the change is in it.
 */
import { diffArrays } from "diff";
import { groupBy } from "./group";
import type { Values } from "./load";
import { findValues, writeValue } from "./recognise";
import type { SourceFile } from "./source";
import { escapeTemplate, type Part, type Template } from "./template";

/** Replaces a stretch of a file. */
export interface Edit {
  source: SourceFile;
  offset: number;
  length: number;
  text: string;
}

/**
 * The edits that make `template` give `wished`.
 * @param values - the values of the environment that `wished` comes from. A value that is not among them is taken to
 * differ between the environments where nothing but it differs.
 * @returns undefined when the change crosses the border of a partial, and so belongs to no single file
 */
export function editTemplate(
  template: Template,
  wished: string,
  values: Values,
  kind: "text" | "html",
): Edit[] | undefined {
  const edits: Edit[] = [];
  for (const hunk of hunksOf(template, wished, values, kind)) {
    if (isOtherValue(hunk, values)) continue;
    const edit = toEdit(hunk, template, asTemplate(hunk.inserted.join(""), values, kind));
    if (!edit || readsOtherwise(edit)) return undefined;
    edits.push(edit);
  }
  return edits;
}

/** A whole text as a template, with the values that it holds by their names. */
export function asTemplate(text: string, values: Values, kind: "text" | "html"): string {
  return findValues(text, values, kind)
    .map((piece) => (piece.value === undefined ? escapeTemplate(piece.text) : `\${${piece.value}}`))
    .join("");
}

/** A token of what the template gives, and where it comes from. */
interface Token {
  text: string;
  part: Part;
  /** In the part's source. A token of a value has the place of the whole value. */
  offset: number;
  length: number;
}

/** Tokens that go, those that come, and their neighbours. */
interface Hunk {
  removed: Token[];
  inserted: string[];
  before?: Token;
  after?: Token;
}

/** One token of the way from the old text to the new one: in both, only in the old or only in the new. */
interface Step {
  old?: Token;
  new?: string;
}

function hunksOf(template: Template, wished: string, values: Values, kind: "text" | "html"): Hunk[] {
  const old = template.parts.flatMap((part) => tokensOf(part, values, kind));
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  let before: Token | undefined;
  for (const step of wholeValues(stepsBetween(old, split(wished)))) {
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

/** Tokens that differ beyond which a text is taken as rewritten: to seek what is left of it takes the square of their number. */
const mostDifferent = 4_000;

function stepsBetween(old: readonly Token[], wished: readonly string[]): Step[] {
  const texts = old.map((token) => token.text);
  const changes = diffArrays(texts, [...wished], { maxEditLength: mostDifferent });
  if (changes === undefined) return [...old.map((token) => ({ old: token })), ...wished.map((text) => ({ new: text }))];
  let at = 0;
  return changes.flatMap((change): Step[] => {
    if (change.added) return change.value.map((text) => ({ new: text }));
    const tokens = old.slice(at, at + change.value.length);
    at += change.value.length;
    return tokens.map((token) => (change.removed ? { old: token } : { old: token, new: token.text }));
  });
}

/** A value changes as a whole or not at all: where a token of it changes, all of them do. */
function wholeValues(steps: readonly Step[]): Step[] {
  const result: Step[] = [];
  for (let i = 0; i < steps.length; ) {
    const part = steps[i]!.old?.part;
    if (part?.kind !== "value") {
      result.push(steps[i++]!);
      continue;
    }
    let end = i;
    for (let j = i; j < steps.length && (!steps[j]!.old || steps[j]!.old!.part === part); j++) {
      if (steps[j]!.old) end = j + 1;
    }
    const own = steps.slice(i, end);
    const changed = own.some((step) => !step.old || step.new === undefined);
    result.push(
      ...(changed
        ? own.flatMap((step): Step[] =>
            step.old && step.new !== undefined ? [{ old: step.old }, { new: step.new }] : [step],
          )
        : own),
    );
    i = end;
  }
  return result;
}

function tokensOf(part: Part, values: Values, kind: "text" | "html"): Token[] {
  const { offset, length } = part;
  if (part.kind === "value") {
    const value = Object.hasOwn(values, part.name) ? values[part.name] : undefined;
    const written = value === undefined ? [`\0${part.name}`] : split(writeValue(kind)(value));
    return written.map((text) => ({ text, part, offset, length }));
  }
  let done = offset;
  return split(part.text).map((text) => {
    done += text.length;
    const token = { text, part, offset: done - text.length, length: text.length };
    // The file has `$${` for it.
    const escaped = text === "${" && part.source.text[token.offset - 1] === "$";
    return escaped ? { ...token, offset: token.offset - 1, length: token.length + 1 } : token;
  });
}

/** Words, spaces, line ends and signs: what a person would change as one, and what is escaped as one. */
const split = (text: string): string[] => text.match(/\$\{|\r\n|\r|\n|[^\S\r\n]+|[\p{L}\p{M}\p{N}_]+|./gsu) ?? [];

/** True when nothing but a value that is not known differs. */
function isOtherValue({ removed, inserted }: Hunk, values: Values): boolean {
  const part = removed[0]?.part;
  return removed.length === 1 && inserted.length > 0 && part?.kind === "value" && !Object.hasOwn(values, part.name);
}

function toEdit({ removed, before, after }: Hunk, template: Template, text: string): Edit | undefined {
  const [first, last] = [removed[0], removed.at(-1)];
  if (first && last) {
    if (!removed.every((token, i) => i === 0 || follows(removed[i - 1]!, token))) return undefined;
    const { source } = first.part;
    return { source, offset: first.offset, length: last.offset + last.length - first.offset, text };
  }
  // Between two files, new text goes into the one that the template begins with.
  const isOwn = (token: Token | undefined) => token?.part.source === template.source;
  if (before && (isOwn(before) || !isOwn(after))) {
    return { source: before.part.source, offset: before.offset + before.length, length: 0, text };
  }
  if (after) return { source: after.part.source, offset: after.offset, length: 0, text };
  return { source: template.source, offset: 0, length: 0, text };
}

/** A `$` right before `${name}` would make it a literal: such a text cannot be written with the value in it. */
function readsOtherwise({ source, offset, length, text }: Edit): boolean {
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

/**
 * The new texts of the files, by path. The same edit of a partial may come from several e-mails; edits that overlap
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
