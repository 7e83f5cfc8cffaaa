/**
 * An account's configuration as plain data: read from the API, from a folder or from a stack, then compared, linted,
 * rendered and written. Field names are those that users type.
 */

/** One email template. An absent field is not managed, or not set. */
export interface EmailText {
  /** Subject line. */
  subject?: string;
  /** HTML body. */
  content?: string;
  /** Plain-text body. */
  contentPlain?: string;
}

/** One webhook. */
export interface WebhookModel {
  /** The API's identifier, where known. */
  id?: string;
  /** Its name in a folder or a program; the API has none. */
  name?: string;
  type: string;
  url: string;
}

/** A person who works with the account. */
export interface UserModel {
  /** The API's identifier, where known. */
  id?: string;
  /** Its name in a folder or a program. */
  key?: string;
  name: string;
  email: string;
  role: string;
  /** Whether it is protected from deletion (default: true), as a text. */
  deletionProtection?: string;
}

/** A person to whom the account sends envelopes. */
export interface ContactModel {
  /** The API's identifier, where known. */
  id?: string;
  /** Its name in a folder or a program. */
  key?: string;
  name: string;
  email: string;
}

/** The configuration of one account. */
export interface AccountModel {
  branding: {
    /** URL of the logo; in an account, that of the API's copy. */
    logoUrl?: string;
    /** Hex colour code. */
    colour?: string;
  };
  /** By template type. */
  emails: Record<string, EmailText>;
  webhooks: WebhookModel[];
  users?: UserModel[];
  contacts?: ContactModel[];
  /** Texts by field; `other.<the API's name>` for one that has no field. */
  settings?: Record<string, string>;
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

/** An account without any configuration. A template's type may be any name, such as `constructor`. */
export const emptyAccount = (): AccountModel => ({ branding: {}, emails: Object.create(null), webhooks: [] });

/** A partner account with this subaccount only. */
export const asPartner = (company: CompanyModel): AccountModel => ({ ...emptyAccount(), companies: [company] });
