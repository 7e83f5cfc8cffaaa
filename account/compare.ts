/**
 * Compares two configurations: what would have to change in the first for it to be like the second. Knows what is the
 * same although it is written differently (a colour's letter case, a logo's query), and what differs because two
 * environments differ and not because somebody changed something.
 */
import { parseUrl } from "../sdk/wire";
import { canonicalColour, canonicalLogo, canonicalName, canonicalText, canonicalUrl } from "./canonical";
import { type CompanyChoice, isAmong } from "./choice";
import { groupBy } from "./group";
import type { Values } from "./load";
import { type AccountModel, type CompanyModel, type EmailText, emptyAccount, type WebhookModel } from "./model";
import { order } from "./order";

/** One of the two configurations that are compared. */
export interface Side {
  model: AccountModel;
  /** How the user named it, for words. */
  label: string;
  /**
   * True for an account: it says everything that there is. False for code (a folder, a stack), which may manage a part:
   * what it does not mention is not managed, which is no difference.
   */
  complete: boolean;
  /**
   * Tells environments apart, such as a stack's name or a fingerprint of a key. Two sides with different ones may differ
   * in addresses only because their environments do; absent: no such guess is made.
   */
  environment?: string;
  /** True for a folder whose values are not filled in: it stands for every environment. */
  anyEnvironment?: boolean;
  /** For a folder: whether a text of it would read like this with the values of the other side. */
  fits?: (place: FieldPlace, text: string, other: Side) => boolean;
  /** For a folder: what stands in the texts of the account, or of a sub account, for the names of values. */
  valuesAt?: (company?: string) => Values;
}

export type ResourceKind = "Branding" | "BrandingEmail" | "Webhook" | "Company";

/** One field of a resource. A member that is absent is not set, or not managed. */
export interface FieldChange {
  field: string;
  before?: string;
  after?: string;
}

/** Where a text stands. */
export interface FieldPlace {
  /** Name of the sub account; absent for the account itself. */
  company?: string;
  kind: ResourceKind;
  /** The type of an e-mail, the name of a webhook in its folder, the name of a sub account. */
  name?: string;
  field: string;
}

/** How one resource differs. */
export interface ResourceChange {
  kind: ResourceKind;
  /** The type of an e-mail, type and address of a webhook, the name of a sub account; absent for Branding. */
  name?: string;
  /** Name of the sub account that it belongs to; absent for the account itself. */
  company?: string;
  /** Identifier of that sub account on the second side, else on the first, where known: several may have one name. */
  companyId?: string;
  /** `add`: only the second has it. `remove`: only the first has it. */
  action: "add" | "remove" | "change";
  /** The service's identifier on the side that has it, where known. */
  id?: string;
  fields: FieldChange[];
}

/** A difference that is left out, with the reason in words. */
export interface LeftOut extends ResourceChange {
  reason: string;
}

export interface Comparison {
  /** The differences, in the order Branding, e-mails, webhooks, sub accounts. */
  changes: ResourceChange[];
  /** Differences between environments. */
  environment: LeftOut[];
  /** What an account has and code does not mention. */
  unmanaged: LeftOut[];
}

interface Context {
  before: Side;
  after: Side;
  companies: CompanyChoice;
  company?: string;
  companyId?: string | undefined;
  result: Comparison;
}

/**
 * Compares `before` with `after`. Pure; the order of the result does not depend on the order of the input.
 * @param companies - the sub accounts that it is about: those that are chosen on either side
 */
export function compare(before: Side, after: Side, companies: CompanyChoice = "all"): Comparison {
  const result: Comparison = { changes: [], environment: [], unmanaged: [] };
  compareAccounts({ before, after, companies, result }, before.model, after.model);
  return result;
}

function compareAccounts(context: Context, before: AccountModel, after: AccountModel): void {
  compareFields(
    context,
    { kind: "Branding" },
    brandingFields(before, context.after),
    brandingFields(after, context.before),
  );
  for (const type of sortedKeys(before.emails, after.emails)) {
    const place: Place = { kind: "BrandingEmail", name: type };
    compareFields(context, place, { ...before.emails[type] }, { ...after.emails[type] });
  }
  compareWebhooks(context, before.webhooks, after.webhooks);
  compareCompanies(context, before.companies, after.companies);
}

