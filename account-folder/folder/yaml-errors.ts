/** Errors of a YAML file, with their offsets. */
import { type Document, visit } from "yaml";

interface YamlError {
  message: string;
  pos: readonly [number, number];
}

/** The errors of a document. The parser reports an unknown alias only on conversion, and without its position. */
export function findYamlErrors(document: Document.Parsed): YamlError[] {
  const errors: YamlError[] = document.errors.map(({ message, pos }) => ({ message, pos }));
  if (errors.length > 0) return errors;
  visit(document, {
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
