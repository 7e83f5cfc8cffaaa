/** Errors of a YAML file, with their offsets. */

import { type Document, isScalar, parseDocument, visit, YAMLParseError } from "yaml";
import { openQuoteAt, openQuoteMessage } from "../../fs/open-quote";
import { PROTOTYPE_KEY, prototypeKeyProblem } from "../../fs/prototype-keys";
import { yamlProblem } from "../../fs/yaml-problem";

interface YamlError {
  message: string;
  pos: readonly [number, number];
}

/** Levels of nesting: the parser would exhaust the stack, which can end the process. */
const MAX_DEPTH = 100;

/** Parses a file. Its duplicate keys are found by {@link findYamlErrors}: the parser would compare each key with all others. */
export function parseYaml(text: string, options: { merge?: boolean } = {}): Document.Parsed {
  const isDeep = depthOf(text) > MAX_DEPTH;
  const document = parseDocument(isDeep ? "" : text, { ...options, prettyErrors: false, uniqueKeys: false });
  if (isDeep)
    document.errors.push(
      new YAMLParseError([0, 0], "RESOURCE_EXHAUSTION", `it is nested more than ${MAX_DEPTH} levels deep`),
    );
  return document;
}

/** At least the levels of nesting, by brackets, dashes and indentation; brackets in texts count as well. */
function depthOf(text: string): number {
  let brackets = 0;
  let deepest = 0;
  const indents: number[] = [];
  for (const line of text.split("\n")) {
    const indent = line.search(/[^ ]/);
    if (indent < 0) continue;
    while (indents.length > 0 && indents.at(-1)! >= indent) indents.pop();
    indents.push(indent);
    const dashes = /^(?:[-?][ \t]+)*/.exec(line.slice(indent))![0].match(/[-?]/g)?.length ?? 0;
    for (const [bracket] of line.matchAll(/[[\]{}]/g)) {
      brackets = Math.max(0, brackets + (bracket === "[" || bracket === "{" ? 1 : -1));
      deepest = Math.max(deepest, brackets);
    }
    deepest = Math.max(deepest, brackets, indents.length + dashes);
  }
  return deepest;
}

/** The errors of a document. The parser reports an unknown alias only on conversion, and without its position. */
export function findYamlErrors(document: Document.Parsed, text: string): YamlError[] {
  const errors: YamlError[] = document.errors.map((error) => {
    const quote = openQuoteAt(text, error);
    if (quote !== undefined) return { message: openQuoteMessage, pos: [quote, quote + 1] };
    return { message: yamlProblem(error.code) ?? error.message, pos: error.pos };
  });
  // The parser warns, and takes what has a tag of other programs for a plain text.
  for (const { code, pos } of document.warnings)
    if (code === "TAG_RESOLVE_FAILED")
      errors.push({ message: `${yamlProblem(code)}; a value of the stack is written \${name}`, pos });
  if (errors.length > 0) return errors;
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === "<<") continue;
        const [start, end] = key.range ?? [0, 0];
        if (key.value === PROTOTYPE_KEY) errors.push({ message: prototypeKeyProblem, pos: [start, end] });
        if (keys.has(key.value)) errors.push({ message: `the key "${key.value}" occurs twice`, pos: [start, end] });
        keys.add(key.value);
      }
    },
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return;
      const [start, end] = alias.range ?? [0, 0];
      errors.push({
        message: `"*${alias.source}" is an unknown alias; a text that begins with * needs quotes`,
        pos: [start, end],
      });
    },
  });
  return errors;
}
