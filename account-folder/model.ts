/**
 * An account's configuration as plain data: what is read from the service, from a folder or from a stack, compared,
 * linted, rendered and written. Knows neither Pulumi nor a URL of the service. Names are those that users type.
 */

/** One branding e-mail (§2.2). A member that is absent is not managed, or not set. */
export interface EmailText {
  /** Subject line. */
  subject?: string;
  /** HTML body. */
  content?: string;
  /** Plain-text body. */
  contentPlain?: string;
}

/** One webhook (§2.3). */
export interface WebhookModel {
  /** The service's identifier, when it is known. */
  id?: string;
  /** Its name in a folder or a program; the service knows none. */
  name?: string;
  type: string;
  url: string;
}

/** The configuration of one account. */
export interface AccountModel {
  branding: {
    /** Address of the logo. */
    logoUrl?: string;
    /** Where the service keeps its copy of it, which is what an account shows: a state knows both. */
    logo?: string;
    /** Hex colour code. */
    colour?: string;
  };
  /** By type of e-mail. */
  emails: Record<string, EmailText>;
  webhooks: WebhookModel[];
  /** Sub accounts of a partner (§2.4); absent for an account that is not a partner. */
  companies?: CompanyModel[];
}

/** A sub account and its own configuration. Never holds its key. */
export interface CompanyModel {
  id?: string;
  /** Its directory's name below `companies/` in a folder, when it was loaded from one. */
  slug?: string;
  name: string;
  /** True where nothing else is known of it, and the name is made up. */
  isStub?: true;
  email?: string;
  /** First user: known to folders and programs; the service tells it on creation only. */
  userName?: string;
  userEmail?: string;
  /** Absent when it was not read. */
  account?: AccountModel;
}

/** An account of which nothing is known or wanted. */
export const emptyAccount = (): AccountModel => ({ branding: {}, emails: {}, webhooks: [] });

/** A sub account as its partner has it, without what else the partner has. */
export const asPartner = (company: CompanyModel): AccountModel => ({ ...emptyAccount(), companies: [company] });
