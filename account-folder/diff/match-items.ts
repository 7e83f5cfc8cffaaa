/** Finds the items of two configurations that are the same object. */

import type { ComparedSources } from "../../definitions/field";
import { groupBy } from "../../definitions/group-by";
import type { KindDefinition, MatchRule } from "../../definitions/kind";
import type { Item } from "../../definitions/model";
import { compareStrings } from "../../definitions/text/sort";

export interface Matches {
  pairs: [Item, Item][];
  /** Only in the first configuration. */
  removed: Item[];
  /** Only in the second configuration. */
  added: Item[];
}

/** Matches the items of a kind: each rule pairs what the rules before it left over. */
export function matchItems(
  kind: KindDefinition,
  before: readonly Item[],
  after: readonly Item[],
  sources: ComparedSources,
): Matches {
  let [removed, added] = [[...before].sort(byName(kind)), [...after].sort(byName(kind))];
  const pairs: [Item, Item][] = [];
  for (const rule of kind.matchRules(sources)) {
    const matched = pairsBy(rule, removed, added);
    const taken = new Set(matched.flat());
    removed = removed.filter((item) => !taken.has(item));
    added = added.filter((item) => !taken.has(item));
    pairs.push(...matched);
  }
  return { pairs, removed, added };
}

function pairsBy({ key, when = () => true }: MatchRule, left: readonly Item[], right: readonly Item[]): [Item, Item][] {
  const byKey = groupBy(right, key);
  return left.flatMap((a): [Item, Item][] => {
    const value = key(a);
    const candidates = value === undefined ? [] : (byKey.get(value) ?? []);
    const index = candidates.findIndex((b) => when(a, b));
    return index < 0 ? [] : [[a, candidates.splice(index, 1)[0]!]];
  });
}

/** Orders items by the name that people see, then by id. */
export const byName = (kind: KindDefinition) => (a: Item, b: Item) =>
  compareStrings(kind.nameOf(a) ?? "", kind.nameOf(b) ?? "") || compareStrings(a.id ?? "", b.id ?? "");
