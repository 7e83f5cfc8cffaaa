/** The arguments and results of the functions. Results never contain keys. */
import type { BrandingInfo } from "../../definitions/branding";
import type { BrandingEmailInfo } from "../../definitions/branding-email";
import type { CompanyInfo } from "../../definitions/company";
import type { ContactInfo } from "../../definitions/contact";
import type { UserInfo } from "../../definitions/user";
import type { WebhookInfo } from "../../definitions/webhook";
import type { EnvelopeStatus } from "../../sdk/known-values";

export type { BrandingEmailInfo, BrandingInfo, CompanyInfo, ContactInfo, UserInfo, WebhookInfo };

/** For functions without arguments of their own. */
export interface AccountArgs {
  /** The id of a subaccount. Default: the key's own account. */
  account?: string | undefined;
}

export interface GetWebhookArgs extends AccountArgs {
  /** Identifier of the webhook. */
  webhookId: string;
}

/** A subaccount with what it has sent. */
export interface CompanyDetails extends CompanyInfo {
  /** Envelopes sent by month, in the API's order. */
  usage: MonthlyUsage[];
}

export interface MonthlyUsage {
  /** Name of the month, in English. */
  month: string;
  /** The year, in four digits. */
  year: string;
  /** Envelopes sent, if the API reports it. */
  sent: number | undefined;
}

export interface GetCompanyArgs {
  /** Identifier of the company. */
  companyId: string;
  /** A subaccount has none of its own. */
  account?: undefined;
}

/** Envelopes sent by the subaccounts of a partner. The periods follow the account's billing date. */
export interface UsageInfo {
  /** Start and end of the current billing period. */
  currentPeriod: Period;
  /** Start and end of the previous billing period. */
  previousPeriod: Period;
  /** Each subaccount. */
  companies: CompanyUsage[];
}

export interface Period {
  /** First day. */
  start: string | undefined;
  /** Last day. */
  end: string | undefined;
}

export interface CompanyUsage {
  /** Identifier. */
  companyId: string;
  /** Name of the company. */
  name: string | undefined;
  /** Envelopes sent in the current billing period, if the API reports it. */
  current: number | undefined;
  /** Envelopes sent in the previous billing period, if the API reports it. */
  previous: number | undefined;
  /** When it was created. */
  createdAt: string | undefined;
}

/** An envelope in a list. */
export interface EnvelopeInfo {
  /** Identifier. */
  fingerprint: string;
  /** Title, as recipients read it. */
  title: string | undefined;
  /** One of the known states, or one that this version does not know. */
  status: EnvelopeStatus;
  /** Where the signer is taken after signing. */
  redirectUrl: string | undefined;
  /** When it was created. */
  createdAt: string | undefined;
  /** When it was sent; absent before. */
  sentAt: string | undefined;
}

/** One envelope with all that the API returns of it. */
export interface EnvelopeDetails extends EnvelopeInfo {
  /** Its documents. */
  documents: {
    /** Identifier. */
    fingerprint: string | undefined;
    /** Title of the document. */
    title: string | undefined;
    /** Number of pages. */
    pages: number | undefined;
    /** URL of the document as PDF. */
    pdfUrl: string | undefined;
  }[];
  /** Who signs, approves or gets a copy. */
  parties: {
    /** Identifier. */
    partyId: string | undefined;
    /** Name of the party. */
    name: string | undefined;
    /** For example `signed` or `in progress`. */
    status: string | undefined;
    /** Email address of the party. */
    email: string | undefined;
  }[];
  /** URL of the signed PDF. */
  signedPdf: string | undefined;
  /** What happened to it, in the API's order. */
  history: {
    /** What happened. */
    detail: string | undefined;
    /** When. */
    at: string | undefined;
  }[];
  /** The data that was passed at creation. */
  meta: unknown;
}

export interface EnvelopesArgs extends AccountArgs {
  /** Only envelopes in one of these states. Default: all. */
  statuses?: EnvelopeStatus[] | undefined;
  /** The most envelopes to return, in the API's order. Default: all. */
  limit?: number | undefined;
}

export interface EnvelopeArgs extends AccountArgs {
  /** Identifier of the envelope. */
  fingerprint: string;
}

/** An envelope template of an account. */
export interface TemplateInfo {
  /** Identifier, for `document_template_fingerprint`. */
  fingerprint: string;
  /** Title, as the web app shows it. */
  title: string | undefined;
  /** Number of pages. */
  pages: number | undefined;
  /** Envelopes of the template that are not finished. */
  inProgress: number | undefined;
  /** URL at which anyone can sign it; only templates with one party have one. */
  widgetUrl: string | undefined;
  /** When it was uploaded. */
  uploadedAt: string | undefined;
  /** Who signs, with the fields that can be filled when an envelope is created. */
  parties: {
    /** Identifier, for `party_id`. */
    partyId: string;
    /** Name of the party, such as Client. */
    name: string | undefined;
    /** The fields. */
    mergeFields: {
      /** Identifier, for `field_id`. */
      fieldId: string;
      /** Name of the field. */
      label: string | undefined;
      /** Kind of the field, as the API names it. */
      type: string | undefined;
    }[];
  }[];
}

/** Which envelope template: by its title or its fingerprint. */
export interface TemplateArgs extends AccountArgs {
  /** Title, as the web app shows it. It must be the only one with this title. */
  title?: string | undefined;
  /** Identifier of the envelope template. */
  fingerprint?: string | undefined;
}

/** The result and the arguments of each function. `provider/functions/index.ts` says what each returns. */
export interface Queries {
  getBranding: Query<BrandingInfo>;
  getBrandingEmails: Query<BrandingEmailInfo[]>;
  getWebhooks: Query<WebhookInfo[]>;
  getWebhook: Query<WebhookInfo, GetWebhookArgs>;
  getCompanies: Query<CompanyInfo[]>;
  getCompany: Query<CompanyDetails, GetCompanyArgs>;
  getUsage: Query<UsageInfo>;
  getEnvelopes: Query<EnvelopeInfo[], EnvelopesArgs>;
  getEnvelope: Query<EnvelopeDetails, EnvelopeArgs>;
  getUsers: Query<UserInfo[]>;
  getContacts: Query<ContactInfo[]>;
  getTemplates: Query<TemplateInfo[]>;
  getTemplate: Query<TemplateInfo, TemplateArgs>;
}

export interface Query<R, A extends AccountArgs = AccountArgs> {
  /** The arguments that it takes. */
  args: A;
  /** What it resolves to. */
  result: R;
}

export type QueryName = keyof Queries;
