/** Edits a settings file; all other settings, comments and their style are kept. */
import { type Document, isAlias, isMap, isScalar, type Node, type Pair, Scalar, visit, YAMLMap } from "yaml";

/** The text of a setting, with its placeholders; undefined if it is missing or not a text. */
export function settingIn(document: Document, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>((node, name) => pairIn(resolved(document, node), name)?.value, document.contents);
  const scalar = resolved(document, value);
  return isScalar(scalar) && typeof scalar.value === "string" ? scalar.value : undefined;
}

/** Sets a setting; missing parents are added. */
export function setSetting(document: Document, path: readonly string[], value: string | number | boolean): void {
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
  // Keeps the style, such as quotes.
  if (isScalar(pair?.value)) pair.value.value = value;
  else if (pair) pair.value = new Scalar(value);
  else map.set(document.createNode(name), new Scalar(value));
}

/** Removes a setting. An empty parent is kept: it may have a comment. */
export function removeSetting(document: Document, path: readonly string[]): void {
  withoutAliases(document);
  const map = path.slice(0, -1).reduce<unknown>((node, name) => pairIn(node, name)?.value, document.contents);
  const pair = pairIn(map, path.at(-1)!);
  if (isMap(map) && pair) map.items.splice(map.items.indexOf(pair), 1);
}

/** By its name as written: that of a webhook may look like a number. */
function pairIn(map: unknown, name: string): Pair | undefined {
  return isMap(map) ? map.items.find(({ key }) => nameOf(key) === name) : undefined;
}

const nameOf = (key: unknown) =>
  isScalar(key) ? String(typeof key.value === "number" ? key.source : key.value) : String(key);

const resolved = (document: Document, node: unknown) => (isAlias(node) ? node.resolve(document) : node);

/** Replaces aliases by copies: an edit of a shared value would change it in both places. */
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
