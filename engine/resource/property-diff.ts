/**
 * What differs between two sets of properties, leaf by leaf, with paths: for the engine's own decision when a provider
 * leaves it to the engine, and for people.
 */
import type { PropertyDiff } from "../events";
import { formatPath, type Path } from "./property-path";
import {
  isEqual,
  isMap,
  isSecret,
  secret,
  toPrintable,
  unwrapSecret,
  unwrapSecrets,
  type Value,
  type ValueMap,
} from "./property-value";

export interface PropertyChange {
  path: Path;
  kind: "add" | "delete" | "update";
  before?: Value;
  after?: Value;
}

/** All leaves that differ. With `ignoreSecrecy`, a value that only became secret (or public) is the same. */
export function diffProperties(
  before: ValueMap,
  after: ValueMap,
  options: { ignoreSecrecy?: boolean } = {},
): PropertyChange[] {
  const changes: PropertyChange[] = [];
  const open = (v: Value): Value => (options.ignoreSecrecy ? unwrapSecret(v) : v);
  const same = (a: Value, b: Value): boolean =>
    options.ignoreSecrecy ? isEqual(unwrapSecrets(a), unwrapSecrets(b)) : isEqual(a, b);
  /** A part of a secret is secret. */
  const part = (whole: Value | undefined, v: Value | undefined): Value | undefined =>
    v !== undefined && isSecret(whole) ? secret(v) : v;
  const visit = (path: Path, a0: Value | undefined, b0: Value | undefined): void => {
    const a = a0 === undefined ? null : open(a0);
    const b = b0 === undefined ? null : open(b0);
    const deeper = (key: string | number, x: Value | undefined, y: Value | undefined): void =>
      visit([...path, key], part(a0, x), part(b0, y));
    if (isMap(a) && isMap(b)) {
      for (const key of Object.keys(a)) deeper(key, a[key], b[key]);
      for (const key of Object.keys(b)) if (!(key in a)) deeper(key, undefined, b[key]);
    } else if (Array.isArray(a) && Array.isArray(b)) {
      for (let i = 0; i < Math.max(a.length, b.length); i++) deeper(i, a[i], b[i]);
    } else if (a === null && b !== null) changes.push({ path, kind: "add", after: b0 as Value });
    else if (a !== null && b === null) changes.push({ path, kind: "delete", before: a0 as Value });
    else if (!same(a, b)) changes.push({ path, kind: "update", before: a0 as Value, after: b0 as Value });
  };
  visit([], before, after);
  return changes;
}

/** Changes as events show them; the serialized code of a dynamic provider is not a property that users know. */
export function toPropertyDiffs(
  changes: readonly PropertyChange[],
  replaces: (path: Path) => boolean,
  showSecrets: boolean,
  hides: (path: Path) => boolean = () => false,
): PropertyDiff[] {
  return changes
    .filter((c) => !String(c.path[0]).startsWith("__"))
    .map((c) => {
      const shown = (v: Value): unknown => (hides(c.path) ? "[hidden]" : toPrintable(v, showSecrets));
      return {
        path: formatPath(c.path),
        kind: c.kind,
        replaces: replaces(c.path),
        ...(c.before !== undefined && { before: shown(c.before) }),
        ...(c.after !== undefined && { after: shown(c.after) }),
      };
    });
}
