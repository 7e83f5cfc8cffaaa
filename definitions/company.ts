/** The subaccounts of a partner. What is inside of them is an account's configuration again. */
import { z } from "zod";
import { api } from "../sdk/api";
import { apiNames, type FieldTable, fromApi, type Item } from "./field";
import { type ConfigKind, presentFields, textsOf } from "./kind";
import type { CompanyModel } from "./model";
import { normalizeName } from "./text/normalize";

const lower = (address: string) => address.toLowerCase();

/** The API returns names as its pages display them. */
export const companyFields: FieldTable = {
  fields: {
    name: { label: "name", apiName: "company_name", normalize: normalizeName },
    userName: {
      label: "first user's name",
      apiName: "user_name",
      isCreateOnly: true,
      isOptional: true,
      returned: "never",
    },
    userEmail: {
      label: "first user's email address",
      apiName: "user_email",
      normalize: lower,
      isCreateOnly: true,
      isOptional: true,
      returned: "never",
    },
    email: { label: "email address", apiName: "company_email", normalize: lower, isOptional: true },
  },
};

/** What company.yaml may contain besides the fields. */
export const companyOptions = {
  /** What happens when an identical company exists. */
  onExisting: z.enum(["adopt", "fail", "create"], "must be adopt, fail or create").optional(),
  /** Whether the company is protected from deletion (default: true). */
  deletionProtection: z.boolean("must be true or false").optional(),
};

const normalizedName = (item: Item) => normalizeName(item.name ?? "");
/** Code may omit a company's address: until it is changed, it is that of the first user. */
const emailOf = ({ fields: { email, userEmail } }: Item) => (email ?? userEmail)?.toLowerCase();
const withId = (key: (item: Item) => string | undefined) => (item: Item) =>
  item.id && JSON.stringify([item.id, key(item)]);

export const company: ConfigKind = {
  kind: "Company",
  label: (name) => `subaccount ${name}`,
  ...companyFields,
  isCreatable: true,
  storage: "company.yaml",
  forms: [
    {
      form: api.companies.create.form,
      names: apiNames(companyFields, ["name", "userName", "userEmail"]),
      defaults: { company_name: "unknown", user_name: "unknown", user_email: "unknown@unknown.invalid" },
    },
    { form: api.companies.update.form, names: apiNames(companyFields, ["email"]) },
  ],

  nameOf: ({ name }) => name,
  itemNamed: (name) => ({ name, fields: { name } }),
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
      const fields = presentFields(fromApi(companyFields, record));
      return { id: record.company_id, name: record.company_name, fields: { ...fields, name: record.company_name } };
    });
  },
  fromState({ id, name, inputs }) {
    const declared = textsOf(inputs, Object.keys(companyFields.fields));
    const named = { ...declared, name: declared.name ?? name };
    return { ...(id !== undefined && { id }), name: named.name, fields: named };
  },
  toInputs: (item) => item.fields,
};

const toItem = ({ id, name, email, userName, userEmail, account, isStub }: CompanyModel): Item => ({
  ...(id !== undefined && { id }),
  name,
  fields: isStub ? {} : { name, email, userName, userEmail },
  ...(account && { content: account }),
  ...(isStub && { isStub }),
});

/** A subaccount in the form of the model. */
export const toCompany = ({ id, name = "", fields: { email, userName, userEmail }, content }: Item): CompanyModel => ({
  ...(id !== undefined && { id }),
  name,
  ...(email !== undefined && { email }),
  ...(userName !== undefined && { userName }),
  ...(userEmail !== undefined && { userEmail }),
  ...(content && { account: content }),
});
