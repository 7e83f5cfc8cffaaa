/** Parses a YAML file of the folder, within a limit of nesting. */
import { type Document, parseDocument, YAMLParseError } from "yaml";

/** Levels of nesting: the parser would exhaust the stack, which can end the process. */
const MAX_DEPTH = 100;

/** Parses a file. Its duplicate keys are found by `yaml-errors.ts`: the parser would compare each key with all others. */
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
