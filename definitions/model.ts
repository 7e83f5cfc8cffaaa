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
  /** Its name in a folder or program: the type of an email template, the key of a webhook in account.yaml, the directory of a subaccount. */
  name?: string;
  /** Never the key of a subaccount. */
  fields: Fields;
  /** A subaccount's own configuration, if it was read. */
  account?: AccountModel;
}

/**
 * The configuration of one account: its objects by kind. A kind is absent if it was not read or has no objects. Companies are absent for an
 * account that is not a partner's.
 */
export type AccountModel = Partial<Record<ResourceKind, Item[]>>;

/** True for an object of which nothing is known but its ID, such as a subaccount that another stack manages. */
export const isStub = ({ fields }: Item): boolean => Object.keys(fields).length === 0;

/** The fields of a singleton; empty if the account has none. */
export const soleFields = (account: AccountModel, kind: AccountKind): Fields => account[kind]?.[0]?.fields ?? {};
