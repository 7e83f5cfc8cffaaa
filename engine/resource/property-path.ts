/**
 * Property paths: `tags[0].name`, `["a key"].x`, with `*` for any name or index.
 *
 * Used for: the options ignoreChanges, replaceOnChanges and hideDiffs, and paths in diffs.
 */
import { isMap, isSecret, secret, unwrapSecret, type Value, type ValueMap } from "./property-value";

export type Path = (string | number)[];

/** Parses a path; undefined when it is not valid. */
export function parsePath(text: string): Path | undefined {
  const path: Path = [];
  let rest = text;
  if (rest.startsWith(".")) return undefined;
  while (rest !== "") {
    if (rest.startsWith(".")) {
      rest = rest.slice(1);
      if (rest === "") return undefined;
    }
    const quoted = /^\["((?:\\"|[^"])+)"\]/.exec(rest);
    const index = /^\[(\*|-?\d+)\]/.exec(rest);
    const name = /^[^.[]+/.exec(rest);
    if (quoted) path.push((quoted[1] as string).replaceAll('\\"', '"'));
    else if (index) path.push(index[1] === "*" ? "*" : Number(index[1]));
    else if (name) path.push(name[0]);
    else return undefined;
    rest = rest.slice((quoted ?? index ?? name)?.[0].length);
  }
  return path;
}

/** The paths among these texts. */
export const parsePaths = (texts: readonly string[]): Path[] => texts.map(parsePath).filter((p) => p !== undefined);

export const formatPath = (path: Path): string =>
  path
    .map((p, i) =>
      typeof p === "number"
        ? `[${p}]`
        : /^[A-Za-z_$][\w$]*$/.test(p)
          ? (i === 0 ? "" : ".") + p
          : `["${p.replaceAll('"', '\\"')}"]`,
    )
    .join("");

/** True if `inner` is `outer` or lies in it. */
export const containsPath = (outer: Path, inner: Path): boolean =>
  inner.length >= outer.length && outer.every((p, i) => p === "*" || p === inner[i]);

/** True if one is the other or lies in it. */
export const pathsOverlap = (a: Path, b: Path): boolean =>
  a.slice(0, b.length).every((p, i) => p === "*" || b[i] === "*" || p === b[i]);

/**
 * Sets the old value at a path in `now`, so that a change there is ignored. Changes `now` in place. Returns false when
 * the shapes are too different for that (an element of a list that is only in one of them).
 */
function copyOldValue(path: Path, before: Value, now: Value, hidden = { before: false, now: false }): boolean {
  const old = unwrapSecret(before);
  const own = unwrapSecret(now);
  const secrecy = { before: hidden.before || isSecret(before), now: hidden.now || isSecret(now) };
  // An old secret remains secret, even if the value around it is no longer secret.
  const copyOf = (v: Value): Value => structuredClone(secrecy.before && !secrecy.now ? secret(v) : v);
  const [key, ...rest] = path;
  if (key === undefined) return false;
  const last = rest.length === 0;
  const deeper = (a: Value, b: Value): boolean => copyOldValue(rest, a, b, secrecy);

  if (typeof key === "number") {
    if (key < 0) return false;
    if (!Array.isArray(old) || !Array.isArray(own)) return !Array.isArray(old) && !Array.isArray(own);
    if (last && key >= old.length && key >= own.length) return true;
    if (key >= old.length || key >= own.length) return false;
    if (!last) return deeper(old[key] as Value, own[key] as Value);
    own[key] = copyOf(old[key] as Value);
    return true;
  }

  if (key === "*") {
    if (isMap(own) && (last || isMap(old))) {
      if (!isMap(old)) return true;
      if (last) {
        for (const k of Object.keys(own)) if (!(k in old)) delete own[k];
        for (const [k, v] of Object.entries(old)) own[k] = copyOf(v);
        return true;
      }
      return Object.keys(old).every((k) => k in own && deeper(old[k] as Value, own[k] as Value));
    }
    if (Array.isArray(own) && (last || Array.isArray(old))) {
      if (!Array.isArray(old)) return true;
      const common = Math.min(old.length, own.length);
      for (let i = 0; i < common; i++) {
        if (last) own[i] = copyOf(old[i] as Value);
        else if (!deeper(old[i] as Value, own[i] as Value)) return false;
      }
      return old.length === own.length;
    }
    return false;
  }

  if (last) {
    if (isMap(old) && key in old) {
      if (!isMap(own)) return false;
      own[key] = copyOf(old[key] as Value);
    } else if (isMap(own)) delete own[key];
    return true;
  }
  if (!isMap(old) || !isMap(own)) return !isMap(old) && !isMap(own);
  if (!(key in own)) return !(key in old);
  return deeper(old[key] ?? null, own[key] as Value);
}

/** The new inputs, with the old values of ignored properties. */
export function applyIgnoreChanges(
  paths: readonly string[],
  before: ValueMap,
  now: ValueMap,
): { inputs: ValueMap; unresolvable: string[] } {
  if (paths.length === 0) return { inputs: now, unresolvable: [] };
  const inputs = structuredClone(now);
  const unresolvable: string[] = [];
  for (const text of paths) {
    const path = parsePath(text);
    if (path !== undefined && !copyOldValue(path, before, inputs)) unresolvable.push(text);
  }
  return { inputs, unresolvable };
}

/** The value at a path, secret if it is part of a secret; undefined if there is none. */
export function valueAt(whole: Value, [key, ...rest]: Path): Value | undefined {
  if (key === undefined) return whole;
  const inside = unwrapSecret(whole);
  if (inside === null || typeof inside !== "object" || !Object.hasOwn(inside, key)) return undefined;
  const found = valueAt((inside as ValueMap)[key] as Value, rest);
  return found !== undefined && isSecret(whole) ? secret(found) : found;
}
