/** The subaccounts of a partner. What is inside of them is an account's configuration again. */
import { z } from "zod";
import { api } from "../sdk/api";
import { email, text } from "../sdk/api/scalars";
import { unmaskedKey } from "../sdk/auth/masked-key";
import {
  argument,
  deletionProtection,
  onExisting,
  optionalOutput,
  output,
  type RecordOf,
  type ValuesOf,
} from "./argument";
import { apiNames, fromApi } from "./field";
import { defineKind, type KindDefinition, presentFields, textsOf } from "./kind";
import type { CompanyModel, Item } from "./model";
import { normalizeEmail, normalizeName } from "./text/normalize";

export const companyArguments = {
  /** Name of the company. */
  name: argument(text, { label: "name", apiName: "company_name", normalize: normalizeName }),
  /** Name of its first user. It cannot be changed later. */
  userName: argument(text, {
    label: "first user's name",
    apiName: "user_name",
    isCreateOnly: true,
    isOptional: true,
    returned: "never",
  }),
  /** Email address of its first user, one that no other account uses. It cannot be changed later. */
  userEmail: argument(email, {
    label: "first user's email address",
    apiName: "user_email",
    normalize: normalizeEmail,
    isCreateOnly: true,
    isOptional: true,
    returned: "never",
  }),
  /** Main email address of the company. Default: chosen by the API from the first user's. */
  email: argument(email.optional(), {
    label: "email address",
    apiName: "company_email",
    normalize: normalizeEmail,
    isOptional: true,
  }),
  /** What to do if an identical company exists: `adopt` it, `fail`, or `create` a second one. Default: adopt. */
  onExisting: onExisting(),
  /** Protects the company, with all data in it, from being deleted. Default: true. */
  deletionProtection: deletionProtection(),
};
/** What a program declares. */
export interface CompanyValues extends ValuesOf<typeof companyArguments> {}

const companyOutputs = {
  /** Identifier of the company. */
  companyId: output("company_id", { isKey: true }),
  /** The company's own key. Secret. After a rotation, `up` reads the new one. */
  apiKey: output("company_api_key", { isSecret: true, isRotated: true, read: unmaskedKey }),
  /** Identifier of its first user; absent for an adopted company. */
  userId: optionalOutput("user_id", { isOfNewObjects: true }),
  /** When it was created. */
  createdAt: optionalOutput("company_created"),
};
/** Outputs besides the arguments. */
export interface CompanyOutputs extends ValuesOf<typeof companyOutputs> {}

/** A subaccount of a partner, without its key: use `account` to work in it. */
export interface CompanyInfo
  extends RecordOf<typeof companyArguments & typeof companyOutputs, "companyId" | "name", "email" | "createdAt"> {}

/**
 * What company.yaml may contain besides the fields.
 * @internal
 */
export const companyOptions = {
  /** What happens when an identical company exists. */
  onExisting: z.enum(["adopt", "fail", "create"], "must be adopt, fail or create").optional(),
  /** Whether the company is protected from deletion (default: true). */
  deletionProtection: z.boolean("must be true or false").optional(),
};

const normalizedName = ({ name = "", fields }: Item) => normalizeName(fields.name ?? name);
/** Code may omit a company's address: until it is changed, it is that of the first user. */
const emailOf = ({ fields: { email = "", userEmail = "" } }: Item) => normalizeEmail(email || userEmail) || undefined;
const withId = (key: (item: Item) => string | undefined) => (item: Item) =>
  item.id && JSON.stringify([item.id, key(item)]);

/** @internal */
export const company: KindDefinition = defineKind({
  kind: "Company",
  nouns: ["company", "companies"],
  label: (name) => `subaccount ${name}`,
  arguments: companyArguments,
  outputs: companyOutputs,
  createOnly: ["userName", "userEmail"],
  naturalKey: ["name", "userEmail"],
  defaults: { onExisting: "adopt", deletionProtection: true },
  isCreatable: true,
  storage: "company.yaml",
  forms: [
    {
      form: api.companies.create.form,
      names: apiNames(companyArguments, ["name", "userName", "userEmail"]),
      defaults: { company_name: "unknown", user_name: "unknown", user_email: "unknown@unknown.invalid" },
    },
    { form: api.companies.update.form, names: apiNames(companyArguments, ["email"]) },
  ],

  nameOf: ({ name }) => name,
  itemNamed: (name) => ({ name, fields: { name } }),
  // Not by the natural key: the API does not return the first user, whose address a company has until it gets another one.
  identity: (item) => JSON.stringify([normalizedName(item), emailOf(item)]),
  matchRules: ({ isOtherEnvironment }) => [
    ...(isOtherEnvironment
      ? []
      : [{ key: ({ id }: Item) => id, when: (a: Item, b: Item) => (a.isStub ?? b.isStub) === true }]),
    { key: withId(normalizedName) },
    // A new name, which may have been another one's before. Two partners' ids may coincide, so that across environments
    // an id alone proves nothing.
    ...(isOtherEnvironment ? [] : [{ key: withId(emailOf) }]),
    { key: company.identity },
    ...(isOtherEnvironment ? [] : [{ key: ({ id }: Item) => id }]),
    { key: normalizedName },
    { key: withId(emailOf) },
  ],

  items: ({ companies = [] }) => companies.map(toItem),
  add(account, item) {
    account.companies ??= [];
    account.companies.push(toCompany(item));
  },

  async read(client) {
    const companies = await client.companies.list().all();
    return companies.map((record) => {
      const fields = presentFields(fromApi(company, record));
      return { id: record.company_id, name: record.company_name, fields: { ...fields, name: record.company_name } };
    });
  },
  fromState({ id, name, inputs }) {
    const declared = textsOf(inputs, Object.keys(company.fields));
    const named = { ...declared, name: declared.name ?? name };
    return { ...(id !== undefined && { id }), name: named.name, fields: named };
  },
  toInputs: (item) => item.fields,
});

const toItem = ({ id, name, email, userName, userEmail, account, isStub }: CompanyModel): Item => ({
  ...(id !== undefined && { id }),
  name,
  fields: isStub ? {} : { name, email, userName, userEmail },
  ...(account && { content: account }),
  ...(isStub && { isStub }),
});

/**
 * A subaccount in the form of the model.
 * @internal
 */
export const toCompany = ({ id, name = "", fields: { email, userName, userEmail }, content }: Item): CompanyModel => ({
  ...(id !== undefined && { id }),
  name,
  ...(email !== undefined && { email }),
  ...(userName !== undefined && { userName }),
  ...(userEmail !== undefined && { userEmail }),
  ...(content && { account: content }),
});