/** What is declared is held against what others declare, and what the service made of it against what an account shows. */
const brandingFields = ({ branding: { logo, ...declared } }: AccountModel, other: Side): Fields =>
  other.complete && logo !== undefined ? { ...declared, logoUrl: logo } : declared;

type Fields = Record<string, string | undefined>;
type Place = Pick<ResourceChange, "kind" | "name" | "id">;

function compareFields(context: Context, place: Place, before: Fields, after: Fields): void {
  const changed: FieldChange[] = [];
  for (const field of FIELD_ORDER.filter((name) => before[name] !== undefined || after[name] !== undefined)) {
    const [a, b] = [before[field], after[field]];
    if (a !== undefined && b !== undefined && isSame(field, a, b)) continue;
    const change: FieldChange = {
      field,
      ...(a !== undefined && { before: a }),
      ...(b !== undefined && { after: b }),
    };
    const one = { ...place, ...owner(context), action: "change" as const, fields: [change] };
    const reason = environmentReason(context, { ...place, ...owner(context), field }, a, b);
    if (reason) context.result.environment.push({ ...one, reason });
    else if (isUnmanaged(context, a, b)) context.result.unmanaged.push({ ...one, reason: unmanagedReason(context) });
    else changed.push(change);
  }
  if (changed.length > 0) {
    context.result.changes.push({ ...place, ...owner(context), action: "change", fields: changed });
  }
}

/** The order in which people read the fields, and the only fields there are. */
const FIELD_ORDER = ["name", "email", "logoUrl", "colour", "subject", "content", "contentPlain", "type", "url"];

/** True when two values of a field mean the same: the service answers a value in a form of its own. */
export function isSame(field: string, a: string, b: string): boolean {
  if (a === b) return true;
  const canonical = CANONICAL[field];
  return canonical !== undefined && canonical(a) === canonical(b);
}

const CANONICAL: Record<string, (value: string) => string> = {
  name: canonicalName,
  email: (address) => address.toLowerCase(),
  colour: canonicalColour,
  logoUrl: canonicalLogo,
  subject: canonicalText,
  content: canonicalText,
  contentPlain: canonicalText,
  url: canonicalUrl,
};

function isUnmanaged({ before, after }: Context, a: unknown, b: unknown): boolean {
  return (
    (a === undefined && !before.complete && after.complete) || (b === undefined && !after.complete && before.complete)
  );
}

const unmanagedReason = ({ before, after }: Context) =>
  `not managed by ${before.complete ? after.label : before.label}`;

const owner = ({ company, companyId }: Context) => ({
  ...(company !== undefined && { company }),
  ...(companyId !== undefined && { companyId }),
});

interface Environment {
  environment?: string | undefined;
}

/** Whether two sides are known to be of different environments. */
export const differ = (a: Environment, b: Environment): boolean =>
  a.environment !== undefined && b.environment !== undefined && a.environment !== b.environment;

const differentEnvironments = ({ before, after }: Context) => differ(before, after);

function environmentReason(
  context: Context,
  place: FieldPlace,
  a: string | undefined,
  b: string | undefined,
): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (otherValues(context, place, a, b)) return "the same text with other values of the environment";
  if (place.field === "logoUrl") {
    const { before, after } = context;
    const twoAccounts = before.complete && after.complete && differentEnvironments(context);
    if (twoAccounts || (before.complete !== after.complete && host(a) !== host(b))) {
      return "the service keeps its own copy of a logo, under an address of its own in each account";
    }
  }
  return undefined;
}

/** Whether one side's template gives the other's text with the values of another environment. */
function otherValues(context: Context, place: FieldPlace, a: string, b: string, placeAfter = place): boolean {
  const { before, after } = context;
  if (!before.anyEnvironment && !after.anyEnvironment && !differentEnvironments(context)) return false;
  return before.fits?.(place, b, after) === true || after.fits?.(placeAfter, a, before) === true;
}

