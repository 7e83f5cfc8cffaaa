/** Where two sets of arguments differ, member by member, as the engine displays it. */
import { isDeepStrictEqual } from "node:util";
import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { type Properties, unwrap } from "../provider/core/pulumi-values";
import type { Difference } from "../provider/lifecycle/results";

const { Kind } = PropertyDiff;
type Kinds = readonly [change: 0 | 2 | 4, replacement: 1 | 3 | 5];
const added: Kinds = [Kind.ADD, Kind.ADD_REPLACE];
const removed: Kinds = [Kind.DELETE, Kind.DELETE_REPLACE];
const changed: Kinds = [Kind.UPDATE, Kind.UPDATE_REPLACE];

/** By path, such as `other.setting_x`. */
export function detailedDiff(
  olds: Properties,
  news: Properties,
  { changed: fields, replaces }: Pick<Difference, "changed" | "replaces">,
): Map<string, PropertyDiff> {
  const diffs = new Map<string, PropertyDiff>();
  const [before, after] = [unwrap(olds) as Properties, unwrap(news) as Properties];
  // A field may be a member of an argument: `other.setting_x`.
  for (const name of new Set(fields.map((field) => field.split(".", 1)[0]!))) {
    const found = differences(name, before[name] ?? undefined, after[name] ?? undefined);
    // What differs by a default, or by what it means.
    for (const [path, kinds] of found.length > 0 ? found : [[name, changed] as const]) {
      const diff = new PropertyDiff();
      diff.setKind(kinds[replaces.includes(name) ? 1 : 0]);
      diffs.set(path, diff);
    }
  }
  return diffs;
}

function differences(path: string, old: unknown, value: unknown): (readonly [path: string, kinds: Kinds])[] {
  if (isDeepStrictEqual(old, value)) return [];
  if (old === undefined) return [[path, added]];
  if (value === undefined) return [[path, removed]];
  const names = memberNames(old, value);
  if (names === undefined) return [[path, changed]];
  return names.flatMap((name) => differences(`${path}${step(name)}`, memberOf(old, name), memberOf(value, name)));
}

type Container = Record<PropertyKey, unknown>;

/** Of two lists, or of two objects. */
function memberNames(a: unknown, b: unknown): (string | number)[] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) return [...Array(Math.max(a.length, b.length)).keys()];
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(a) || !isObject(b)) return undefined;
  return [...new Set([...Object.keys(a as object), ...Object.keys(b as object)])];
}

const memberOf = (container: unknown, name: string | number): unknown => (container as Container)[name];

function step(name: string | number): string {
  if (typeof name === "number") return `[${name}]`;
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
