/** Where two sets of arguments differ, member by member, as the engine displays it. */
import { isDeepStrictEqual } from "node:util";
import { memberStep } from "../core/member-path";
import { type Properties, unwrap } from "../core/pulumi-values";
import type { Difference } from "../lifecycle/results";

export interface PropertyDifference {
  kind: "add" | "delete" | "update";
  /** Whether it replaces the object. */
  replaces: boolean;
}
type Kind = PropertyDifference["kind"];

/** By path, such as `other.setting_x`. */
export function detailedDiff(
  olds: Properties,
  news: Properties,
  { changed: fields, replaces }: Pick<Difference, "changed" | "replaces">,
): Map<string, PropertyDifference> {
  const diffs = new Map<string, PropertyDifference>();
  const [before, after] = [unwrap(olds) as Properties, unwrap(news) as Properties];
  // A field may be a member of an argument: `other.setting_x`.
  for (const name of new Set(fields.map((field) => field.split(".", 1)[0]!))) {
    const found = differences(name, before[name] ?? undefined, after[name] ?? undefined);
    // What differs by a default, or by what it means.
    for (const [path, kind] of found.length > 0 ? found : [[name, "update"] as const])
      diffs.set(path, { kind, replaces: replaces.includes(name) });
  }
  return diffs;
}

function differences(path: string, old: unknown, value: unknown): (readonly [path: string, kind: Kind])[] {
  if (isDeepStrictEqual(old, value)) return [];
  if (old === undefined) return [[path, "add"]];
  if (value === undefined) return [[path, "delete"]];
  const names = memberNames(old, value);
  if (names === undefined) return [[path, "update"]];
  return names.flatMap((name) => differences(`${path}${memberStep(name)}`, memberOf(old, name), memberOf(value, name)));
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
