/** What an account has that no code manages. */

import { companyName } from "../../definitions/company";
import { groupBy } from "../../definitions/group-by";
import { accountKinds } from "../../definitions/index";
import type { KindDefinition } from "../../definitions/kind";
import { type AccountModel, type Item, isSubaccount } from "../../definitions/model";
import { compare } from "./compare";
import type { ConfigSource, IgnoredDifference, ResourceChange } from "./comparison";

/** What none of the managing sources mentions, resource by resource and field by field. */
export function findUnmanaged(account: ConfigSource, managedBy: readonly ConfigSource[]): IgnoredDifference[] {
  const nothing: ConfigSource = { model: {}, label: "any code", isAuthoritative: false };
  const sources = managedBy.length > 0 ? managedBy : [nothing];
  const [first, ...others] = sources.map((source) => unmanagedBy(source, account));
  const unmanaged = others.reduce(
    (result, other) => new Map([...inBoth(other, result), ...inBoth(result, other)]),
    first!,
  );
  return [...unmanaged.values()].map((item) => ({ ...item, reason: "not managed by any code" }));
}

/** An unmanaged object that is identical to another one, which code declares or can declare. */
export interface Duplicate {
  item: IgnoredDifference;
  /** The API's identifier of the other one. */
  of: string;
}

/** The unmanaged objects that no program can declare beside an identical one. */
export function findDuplicates(unmanaged: readonly IgnoredDifference[], { model }: ConfigSource): Duplicate[] {
  return accountKinds
    .filter(({ isCreatable }) => isCreatable)
    .flatMap((kind) => {
      const own = unmanaged.filter((item) => item.kind === kind.kind && item.action === "add");
      const places = groupBy(own, ({ companyId, company }) => companyId ?? company ?? "");
      return [...places.values()].flatMap((items) => {
        const { companyId, company } = items[0]!;
        const place = model.Company?.find((each) =>
          companyId === undefined ? companyName(each) === company : each.id === companyId,
        );
        const account = company === undefined && companyId === undefined ? model : place?.account;
        const same = groupBy(account ? kind.items(account) : [], kind.identity);
        return [...same.values()].flatMap((identical) => {
          const open = items.filter(({ id }) => identical.some((other) => other.id === id));
          const managed = identical.find(({ id }) => !open.some((item) => item.id === id)) ?? identical[0]!;
          return identical.length < 2
            ? []
            : open.filter(({ id }) => id !== managed.id).map((item) => ({ item, of: managed.id! }));
        });
      });
    });
}

/** By resource and field, so that the results of several sources can be intersected. */
function unmanagedBy(source: ConfigSource, account: ConfigSource): Map<string, IgnoredDifference> {
  const counts = new Map<string, number>();
  return new Map(
    compare(source, account).unmanaged.map((item) => {
      const field = item.action === "change" ? item.fields[0]!.field : "";
      const name = isSubaccount(item.kind) ? undefined : item.name;
      const place = [item.kind, companyKeyOf(item), name, item.id, field].join("\n");
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      return [`${place}\n${count}`, item];
    }),
  );
}

/** The subaccount that a difference is in, or that it is. */
const companyKeyOf = ({ kind, id, name, companyId, company }: ResourceChange) =>
  isSubaccount(kind) ? (id ?? name) : (companyId ?? company);

const isWholeCompany = ({ kind, action }: ResourceChange) => isSubaccount(kind) && action === "add";

/** The items that the other source does not manage either: it mentions neither them nor the subaccount that they are in. */
function inBoth(
  other: Map<string, IgnoredDifference>,
  items: Map<string, IgnoredDifference>,
): [string, IgnoredDifference][] {
  const companies = new Set([...other.values()].filter(isWholeCompany).map(companyKeyOf));
  return [...items].filter(([key, item]) => other.has(key) || companies.has(companyKeyOf(item)));
}

/** The part of an account that these differences are about, as a configuration of its own. */
export function modelOf(changes: readonly ResourceChange[], account: AccountModel): AccountModel {
  const part = partOf(
    changes.filter(({ company, kind }) => company === undefined && !isSubaccount(kind)),
    account,
  );
  const companies = (account.Company ?? []).flatMap((company): Item[] => {
    const isIt = (id: string | undefined, name: string | undefined) =>
      id === undefined || company.id === undefined ? name === companyName(company) : id === company.id;
    const own = changes.filter(({ kind, id, name }) => isSubaccount(kind) && isIt(id, name));
    if (own.some(isWholeCompany)) return [company];
    const inside = changes.filter((change) => isIt(change.companyId, change.company));
    if (own.length + inside.length === 0 || !company.account) return [];
    return [{ ...company, account: partOf(inside, company.account) }];
  });
  return companies.length > 0 ? { ...part, Company: companies } : part;
}

function partOf(changes: readonly ResourceChange[], account: AccountModel): AccountModel {
  const part: AccountModel = {};
  for (const kind of accountKinds)
    for (const change of changes) if (change.kind === kind.kind) kind.add(part, itemOf(kind, change, account));
  return part;
}

/** What a difference says of its object in the second source; of a created one that is the whole object. */
function itemOf(kind: KindDefinition, change: ResourceChange, account: AccountModel): Item {
  const item = change.id === undefined ? undefined : kind.items(account).find(({ id }) => id === change.id);
  if (item) return item;
  const named = kind.itemNamed(change.name ?? "");
  const changed = change.fields.flatMap(({ field, after }) => (after === undefined ? [] : [[field, after]]));
  return { ...named, fields: { ...named.fields, ...Object.fromEntries(changed) } };
}
