/** Values for templates in a YAML file: one with nothing else, or a stack's configuration. */
import { readFileSync } from "node:fs";
import { isMap, isScalar, parseDocument } from "yaml";
import { type Place, SourceFile } from "./source";

export interface ValuesFile {
  values: Record<string, string>;
  /** Names whose values cannot be read without the stack's passphrase. */
  secrets: string[];
  /** Where each name is written. */
  places: Map<string, Place>;
}

/**
 * Reads the names and values below a path of names; nothing there counts as no values. Throws when the file is not
 * understood.
 */
export function readValuesFile(file: string, path: readonly string[] = []): ValuesFile {
  const source = new SourceFile(file, readFileSync(file, "utf8"));
  const document = parseDocument(source.text, { prettyErrors: false });
  if (document.errors[0]) throw new Error(`${file} is not valid YAML: ${document.errors[0].message}`);
  const found: ValuesFile = { values: {}, secrets: [], places: new Map() };
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (map === null || map === undefined) return found;
  if (!isMap(map)) throw new Error(`${file} holds no values by their names`);
  for (const { key, value } of map.items) {
    const name = String(isScalar(key) ? key.value : key);
    const range = (key as { range?: [number, number, number] }).range;
    if (range) found.places.set(name, source.place(range[0], range[1]));
    if (isScalar(value) && value.value !== null) found.values[name] = String(value.value);
    else if (isMap(value)) found.secrets.push(name);
  }
  return found;
}
