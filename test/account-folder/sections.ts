/** Accounts in the sections of account.yaml: short to write in a test, and to compare. */
import { type EmailText, emailTexts } from "../../definitions/branding-email";
import { type AccountModel, type CompanyModel, type Fields, type Item, soleFields } from "../../definitions/model";

/** An object with its identifier and its name beside its fields. */
type Flat = { id?: string; name?: string; key?: string } & Fields;

export interface Sections {
  branding: Fields;
  emails: Record<string, EmailText>;
  webhooks: Flat[];
  users?: Flat[];
  contacts?: Flat[];
  settings?: Fields;
  companies?: (Omit<CompanyModel, "account"> & { account?: Sections })[];
}

/** `name` is a field of people, who are called `key` in a folder. */
const itemOf = ({ id, ...fields }: Flat, nameIn: "name" | "key"): Item => {
  const { [nameIn]: name, ...rest } = fields;
  return { ...(id !== undefined && { id }), ...(name !== undefined && { name }), fields: rest };
};
const flat = ({ id, name, fields }: Item, nameIn: "name" | "key"): Flat => ({
  ...(id !== undefined && { id }),
  ...(name !== undefined && { [nameIn]: name }),
  ...fields,
});

export const noSections = (): Sections => ({ branding: {}, emails: {}, webhooks: [] });

export function accountOf(sections: Partial<Sections>): AccountModel {
  const { branding = {}, emails = {}, webhooks = [], users, contacts, settings, companies } = sections;
  const texts = Object.entries(emails).map(([name, fields]): Item => ({ name, fields: { ...fields } }));
  return {
    items: {
      ...(Object.keys(branding).length > 0 && { Branding: [{ fields: { ...branding } }] }),
      ...(texts.length > 0 && { BrandingEmail: texts }),
      ...(webhooks.length > 0 && { Webhook: webhooks.map((each) => itemOf(each, "name")) }),
      ...(users && { User: users.map((each) => itemOf(each, "key")) }),
      ...(contacts && { Contact: contacts.map((each) => itemOf(each, "key")) }),
      ...(settings && { Settings: [{ fields: { ...settings } }] }),
    },
    ...(companies && {
      companies: companies.map(({ account, ...own }) => ({ ...own, ...(account && { account: accountOf(account) }) })),
    }),
  };
}

export function sectionsOf(account: AccountModel): Sections {
  const { items, companies } = account;
  return {
    branding: soleFields(account, "Branding"),
    emails: { ...emailTexts(account) },
    webhooks: (items.Webhook ?? []).map((each) => flat(each, "name")),
    ...(items.User && { users: items.User.map((each) => flat(each, "key")) }),
    ...(items.Contact && { contacts: items.Contact.map((each) => flat(each, "key")) }),
    ...(items.Settings && { settings: soleFields(account, "Settings") }),
    ...(companies && {
      companies: companies.map(({ account: own, ...rest }) => ({ ...rest, ...(own && { account: sectionsOf(own) }) })),
    }),
  };
}
