/**
 * The syntax of placeholder texts: `${name}` is a placeholder, `${include name}` a partial, `$${` the literal. The API's variables,
 * `{contract url}`, are plain text.
 */
import { SourcedText, type SourceFile, type Span } from "./source-map";

interface Stretch {
  source: SourceFile;
  /** Where it is in the source. */
  offset: number;
  length: number;
}
interface Literal extends Stretch {
  kind: "literal";
  text: string;
}
export interface Placeholder extends Stretch {
  kind: "value";
  name: string;
}
interface Include extends Stretch {
  kind: "include";
  name: string;
}

/** A part of a placeholder text after inclusion of the partials. */
export type Part = Literal | Placeholder;

/** A text with placeholders. */
export interface PlaceholderText {
  source: SourceFile;
  parts: readonly Part[];
}

/** An error in a placeholder text, with its location. */
export interface PlaceholderIssue extends Stretch {
  rule: "template-syntax" | "unknown-partial" | "circular-partial" | "too-many-partials";
  message: string;
  fix: string;
}

/** Finds a partial's file. */
export type FindPartial = (name: string) => SourceFile | undefined;

const VALUE = /^(?!include$)[A-Za-z][\w.-]*$/;
const INCLUDE = /^include[ \t]+([A-Za-z0-9][\w.-]*)$/;

/** Escapes a text, so that it gives itself when it is read as a placeholder text. */
export function escapePlaceholders(text: string): string {
  return text.replaceAll("${", "$$${");
}

/** Partials within partials. */
export const MAX_PARTIALS_DEPTH = 30;
/** Characters of the partials that a placeholder text includes: partials that include others twice double with each level. */
export const MAX_INCLUDED = 2_000_000;
/** An empty partial takes time as well. */
const MIN_INCLUDED = 100;

/** Parses a placeholder text with its partials. Errors are collected, not thrown; an invalid part is kept as text. */
export function parsePlaceholders(
  source: SourceFile,
  findPartial: FindPartial,
  issues: PlaceholderIssue[],
  text = source.text,
  offsetOf: (offset: number) => number = (offset) => offset,
): PlaceholderText {
  const included = { length: 0 };
  const parts = resolve(scan(source, text, issues, offsetOf), findPartial, issues, [source.path], included);
  return { source, parts: [...parts] };
}

function* resolve(
  parts: Iterable<Part | Include>,
  findPartial: FindPartial,
  issues: PlaceholderIssue[],
  path: readonly string[],
  included: { length: number },
): Iterable<Part> {
  for (const part of parts) {
    if (part.kind !== "include") {
      yield part;
      continue;
    }
    // Reported already.
    if (included.length > MAX_INCLUDED) continue;
    const partial = findPartial(part.name);
    included.length += Math.max(partial?.text.length ?? 0, MIN_INCLUDED);
    const problem = problemOf(part, partial, path, included.length);
    if (problem) issues.push({ ...stretchOf(part), ...problem });
    if (problem || !partial) continue;
    // Editors add a line end to a file; in a partial within a line, it would break the line.
    const text = partial.text.replace(/\r?\n$/, "");
    const inner = scan(partial, text, issues, (offset) => offset);
    yield* resolve(inner, findPartial, issues, [...path, partial.path], included);
  }
}

/** Why a partial is not included. */
function problemOf(
  { name, source }: Include,
  partial: SourceFile | undefined,
  path: readonly string[],
  included: number,
): Pick<PlaceholderIssue, "rule" | "message" | "fix"> | undefined {
  if (!partial)
    return {
      rule: "unknown-partial",
      message: `unknown partial "${name}"`,
      fix: `add the file partials/${name}${extension(source.path)}, or correct the name`,
    };
  if (path.includes(partial.path))
    return {
      rule: "circular-partial",
      message: `the partial "${name}" includes itself: ${[...path.slice(path.indexOf(partial.path)), partial.path].join(" → ")}`,
      fix: "remove one of these includes",
    };
  if (path.length > MAX_PARTIALS_DEPTH)
    return {
      rule: "too-many-partials",
      message: `the partial "${name}" is nested more than ${MAX_PARTIALS_DEPTH} levels deep`,
      fix: "include it directly",
    };
  if (included > MAX_INCLUDED)
    return {
      rule: "too-many-partials",
      message: `the partials that "${path[0]}" includes have more than ${MAX_INCLUDED / 1_000_000} MB`,
      fix: "include fewer or shorter ones",
    };
  return undefined;
}

function* scan(
  source: SourceFile,
  text: string,
  issues: PlaceholderIssue[],
  offsetOf: (offset: number) => number,
): Iterable<Part | Include> {
  let done = 0;
  const literal = (end: number): Literal => ({
    kind: "literal",
    text: text.slice(done, end),
    source,
    offset: offsetOf(done),
    length: end - done,
  });
  for (const { index } of text.matchAll(/\$\{/g)) {
    if (index < done) continue;
    if (text[index - 1] === "$" && index - 1 >= done) {
      if (index - 1 > done) yield literal(index - 1);
      done = index;
      continue;
    }
    const end = text.slice(index, index + 200).search(/[}\r\n]/);
    const closed = end > 0 && text[index + end] === "}";
    const inner = closed ? text.slice(index + 2, index + end) : "";
    const length = closed ? end + 1 : 2;
    const include = INCLUDE.exec(inner)?.[1];
    const stretch: Stretch = { source, offset: offsetOf(index), length };
    if (!VALUE.test(inner) && !include) {
      issues.push({
        ...stretch,
        rule: "template-syntax",
        message: closed ? `"\${${inner}}" is neither a placeholder nor an include` : 'no "}" on the line after "${"',
        fix: `write \${name} for a placeholder, \${include name} for a partial, $\${ for the literal`,
      });
      continue;
    }
    if (index > done) yield literal(index);
    yield include ? { ...stretch, kind: "include", name: include } : { ...stretch, kind: "value", name: inner };
    done = index + length;
  }
  if (done < text.length) yield literal(text.length);
}

/** All placeholders, partials included. */
export function placeholdersIn(unfilled: PlaceholderText): Placeholder[] {
  return unfilled.parts.filter((part): part is Placeholder => part.kind === "value");
}

/** How placeholders are filled in. */
interface FillOptions {
  /** Values by name. */
  values: Readonly<Record<string, string>>;
  /** How a value is written, such as with entities in HTML (default: unchanged). */
  write?: (value: string) => string;
}

/** How a placeholder without a value is shown. */
export const markUnresolved = (name: string): string => `‹${name}›`;

/** Fills in placeholders. One without a value shows as `‹name›` and is marked as unresolved. */
export function fillPlaceholders(
  unfilled: PlaceholderText,
  { values, write = (value) => value }: FillOptions,
): SourcedText {
  let text = "";
  const spans: Span[] = [];
  for (const part of unfilled.parts) {
    const span: Span = { start: text.length, source: part.source, offset: part.offset };
    if (part.kind === "literal") {
      text += part.text;
      spans.push(span);
      continue;
    }
    const value = Object.hasOwn(values, part.name) ? values[part.name] : undefined;
    text += value === undefined ? markUnresolved(part.name) : write(value);
    spans.push({ ...span, replaced: part.length, ...(value === undefined && { unresolved: true }) });
  }
  return new SourcedText(text, spans, unfilled.source);
}

const stretchOf = ({ source, offset, length }: Stretch): Stretch => ({ source, offset, length });
const extension = (path: string) => (path.endsWith(".html") ? ".html" : ".txt");
