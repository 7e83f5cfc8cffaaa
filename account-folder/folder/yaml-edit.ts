/** Edits of a settings file: what they are not about stays as somebody has written it. */
import { type Document, isAlias, isMap, isScalar, type Node, type Pair, Scalar, visit, YAMLMap } from "yaml";

/** The text of a setting as it is written; undefined where it is no text, or is not there. */
export function settingIn(document: Document, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>((node, name) => pairIn(resolved(document, node), name)?.value, document.contents);
  const scalar = resolved(document, value);
  return isScalar(scalar) && typeof scalar.value === "string" ? scalar.value : undefined;
}

/** Sets one to a text, with all that it is part of. */
export function setSetting(document: Document, path: readonly string[], text: string): void {
  withoutAliases(document);
  if (!isMap(document.contents)) document.contents = new YAMLMap() as never;
  let map = document.contents as unknown as YAMLMap;
  for (const name of path.slice(0, -1)) {
    const pair = pairIn(map, name);
    if (isMap(pair?.value)) map = pair.value;
    else {
      const next = new YAMLMap();
      if (pair) pair.value = next;
      else map.set(document.createNode(name), next);
      map = next;
    }
  }
  const name = path.at(-1)!;
  const pair = pairIn(map, name);
  // The style of what was there, quotes for one, stays.
  if (isScalar(pair?.value)) pair.value.value = text;
  else if (pair) pair.value = new Scalar(text);
  else map.set(document.createNode(name), new Scalar(text));
}

/** Takes one out. What held nothing else stays: a comment may be on it. */
export function removeSetting(document: Document, path: readonly string[]): void {
  withoutAliases(document);
  const map = path.slice(0, -1).reduce<unknown>((node, name) => pairIn(node, name)?.value, document.contents);
  const pair = pairIn(map, path.at(-1)!);
  if (isMap(map) && pair) map.items.splice(map.items.indexOf(pair), 1);
}

/** By its name as it is written: that of a webhook may look like a number. */
function pairIn(map: unknown, name: string): Pair | undefined {
  return isMap(map) ? map.items.find(({ key }) => nameOf(key) === name) : undefined;
}

const nameOf = (key: unknown) =>
  isScalar(key) ? String(typeof key.value === "number" ? key.source : key.value) : String(key);

const resolved = (document: Document, node: unknown) => (isAlias(node) ? node.resolve(document) : node);

/** What stands in two places as one would change, or go, in both. */
function withoutAliases(document: Document): void {
  const copies = new Set<string>();
  visit(document, {
    Alias: (_, alias) => {
      const copy = alias.resolve(document)?.clone() as Node & { anchor?: string };
      copies.add(alias.source);
      delete copy.anchor;
      return copy;
    },
  });
  visit(document, {
    Node: (_, node) => {
      if ("anchor" in node && copies.has(node.anchor as string)) delete node.anchor;
    },
  });
}
