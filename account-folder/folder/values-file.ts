/** Values for placeholder texts in a YAML file: one with nothing else, or a stack's configuration. */
import { isAlias, isMap, isScalar } from "yaml";
import { tryParseJson } from "../../fs/json-text";
import { PROTOTYPE_KEY, prototypeKeyProblem } from "../../fs/prototype-keys";
import { SourceFile, type SourceLocation } from "../placeholders/source-map";
import { parseYaml } from "./parse-yaml";
import { findYamlErrors } from "./yaml-errors";

interface ValuesFile {
  values: Record<string, string>;
  /** Names whose values cannot be read without the stack's passphrase; that of all of them, where they are encrypted as a whole. */
  secrets: string[];
  /** Where each name is written. */
  places: Map<string, SourceLocation>;
}

/**
 * The names and values in a file's text below a path of names, as a deployment reads them; undefined when there is nothing at
 * all. Throws when the text is not understood.
 */
export function parseValues(file: string, text: string, path: readonly string[] = []): ValuesFile | undefined {
  const source = new SourceFile(file, text);
  // As the engines read a stack's configuration.
  const document = parseYaml(source.text, { merge: true });
  const [fault] = findYamlErrors(document, text);
  if (fault) throw new Error(`${file} is not valid YAML: ${fault.message}`);
  const content = path.reduce<unknown>((object, name) => memberOf(object, name), document.toJS());
  if (content === null || content === undefined) return undefined;
  const places = new Map<string, SourceLocation>();
  const node = document.getIn(path, true);
  const map = isAlias(node) ? node.resolve(document) : node;
  for (const { key } of isMap(map) ? map.items : []) {
    const range = (key as { range?: [number, number, number] }).range;
    if (range) places.set(String(isScalar(key) ? key.value : key), source.place(range[0], range[1]));
  }
  return { ...valuesIn(content, file, path.at(-1)), places };
}

/**
 * The values of an object by their names, or of its text in JSON.
 * @param where - what it is part of, for who has to correct it
 * @param name - its name in a stack's configuration, where it may be encrypted as a whole
 */
export function valuesIn(content: unknown, where: string, name?: string): Pick<ValuesFile, "values" | "secrets"> {
  const found: Pick<ValuesFile, "values" | "secrets"> = { values: {}, secrets: [] };
  if (name !== undefined && isEncrypted(content)) return { ...found, secrets: [name] };
  const object = typeof content === "string" ? tryParseJson(content) : content;
  if (object === null || typeof object !== "object" || Array.isArray(object))
    throw new Error(`${where} holds no values by their names`);
  if (Object.hasOwn(object, PROTOTYPE_KEY)) throw new Error(`${where}: ${prototypeKeyProblem}`);
  for (const [key, value] of Object.entries(object)) {
    if (value === null) continue;
    if (isEncrypted(value)) found.secrets.push(key);
    else if (typeof value === "object") throw new Error(`${where}: what is given for \${${key}} is not a text`);
    else found.values[key] = String(value);
  }
  return found;
}

function memberOf(object: unknown, name: string): unknown {
  const isObject = object !== null && typeof object === "object" && Object.hasOwn(object, name);
  return isObject ? (object as Record<string, unknown>)[name] : undefined;
}

/** How a stack's configuration holds what is encrypted. */
const isEncrypted = (value: unknown): boolean =>
  typeof memberOf(value, "secure") === "string" && Object.keys(value as object).length === 1;
