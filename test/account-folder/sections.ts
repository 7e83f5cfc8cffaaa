/** Accounts in the sections of account.yaml: short to write in a test, and to compare. */
import { type EmailText, emailTexts } from "../../definitions/branding-email";
import { type AccountModel, type Fields, type Item, soleFields } from "../../definitions/model";

/** An object with its identifier and its name beside its fields. */
type Flat = { id?: string; name?: string; key?: string } & Fields;

/** A subaccount: its directory, its fields and its own configuration. */
interface FlatCompany {
  id?: string;
  slug?: string;
  name?: string;
  email?: string;
  userName?: string;
  userEmail?: string;
  account?: Sections;
}

export interface Sections {
  branding: Fields;
  emails: Record<string, EmailText>;
  webhooks: Flat[];
  users?: Flat[];
  contacts?: Flat[];
  settings?: Fields;
  companies?: FlatCompany[];
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
    ...(Object.keys(branding).length > 0 && { Branding: [{ fields: { ...branding } }] }),
    ...(texts.length > 0 && { BrandingEmail: texts }),
    ...(webhooks.length > 0 && { Webhook: webhooks.map((each) => itemOf(each, "name")) }),
    ...(users && { User: users.map((each) => itemOf(each, "key")) }),
    ...(contacts && { Contact: contacts.map((each) => itemOf(each, "key")) }),
    ...(settings && { Settings: [{ fields: { ...settings } }] }),
    ...(companies && {
      Company: companies.map(({ id, slug, account, ...fields }) => ({
        ...(id !== undefined && { id }),
        ...(slug !== undefined && { name: slug }),
        fields,
        ...(account && { account: accountOf(account) }),
      })),
    }),
  };
}

export function sectionsOf(account: AccountModel): Sections {
  const { Webhook = [], User, Contact, Settings, Company } = account;
  return {
    branding: soleFields(account, "Branding"),
    emails: { ...emailTexts(account) },
    webhooks: Webhook.map((each) => flat(each, "name")),
    ...(User && { users: User.map((each) => flat(each, "key")) }),
    ...(Contact && { contacts: Contact.map((each) => flat(each, "key")) }),
    ...(Settings && { settings: soleFields(account, "Settings") }),
    ...(Company && {
      companies: Company.map(({ id, name, fields, account: own }) => ({
        ...(id !== undefined && { id }),
        ...(name !== undefined && { slug: name }),
        ...fields,
        ...(own && { account: sectionsOf(own) }),
      })),
    }),
  };
}
