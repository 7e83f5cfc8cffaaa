/** What is wrong with a YAML file, with its place: before its content is asked for. */
import { type Document, visit } from "yaml";

/** From one offset of the text to another. */
interface YamlError {
  message: string;
  pos: readonly [number, number];
}

/** The faults of a document. The parser tells a name that stands for nothing only while the content is made, and without a place. */
export function findYamlErrors(document: Document.Parsed): YamlError[] {
  const faults: YamlError[] = document.errors.map(({ message, pos }) => ({ message, pos }));
  if (faults.length > 0) return faults;
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return;
      const [start, end] = alias.range ?? [0, 0];
      faults.push({
        message: `"*${alias.source}" stands for nothing; a text that begins with * needs quotes`,
        pos: [start, end],
      });
    },
  });
  return faults;
}
