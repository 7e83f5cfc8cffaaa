/** Names that an account's folder gives to what has none: items of account.yaml, and the directories of subaccounts. */
import { companyName } from "../../definitions/company";
import type { KindDefinition } from "../../definitions/kind";
import type { Item } from "../../definitions/model";
import { foldCase, isReservedName } from "./file-names";
import { slug } from "./slug";

/** Names for items that have none. */
export function assignNames(kind: KindDefinition, items: readonly Item[]): Item[] {
  const taken = new Set(items.flatMap(({ name }) => name ?? []));
  return items.map((item) => ({ ...item, name: item.name ?? newName(kind, item, taken) }));
}

/** An unused name for an item; it is added to those taken. */
export const newName = (kind: KindDefinition, item: Item, taken: Set<string>): string =>
  uniqueName(slug(kind.newName?.(item) ?? "") || kind.kind.toLowerCase(), taken);

/** A directory name for each subaccount, from its name; unique regardless of letter case, and none that Windows reserves. */
export function companySlugs(companies: readonly Item[]): string[] {
  const taken = new Set(companies.flatMap(({ name }) => (name === undefined ? [] : foldCase(name))));
  return companies.map((company) => {
    if (company.name !== undefined) return company.name;
    const base = slug(companyName(company)) || "company";
    return uniqueName(isReservedName(base) ? `${base}-company` : base, taken, foldCase);
  });
}

function uniqueName(base: string, taken: Set<string>, keyOf = (name: string) => name): string {
  let name = base;
  for (let n = 2; taken.has(keyOf(name)); n++) name = `${base}-${n}`;
  taken.add(keyOf(name));
  return name;
}
