/**
 * An account's configuration as plain data: read from the API, from a folder or from a stack, then compared, linted,
 * rendered and written. Field names are those that users type.
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

/** The kinds of what is in an account. */
export type AccountKind = Exclude<ResourceKind, "Company">;

/** Values by field; an absent one is not set, or not managed. */
export type Fields = Record<string, string | undefined>;

/** One object of any kind, in the form that comparisons and edits work on. */
export interface Item {
  /** The API's identifier, where known. */
  id?: string;
  /** Its name in a folder or program: an email template's type, a webhook's key in account.yaml, a subaccount's name. */
  name?: string;
  fields: Fields;
  /** The configuration inside a subaccount, where it was read. */
  content?: AccountModel;
  /** True for a subaccount of which only the id is known. */
  isStub?: true;
}

/** The configuration of one account. */
export interface AccountModel {
  /** Its objects; a kind that is absent was not read, or the account has none. */
  items: Partial<Record<AccountKind, Item[]>>;
  /** Subaccounts of a partner; absent for an account that is not a partner. */
  companies?: CompanyModel[];
}

/** A subaccount and its own configuration. Never contains its key. */
export interface CompanyModel {
  id?: string;
  /** The name of its directory in `companies/`, if it was loaded from a folder. */
  slug?: string;
  name: string;
  /** True if only the id is known; the name is a substitute. */
  isStub?: true;
  email?: string;
  /** First user: known to folders and programs; the API returns it on creation only. */
  userName?: string;
  userEmail?: string;
  /** Absent if it was not read. */
  account?: AccountModel;
}

/** An account without any configuration. */
export const emptyAccount = (): AccountModel => ({ items: {} });

/** A partner account with this subaccount only. */
export const asPartner = (company: CompanyModel): AccountModel => ({ ...emptyAccount(), companies: [company] });

/** The values of what an account has once. */
export const soleFields = ({ items }: AccountModel, kind: AccountKind): Fields => items[kind]?.[0]?.fields ?? {};
