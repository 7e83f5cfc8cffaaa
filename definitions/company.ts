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
import { type Item, isStub } from "./model";
import { normalizeEmail, normalizeName } from "./text/normalize";

export const companyArguments = {
  /** Name of the company. */
  name: argument(text, { label: "name", apiName: "company_name", normalize: normalizeName }),
  /** Name of its first user. It cannot be changed later. */
  userName: argument(
    text,
    { label: "first user's name", apiName: "user_name", isOptional: true, returned: "never" },
    { isCreateOnly: true },
  ),
  /** Email address of its first user, one that no other account uses. It cannot be changed later. */
  userEmail: argument(
    email,
    {
      label: "first user's email address",
      apiName: "user_email",
      normalize: normalizeEmail,
      isOptional: true,
      returned: "never",
    },
    { isCreateOnly: true },
  ),
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

/**
 * What people call it.
 * @internal
 */
export const companyName = ({ id, fields }: Item): string => fields.name ?? `with the id ${id}`;
/**
 * Code may omit a company's address: until it is changed, it is that of the first user.
 * @internal
 */
export const companyEmail = ({ fields: { email, userEmail = "" } }: Item): string | undefined =>
  normalizeEmail(email || userEmail) || undefined;

const normalizedName = (item: Item) => normalizeName(companyName(item));
const withId = (key: (item: Item) => string | undefined) => (item: Item) =>
  item.id && JSON.stringify([item.id, key(item)]);

/** @internal */
export const company: KindDefinition = defineKind({
  kind: "Company",
  nouns: ["company", "companies"],
  label: (name) => `subaccount ${name}`,
  arguments: companyArguments,
  outputs: companyOutputs,
  naturalKey: ["name", "userEmail"],
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

  nameOf: companyName,
  itemNamed: (name) => ({ fields: { name } }),
  // Not by the natural key: the API does not return the first user, whose address a company has until it gets another one.
  identity: (item) => JSON.stringify([normalizedName(item), companyEmail(item)]),
  matchRules: ({ isOtherEnvironment }) => [
    ...(isOtherEnvironment ? [] : [{ key: ({ id }: Item) => id, when: (a: Item, b: Item) => isStub(a) || isStub(b) }]),
    { key: withId(normalizedName) },
    // A new name, which may have been another one's before. Two partners' ids may coincide, so that across environments
    // an id alone proves nothing.
    ...(isOtherEnvironment ? [] : [{ key: withId(companyEmail) }]),
    { key: company.identity },
    ...(isOtherEnvironment ? [] : [{ key: ({ id }: Item) => id }]),
    { key: normalizedName },
    { key: withId(companyEmail) },
  ],

  async read(client) {
    const companies = await client.companies.list().all();
    return companies.map((record) => {
      const fields = presentFields(fromApi(company, record));
      return { id: record.company_id, fields: { ...fields, name: record.company_name } };
    });
  },
  fromState({ id, name, inputs }) {
    const declared = textsOf(inputs, Object.keys(company.fields));
    return { ...(id !== undefined && { id }), fields: { ...declared, name: declared.name ?? name } };
  },
});