const host = (address: string) => parseUrl(address)?.host ?? "";

// ---- webhooks ----

function compareWebhooks(context: Context, before: readonly WebhookModel[], after: readonly WebhookModel[]): void {
  const left = [...before].sort(byWebhook);
  const right = [...after].sort(byWebhook);
  const content = ({ type, url }: WebhookModel) => `${type} ${canonicalUrl(url)}`;
  // Of several that are equal, each is itself first.
  takeEqual(left, right, (webhook) => webhook.id && `${webhook.id} ${content(webhook)}`);
  takeEqual(left, right, content);
  // Each side has names of its own for them: those of an account have none.
  const placeOf = ({ name }: WebhookModel): FieldPlace => ({
    kind: "Webhook",
    ...(name !== undefined && { name }),
    ...owner(context),
    field: "url",
  });
  const sameTemplate = (a: WebhookModel, b: WebhookModel) => otherValues(context, placeOf(a), a.url, b.url, placeOf(b));
  const hasTemplates = context.before.fits !== undefined || context.after.fits !== undefined;
  const templates = hasTemplates ? take(left, right, (a, b) => a.type === b.type && sameTemplate(a, b)) : [];
  const hosts = differentEnvironments(context)
    ? takeEqual(
        left,
        right,
        ({ type, url }) => (host(url) === "" ? undefined : `${type} ${pathOf(url)}`),
        // On one host, http in place of https for one is no matter of the environment.
        (a, b) => host(a.url) !== host(b.url),
      )
    : [];
  for (const [reason, pairs] of [
    ["the same webhook with other values of the environment", templates],
    ["the same webhook on a host of its environment", hosts],
  ] as const) {
    for (const [a, b] of pairs) {
      const fields = [{ field: "url", before: a.url, after: b.url }];
      const change = {
        kind: "Webhook" as const,
        name: nameOf(a),
        ...owner(context),
        action: "change" as const,
        fields,
      };
      context.result.environment.push({ ...change, reason });
    }
  }
  // The surest match first. An identifier is the service's, and says nothing about another account.
  const matches = [
    ({ name }: WebhookModel) => name,
    ({ id }: WebhookModel) => (differentEnvironments(context) ? undefined : id),
    // Another scheme, or who signs in there.
    ({ type, url }: WebhookModel) => (host(url) === "" ? undefined : `${type} ${host(url)} ${pathOf(url)}`),
  ];
  for (const [a, b] of matches.flatMap((key) => takeEqual(left, right, key))) {
    compareFields(context, { kind: "Webhook", name: nameOf(a) }, fieldsOf(a), fieldsOf(b));
  }
  for (const webhook of left) single(context, "remove", webhook);
  for (const webhook of right) single(context, "add", webhook);
}

function single(context: Context, action: "add" | "remove", webhook: WebhookModel): void {
  const side = action === "add" ? "after" : "before";
  const change: ResourceChange = {
    kind: "Webhook",
    name: nameOf(webhook),
    ...owner(context),
    action,
    ...(webhook.id !== undefined && { id: webhook.id }),
    fields: [
      { field: "type", [side]: webhook.type },
      { field: "url", [side]: webhook.url },
    ],
  };
  const [a, b] = action === "add" ? [undefined, webhook] : [webhook, undefined];
  if (isUnmanaged(context, a, b)) context.result.unmanaged.push({ ...change, reason: unmanagedReason(context) });
  else context.result.changes.push(change);
}

/** Takes the pairs that match out of both lists, each item once. */
function take<T>(left: T[], right: T[], match: (a: T, b: T) => boolean): [T, T][] {
  const pairs: [T, T][] = [];
  for (let i = 0; i < left.length; ) {
    const j = right.findIndex((b) => match(left[i]!, b));
    if (j < 0) i++;
    else pairs.push([left.splice(i, 1)[0]!, right.splice(j, 1)[0]!]);
  }
  return pairs;
}

