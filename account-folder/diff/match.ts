/** Finds the pairs of two lists. */
import { groupBy } from "../text/group-by";

/** Takes the pairs that match out of both lists, each item once. */
export function take<T>(left: T[], right: T[], match: (a: T, b: T) => boolean): [T, T][] {
  const pairs: [T, T][] = [];
  for (let i = 0; i < left.length; ) {
    const j = right.findIndex((b) => match(left[i]!, b));
    if (j < 0) i++;
    else pairs.push([left.splice(i, 1)[0]!, right.splice(j, 1)[0]!]);
  }
  return pairs;
}

/** The same for items that match when they have the same key: thousands are no matter. One without a key matches none. */
export function takeEqual<T>(
  left: T[],
  right: T[],
  key: (item: T) => string | undefined,
  match: (a: T, b: T) => boolean = () => true,
): [T, T][] {
  const byKey = groupBy(right, key);
  const pairs: [T, T][] = [];
  for (const a of left) {
    const of = key(a);
    const alike = of === undefined ? [] : (byKey.get(of) ?? []);
    const i = alike.findIndex((b) => match(a, b));
    if (i >= 0) pairs.push([a, ...alike.splice(i, 1)] as [T, T]);
  }
  for (const [side, list] of [left, right].entries()) {
    const taken = new Set(pairs.map((pair) => pair[side]));
    list.splice(0, list.length, ...list.filter((item) => !taken.has(item)));
  }
  return pairs;
}
