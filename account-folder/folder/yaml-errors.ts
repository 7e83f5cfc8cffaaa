/** Errors of a YAML file, with their offsets. */

import { type Document, isScalar, visit } from "yaml";
import { openQuoteAt, openQuoteMessage } from "../../fs/open-quote";
import { PROTOTYPE_KEY, prototypeKeyProblem } from "../../fs/prototype-keys";
import { yamlProblem } from "../../fs/yaml-problem";

interface YamlError {
  message: string;
  pos: readonly [number, number];
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