/** The same for items that match when they have the same key: thousands are no matter. One without a key matches none. */
function takeEqual<T>(
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

const nameOf = (webhook: WebhookModel) => `${webhook.type} ${webhook.url}`;
const fieldsOf = ({ type, url }: WebhookModel): Fields => ({ type, url });

function pathOf(address: string): string {
  const url = parseUrl(address);
  return url ? url.pathname + url.search + url.hash : address;
}

function byWebhook(a: WebhookModel, b: WebhookModel): number {
  return order(nameOf(a), nameOf(b)) || order(a.id ?? "", b.id ?? "");
}

// ---- sub accounts ----

function compareCompanies(
  context: Context,
  before: readonly CompanyModel[] = [],
  after: readonly CompanyModel[] = [],
): void {
  const left = [...before].sort(byCompany);
  const right = [...after].sort(byCompany);
  const nameOf = ({ name }: CompanyModel) => canonicalName(name);
  // Code may leave a company's address alone: until somebody changes it, it is that of the first user.
  const emailOf = ({ email, userEmail }: CompanyModel) => (email ?? userEmail)?.toLowerCase();
  const ownId = ({ id }: CompanyModel) => (differentEnvironments(context) ? undefined : id);
  const hasStrangers = [...left, ...right].some(({ onlyId }) => onlyId) && !differentEnvironments(context);
  const pairs = [
    ...(hasStrangers ? take(left, right, (a, b) => (a.onlyId ?? b.onlyId) === true && a.id === b.id) : []),
    ...takeEqual(left, right, (each) => each.id && JSON.stringify([each.id, nameOf(each)])),
    // A new name, which may have been another's. Of another environment the same identifier alone proves nothing: two
    // partners' numbers may coincide.
    ...takeEqual(left, right, (each) => ownId(each) && JSON.stringify([each.id, emailOf(each)])),
    ...takeEqual(left, right, (each) => JSON.stringify([nameOf(each), emailOf(each)])),
    ...takeEqual(left, right, ownId),
    ...takeEqual(left, right, nameOf),
    ...takeEqual(left, right, (each) => each.id && JSON.stringify([each.id, emailOf(each)])),
  ].sort(([a], [b]) => byCompany(a, b));
  for (const [a, b] of pairs) {
    if (!isAmong(context.companies, a) && !isAmong(context.companies, b)) continue;
    const id = b.id ?? a.id;
    const inside = { ...context, company: (b.onlyId ? a : b).name, companyId: id };
    const place: Place = { kind: "Company", name: (a.onlyId ? b : a).name, ...(id !== undefined && { id }) };
    compareFields(context, place, companyFields(a), companyFields(b));
    if (a.account && b.account) compareAccounts(inside, a.account, b.account);
  }
  for (const [action, list] of [
    ["remove", left],
    ["add", right],
  ] as const)
    for (const company of list) if (isAmong(context.companies, company)) singleCompany(context, action, company);
}

const byCompany = (a: CompanyModel, b: CompanyModel) => order(a.name, b.name) || order(a.id ?? "", b.id ?? "");
const companyFields = ({ name, email, onlyId }: CompanyModel): Fields => (onlyId ? {} : { name, email });

function singleCompany(context: Context, action: "add" | "remove", company: CompanyModel): void {
  const side = action === "add" ? "after" : "before";
  const change: ResourceChange = {
    kind: "Company",
    name: company.name,
    action,
    ...(company.id !== undefined && { id: company.id }),
    fields: Object.entries(companyFields(company)).flatMap(([field, value]) =>
      value === undefined ? [] : [{ field, [side]: value }],
    ),
  };
  const [a, b] = action === "add" ? [undefined, company] : [company, undefined];
  if (isUnmanaged(context, a, b)) {
    context.result.unmanaged.push({ ...change, reason: unmanagedReason(context) });
    return;
  }
  context.result.changes.push(change);
  // What is in it comes or goes with it; said as well, since it is what people look for.
  const content = company.account ?? emptyAccount();
  const inside = { ...context, company: company.name, companyId: company.id };
  if (action === "add") compareAccounts(inside, emptyAccount(), content);
  else compareAccounts(inside, content, emptyAccount());
}

function sortedKeys(...records: Record<string, EmailText>[]): string[] {
  return [...new Set(records.flatMap(Object.keys))].sort(order);
}
