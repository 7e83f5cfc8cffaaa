/**
 * What the names of a folder's values stand for in the texts of another side: what is given, what a sub account gives itself, and
 * what can be learnt where the other side is an account of another environment.
 */

import { escapeHtml } from "../../sdk/text/html-escape";
import { type LoadedAccount, type LoadedFolder, placeholdersOf, type Values } from "../folder/load";
import type { AccountFolder } from "../folder/read";
import type { AccountModel } from "../model";
import { markUnresolved, type Template } from "../template/template";
import { groupBy } from "../text/group-by";
import { isSameName } from "../text/normalize";
import { type ConfigSource, type FieldPlace, isOtherEnvironment } from "./comparison";
import { matchTemplate } from "./match-template";

export interface KnownValues {
  /** What stands for them in the folder's own texts: of the account, or of a sub account. */
  at(company?: string): Values;
  /** What surely stands for them in the texts of another side. */
  given(other: ConfigSource, company?: string): Values;
  /** The same, or in one of its texts, with what can be learnt. */
  of(other: ConfigSource, company?: string, text?: string): Values;
}

export interface KnownOptions {
  values?: Values;
  environment?: string;
  otherValues?: Values;
  templateOf: (place: FieldPlace) => Template | undefined;
}

export function knownValues({ account, folder }: LoadedFolder, options: KnownOptions): KnownValues {
  const { values, otherValues = {} } = options;
  const own = (company?: string): Values =>
    accountIn(account, company)?.folder.company?.settings.settings?.values ?? {};
  const isOwn = (company: string | undefined, name: string) => Object.hasOwn(own(company), name);
  const withoutOwn = (values: Values, company: string | undefined): Values =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !isOwn(company, name)));
  const at = (company?: string): Values => ({ ...(values ?? openValues(folder)), ...own(company) });

  const given = (other: ConfigSource, company?: string): Values =>
    // A folder says all that its names stand for.
    other.ownValues ? { ...at(company), ...other.ownValues(company) } : withoutOwn(otherValues, company);

  const lessons = (company: string | undefined, model: AccountModel | undefined, known: Values): Lesson[] => {
    const taught = accountIn(account, company);
    const read = (place: FieldPlace, text: string) => {
      const template = options.templateOf(place);
      return template && matchTemplate(template, text, kindOf(place.field), withoutOwn(known, company));
    };
    return taught && model ? lessonsIn(taught, model, company, read) : [];
  };
  const learn = (model: AccountModel, company: string | undefined): Values => {
    const { companies = [] } = model;
    if (company === undefined) {
      const inside = companies.flatMap(({ name, account }) =>
        lessons(name, account, otherValues).filter((each) => !isOwn(name, each.name)),
      );
      return mostFrequent([...lessons(undefined, model, otherValues), ...inside]);
    }
    // What a sub account gives itself is none of the environment's.
    const outer = learnt(model);
    const other = companies.find(({ name }) => isSameName(name, company))?.account;
    const inside = lessons(company, other, { ...outer, ...otherValues }).filter(({ name }) => isOwn(company, name));
    return { ...withoutOwn(outer, company), ...mostFrequent(inside) };
  };
  const remembered = new Map<AccountModel, Map<string | undefined, Values>>();
  const learnt = (model: AccountModel, company?: string): Values => {
    const all = remembered.get(model) ?? new Map<string | undefined, Values>();
    remembered.set(model, all);
    const found = all.get(company) ?? learn(model, company);
    all.set(company, found);
    return found;
  };

  const of = (other: ConfigSource, company?: string, text?: string): Values => {
    const sure = given(other, company);
    if (other.ownValues) return sure;
    if (values !== undefined && !isOtherEnvironment(options, other)) return { ...at(company), ...sure };
    // One that was learnt is not surely gone where it is not found: it may be wrong.
    const isThere = (value: string) => text === undefined || text.includes(value) || text.includes(escapeHtml(value));
    const found = Object.entries(learnt(other.model, company)).filter(([, value]) => isThere(value));
    return { ...Object.fromEntries(found), ...sure };
  };
  return { at, given, of };
}

/** How the values show that a folder names, where none is given. */
const openValues = (folder: AccountFolder): Values =>
  Object.assign(
    {},
    ...placeholdersOf(folder).map(({ name }) => ({ [name]: markUnresolved(name) })),
    ...folder.companies.map(openValues),
  );

/** A value that a text was found to have. */
interface Lesson {
  name: string;
  value: string;
}

/** The values with which the templates of an account give another's texts. */
function lessonsIn(
  taught: LoadedAccount,
  other: AccountModel,
  company: string | undefined,
  read: (place: FieldPlace, text: string) => Values | undefined,
): Lesson[] {
  const inside = company === undefined ? {} : { company };
  const { colour } = other.branding;
  const emails = Object.entries(other.emails).flatMap(([name, email]) =>
    Object.entries<string>({ ...email }).map(([field, text]) =>
      read({ kind: "BrandingEmail", name, field, ...inside }, text),
    ),
  );
  const webhooks = taught.model.webhooks.map(({ name = "", type }) => {
    const alike = other.webhooks
      .filter((webhook) => webhook.type === type)
      .map(({ url }) => read({ kind: "Webhook", name, field: "url", ...inside }, url))
      .filter((values) => values !== undefined);
    // Of several, none is surely the one that was made from it.
    return alike.length === 1 ? alike[0] : undefined;
  });
  return [
    colour === undefined ? undefined : read({ kind: "Branding", field: "colour", ...inside }, colour),
    ...emails,
    ...webhooks,
  ].flatMap((values = {}) => Object.entries(values).map(([name, value]) => ({ name, value })));
}

/** Of several values that one name would have, the most frequent; none where two are. */
function mostFrequent(lessons: readonly Lesson[]): Values {
  const byName = groupBy(lessons, ({ name }) => name);
  return Object.fromEntries(
    [...byName.values()].flatMap((all) => {
      const [first, second] = [...groupBy(all, ({ value }) => value).values()].sort((a, b) => b.length - a.length);
      const { name, value } = first![0]!;
      return first!.length > (second?.length ?? 0) ? [[name, value]] : [];
    }),
  );
}

/** What a field's text is: in HTML, values are written with entities. */
export const kindOf = (field: string): "text" | "html" => (field === "content" ? "html" : "text");

/** The account of a folder, or one of its sub accounts by its name. */
export const accountIn = (root: LoadedAccount, owner: string | undefined): LoadedAccount | undefined =>
  owner === undefined ? root : root.companies.find(({ company }) => isSameName(company.name, owner));
