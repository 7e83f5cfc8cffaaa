/** What an account has that no code owns. */

import { type AccountModel, type CompanyModel, emptyAccount, type WebhookModel } from "../model";
import { compare } from "./compare";
import type { Comparison, ConfigSource, IgnoredDifference, ResourceChange } from "./comparison";

/** What none of the owners mentions, resource by resource and field by field. */
export function findUnmanaged(account: ConfigSource, owners: readonly ConfigSource[]): IgnoredDifference[] {
  const none: ConfigSource = { model: emptyAccount(), label: "any code", isAuthoritative: false };
  const [first, ...others] = (owners.length > 0 ? owners : [none]).map((owner) => unmanagedBy(owner, account));
  const left = others.reduce((result, other) => new Map([...alsoIn(other, result), ...alsoIn(result, other)]), first!);
  return [...left.values()].map((item) => ({ ...item, reason: "no code owns it" }));
}

/** By place, so that several owners can be held against each other. */
function unmanagedBy(owner: ConfigSource, account: ConfigSource): Map<string, IgnoredDifference> {
  const { unmanaged }: Comparison = compare(owner, account);
  const counts = new Map<string, number>();
  return new Map(
    unmanaged.map((item) => {
      const field = item.action === "change" ? item.fields[0]!.field : "";
      const name = item.kind === "Company" ? undefined : item.name;
      const place = [item.kind, companyOf(item), name, item.id, field].join("\n");
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      return [`${place}\n${count}`, item];
    }),
  );
}

/** The sub account that it is in, or is. */
const companyOf = ({ kind, id, name, companyId, company }: ResourceChange) =>
  kind === "Company" ? (id ?? name) : (companyId ?? company);

const isWhole = ({ kind, action }: ResourceChange) => kind === "Company" && action === "add";

/** What the other does not mention either: not itself, or nothing of the sub account that it is in. */
function alsoIn(
  other: Map<string, IgnoredDifference>,
  items: Map<string, IgnoredDifference>,
): [string, IgnoredDifference][] {
  const wholes = new Set([...other.values()].filter(isWhole).map(companyOf));
  return [...items].filter(([key, item]) => other.has(key) || wholes.has(companyOf(item)));
}

/** The part of an account that these items are about, as a configuration of its own. */
export function modelOf(items: readonly ResourceChange[], account: AccountModel): AccountModel {
  const part = partOf(
    items.filter((item) => item.company === undefined && item.kind !== "Company"),
    account,
  );
  const companies = (account.companies ?? []).flatMap((company): CompanyModel[] => {
    const is = (id: string | undefined, name: string | undefined) =>
      id === undefined || company.id === undefined ? name === company.name : id === company.id;
    const own = items.filter(({ kind, id, name }) => kind === "Company" && is(id, name));
    if (own.some(isWhole)) return [company];
    const inside = items.filter((item) => is(item.companyId, item.company));
    if (own.length + inside.length === 0 || !company.account) return [];
    return [{ ...company, account: partOf(inside, company.account) }];
  });
  return companies.length > 0 ? { ...part, companies } : part;
}

function partOf(items: readonly ResourceChange[], account: AccountModel): AccountModel {
  const part = emptyAccount();
  for (const item of items) {
    const set = item.fields.filter(({ after }) => after !== undefined);
    const fields = Object.fromEntries(set.map(({ field, after }) => [field, after]));
    if (item.kind === "Branding") Object.assign(part.branding, fields);
    if (item.kind === "BrandingEmail") part.emails[item.name!] = { ...part.emails[item.name!], ...fields };
    if (item.kind === "Webhook") part.webhooks.push(webhookOf(item, account));
  }
  return part;
}

function webhookOf(item: ResourceChange, account: AccountModel): WebhookModel {
  const found = account.webhooks.find((webhook) => webhook.id !== undefined && webhook.id === item.id);
  const value = (field: string) => item.fields.find((each) => each.field === field)?.after;
  // Of a change, what does not change is in its name.
  const [, type = "", url = ""] = /^(\S*) (.*)$/s.exec(item.name ?? "") ?? [];
  return found ?? { type: value("type") ?? type, url: value("url") ?? url };
}
