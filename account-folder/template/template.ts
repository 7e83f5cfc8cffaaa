/**
 * The syntax of templates. One sign means something, `${`: `${name}` is a value, `${include name}` a partial, `$${` the
 * literal. The service's variables, `{contract url}`, are text to a template.
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

/** A part of a template whose partials are in place. */
export type Part = Literal | Placeholder;

/** A text with values to fill in. */
export interface Template {
  source: SourceFile;
  parts: readonly Part[];
}

/** Something that a template gets wrong: in which file, from where to where. */
export interface TemplateIssue extends Stretch {
  rule: "template-syntax" | "unknown-partial" | "circular-partial";
  message: string;
  fix: string;
}

/** Finds a partial's file. */
export type FindPartial = (name: string) => SourceFile | undefined;

const VALUE = /^(?!include$)[A-Za-z][\w.-]*$/;
const INCLUDE = /^include[ \t]+([A-Za-z0-9][\w.-]*)$/;

/** Writes a text so that a template of it gives that text again. */
export function escapeTemplate(text: string): string {
  return text.replaceAll("${", "$$${");
}

/** Reads a template with its partials. Faults are collected, not thrown; a faulty part stays as it was written. */
export function parseTemplate(
  source: SourceFile,
  findPartial: FindPartial,
  faults: TemplateIssue[],
  text = source.text,
  offsetOf: (offset: number) => number = (offset) => offset,
): Template {
  return { source, parts: [...resolve(scan(source, text, faults, offsetOf), findPartial, faults, [source.path])] };
}

function* resolve(
  parts: Iterable<Part | Include>,
  findPartial: FindPartial,
  faults: TemplateIssue[],
  path: readonly string[],
): Iterable<Part> {
  for (const part of parts) {
    if (part.kind !== "include") {
      yield part;
      continue;
    }
    const partial = findPartial(part.name);
    if (!partial) {
      faults.push({
        ...stretchOf(part),
        rule: "unknown-partial",
        message: `there is no partial "${part.name}"`,
        fix: `write the file partials/${part.name}${extension(part.source.path)}, or correct the name`,
      });
    } else if (path.includes(partial.path)) {
      faults.push({
        ...stretchOf(part),
        rule: "circular-partial",
        message: `the partial "${part.name}" includes itself: ${[...path.slice(path.indexOf(partial.path)), partial.path].join(" → ")}`,
        fix: "take one of these inclusions out",
      });
    } else {
      // Editors end a file with a line end; where the partial stands in a line, that would break the line.
      const text = partial.text.replace(/\r?\n$/, "");
      yield* resolve(
        scan(partial, text, faults, (offset) => offset),
        findPartial,
        faults,
        [...path, partial.path],
      );
    }
  }
}

function* scan(
  source: SourceFile,
  text: string,
  faults: TemplateIssue[],
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
      faults.push({
        ...stretch,
        rule: "template-syntax",
        message: closed ? `"\${${inner}}" is neither a value nor an inclusion` : 'no "}" on the line after "${"',
        fix: `write \${name} for a value, \${include name} for a partial, $\${ for the two characters \${`,
      });
      continue;
    }
    if (index > done) yield literal(index);
    yield include ? { ...stretch, kind: "include", name: include } : { ...stretch, kind: "value", name: inner };
    done = index + length;
  }
  if (done < text.length) yield literal(text.length);
}

/** The values that a template names, each with its places. */
export function placeholdersIn(template: Template): Placeholder[] {
  return template.parts.filter((part): part is Placeholder => part.kind === "value");
}

/** How values get into a text. */
export interface FillOptions {
  /** Given names and their values. */
  values: Readonly<Record<string, string>>;
  /** How a value is written, such as with entities in HTML (as it is). */
  write?: (value: string) => string;
}

/** How a value shows that is not given. */
export const markUnresolved = (name: string): string => `‹${name}›`;

/** Fills values in. One that is not given shows as `‹name›` and is marked as unknown. */
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
