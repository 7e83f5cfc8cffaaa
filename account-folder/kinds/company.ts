/** The subaccounts of a partner. What is inside of them is an account's configuration again. */
import { z } from "zod";
import { api } from "../../sdk";
import type { CompanyModel } from "../model";
import { normalizeName } from "../text/normalize";
import { type ConfigKind, type Item, presentFields, textsOf } from "./config-kind";

const fields: ConfigKind["fields"] = {
  name: { label: "name", normalize: normalizeName },
  userName: { label: "first user's name", isOptional: true, returned: "never" },
  userEmail: { label: "first user's email address", isOptional: true, returned: "never" },
  email: { label: "email address", normalize: (address) => address.toLowerCase(), isOptional: true },
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
  fields,
  isCreatable: true,
  storage: "company.yaml",
  forms: [
    {
      form: api.companies.create.form,
      names: { name: "company_name", userName: "user_name", userEmail: "user_email" },
      defaults: { company_name: "unknown", user_name: "unknown", user_email: "unknown@unknown.invalid" },
    },
    { form: api.companies.update.form, names: { email: "company_email" } },
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
    return companies.map(({ company_id, company_name, company_email }) => ({
      id: company_id,
      name: company_name,
      fields: { name: company_name, ...presentFields({ email: company_email }) },
    }));
  },
  fromState({ id, name, inputs }) {
    const declared = textsOf(inputs, Object.keys(fields));
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
