/** Keeps the names that an earlier or interrupted export gave to files and resources. */
import { companySlugs } from "../../../account-folder/folder/new-names";
import { companyName } from "../../../definitions/company";
import { groupBy } from "../../../definitions/group-by";
import { kinds } from "../../../definitions/index";
import type { AccountModel, Fields, Item, ResourceKind } from "../../../definitions/model";

/** A subaccount that is exported: what its files do not contain, but the file for the import does. */
export interface ExportedCompany {
  id: string;
  slug: string;
  /** Its name and email: a subaccount whose name or email has changed is read again. */
  name: string;
  email?: string;
  /** What has identifiers, which files do not contain. */
  items: AccountModel;
  notes: string[];
  allowUnknownValues: boolean;
}

/** What has identifiers, which files do not contain. */
export const identified = ({ Company: _, ...items }: AccountModel): AccountModel =>
  Object.fromEntries(Object.entries(items).filter(([kind]) => kinds[kind as ResourceKind].isCreatable));

/**
 * Subaccounts with the names of their directories: those of an interrupted or earlier export stay. So do their first users,
 * which the API does not return and which cannot be changed.
 */
export function withPreviousNames(
  companies: readonly Item[],
  done: ReadonlyMap<string, ExportedCompany>,
  earlier: readonly Item[] = [],
): Item[] {
  const found = new Map<Item, Item>();
  const names = new Set(companies.map(companyName));
  const emails = [companies, earlier].map((all) => groupBy(all, ({ fields }) => fields.email));
  const keys: ((company: Item) => string | undefined)[] = [
    kinds.Company.identity,
    // A name may be another company's by now: an email address that only one has identifies it.
    ({ fields: { email } }) => {
      const [now, before] = emails.map((all) => all.get(email) ?? []) as [Item[], Item[]];
      return now.length === 1 && before.length === 1 && names.has(companyName(before[0]!)) ? email : undefined;
    },
    companyName,
  ];
  for (const keyOf of keys) {
    const taken = new Set(found.values());
    const find = finder(
      earlier.filter((each) => !taken.has(each)),
      keyOf,
    );
    for (const company of companies.filter((each) => !found.has(each))) {
      const before = find(company);
      if (before !== undefined) found.set(company, before);
    }
  }
  const completed = companies.map((company): Item => {
    const before = found.get(company);
    const slug = done.get(company.id!)?.slug ?? before?.name;
    const fields = { ...company.fields, ...(before && firstUser(before, company)) };
    return { ...company, fields, ...(slug !== undefined && { name: slug }) };
  });
  const slugs = companySlugs(completed);
  return completed.map((company, i) => ({ ...company, name: slugs[i]! }));
}

/** The first user as in the files, unless it is a default, or contains a value that is unknown here. */
function firstUser({ fields: { userName, userEmail } }: Item, { fields: { name, email } }: Item): Fields {
  if ((userName === name && userEmail === email) || [userName, userEmail].some(hasPlaceholder)) return {};
  return { ...(userName !== undefined && { userName }), ...(userEmail !== undefined && { userEmail }) };
}

/** True for a text with a value that is unknown here. */
export const hasPlaceholder = (text: string | undefined) => text?.includes("‹") === true;

/** The objects of an account, webhooks with the names that they had in an earlier export. */
export function withNames(account: AccountModel, earlier: AccountModel | undefined): AccountModel {
  const { Webhook: webhooks } = account;
  if (webhooks === undefined) return account;
  const find = finder(earlier?.Webhook ?? [], kinds.Webhook.identity);
  const Webhook = webhooks.map((webhook) => {
    const name = find(webhook)?.name;
    return name === undefined ? webhook : { ...webhook, name };
  });
  return { ...account, Webhook };
}

/** Finds an item with the same key, each once. One without a key matches none. */
function finder<T>(items: readonly T[], keyOf: (item: T) => string | undefined): (item: T) => T | undefined {
  const byKey = groupBy(items, keyOf);
  return (item) => {
    const key = keyOf(item);
    return key === undefined ? undefined : byKey.get(key)?.shift();
  };
}
