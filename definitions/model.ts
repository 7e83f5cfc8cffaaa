/**
 * An account's configuration as plain data. It comes from the API, a folder or a state, and is then compared, linted, rendered or
 * written. Field names are the argument names that users write.
 */

export const resourceKinds = [
  "Branding",
  "BrandingEmail",
  "Webhook",
  "User",
  "Contact",
  "Settings",
  "Company",
] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** Kinds of objects that are accounts themselves. */
export type SubaccountKind = Extract<ResourceKind, "Company">;

/** Kinds of objects that an account contains. */
export type AccountKind = Exclude<ResourceKind, SubaccountKind>;

/** True for what is an account itself. */
export const isSubaccount = (kind: string | undefined): kind is SubaccountKind => kind === "Company";

/** Values by field name. An absent value is not set, or not managed. */
export type Fields = Record<string, string | undefined>;

/** One object of any kind, as comparisons and edits use it. */
export interface Item {
  /** The API's ID, if known. */
  id?: string;
  /** Its name in a folder or program: the type of an email template, the key of a webhook in account.yaml, the name of a subaccount. */
  name?: string;
  fields: Fields;
  /** A subaccount's own configuration, if it was read. */
  content?: AccountModel;
  /** True for a subaccount of which only the ID is known. */
  isStub?: true;
}

/** The configuration of one account. */
export interface AccountModel {
  /** Its objects by kind. A kind is absent if it was not read or has no objects. */
  items: Partial<Record<AccountKind, Item[]>>;
  /** Subaccounts; absent for an account that is not a partner's. */
  companies?: CompanyModel[];
}

/** A subaccount and its own configuration. It never contains the subaccount's key. */
export interface CompanyModel {
  id?: string;
  /** Name of its directory in `companies/`, if it was loaded from a folder. */
  slug?: string;
  name: string;
  /** True if only the ID is known. `name` is a placeholder then. */
  isStub?: true;
  email?: string;
  /** Name of the first user, from a folder or program. The API returns it only when the subaccount is created. */
  userName?: string;
  userEmail?: string;
  /** Its configuration; absent if it was not read. */
  account?: AccountModel;
}

/** An account without any configuration. */
export const emptyAccount = (): AccountModel => ({ items: {} });

/** A partner account with this subaccount only. */
export const asPartner = (company: CompanyModel): AccountModel => ({ ...emptyAccount(), companies: [company] });

/** The fields of a singleton; empty if the account has none. */
export const soleFields = ({ items }: AccountModel, kind: AccountKind): Fields => items[kind]?.[0]?.fields ?? {};
