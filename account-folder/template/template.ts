/**
 * The syntax of templates: `${name}` is a placeholder, `${include name}` a partial, `$${` the literal. The API's variables,
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

/** A part of a template after inclusion of the partials. */
export type Part = Literal | Placeholder;

/** A text with placeholders. */
export interface Template {
  source: SourceFile;
  parts: readonly Part[];
}

/** An error in a template, with its location. */
export interface TemplateIssue extends Stretch {
  rule: "template-syntax" | "unknown-partial" | "circular-partial";
  message: string;
  fix: string;
}

/** Finds a partial's file. */
export type FindPartial = (name: string) => SourceFile | undefined;

const VALUE = /^(?!include$)[A-Za-z][\w.-]*$/;
const INCLUDE = /^include[ \t]+([A-Za-z0-9][\w.-]*)$/;

/** Escapes a text, so that a template of it gives the text itself. */
export function escapeTemplate(text: string): string {
  return text.replaceAll("${", "$$${");
}

/** Parses a template with its partials. Errors are collected, not thrown; an invalid part is kept as text. */
export function parseTemplate(
  source: SourceFile,
  findPartial: FindPartial,
  issues: TemplateIssue[],
  text = source.text,
  offsetOf: (offset: number) => number = (offset) => offset,
): Template {
  return { source, parts: [...resolve(scan(source, text, issues, offsetOf), findPartial, issues, [source.path])] };
}

function* resolve(
  parts: Iterable<Part | Include>,
  findPartial: FindPartial,
  issues: TemplateIssue[],
  path: readonly string[],
): Iterable<Part> {
  for (const part of parts) {
    if (part.kind !== "include") {
      yield part;
      continue;
    }
    const partial = findPartial(part.name);
    if (!partial) {
      issues.push({
        ...stretchOf(part),
        rule: "unknown-partial",
        message: `unknown partial "${part.name}"`,
        fix: `add the file partials/${part.name}${extension(part.source.path)}, or correct the name`,
      });
    } else if (path.includes(partial.path)) {
      issues.push({
        ...stretchOf(part),
        rule: "circular-partial",
        message: `the partial "${part.name}" includes itself: ${[...path.slice(path.indexOf(partial.path)), partial.path].join(" → ")}`,
        fix: "remove one of these includes",
      });
    } else {
      // Editors add a line end to a file; in a partial within a line, it would break the line.
      const text = partial.text.replace(/\r?\n$/, "");
      yield* resolve(
        scan(partial, text, issues, (offset) => offset),
        findPartial,
        issues,
        [...path, partial.path],
      );
    }
  }
}

function* scan(
  source: SourceFile,
  text: string,
  issues: TemplateIssue[],
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

/** The placeholders of a template. */
export function placeholdersIn(template: Template): Placeholder[] {
  return template.parts.filter((part): part is Placeholder => part.kind === "value");
}

/** How placeholders are filled in. */
export interface FillOptions {
  /** Values by name. */
  values: Readonly<Record<string, string>>;
  /** How a value is written, such as with entities in HTML (default: unchanged). */
  write?: (value: string) => string;
}

/** How a placeholder without a value is shown. */
export const markUnresolved = (name: string): string => `‹${name}›`;

/** Fills in placeholders. One without a value shows as `‹name›` and is marked as unresolved. */
export function fillTemplate(template: Template, { values, write = (value) => value }: FillOptions): SourcedText {
  let text = "";
  const spans: Span[] = [];
  for (const part of template.parts) {
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
  return new SourcedText(text, spans, template.source);
}

const stretchOf = ({ source, offset, length }: Stretch): Stretch => ({ source, offset, length });
const extension = (path: string) => (path.endsWith(".html") ? ".html" : ".txt");
