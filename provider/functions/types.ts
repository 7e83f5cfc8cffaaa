/** What the functions take and answer. Keys of companies are never among the answers. */
import type * as pulumi from "@pulumi/pulumi";
import type { BrandingEmailType } from "../../sdk/api/branding";
import type { EnvelopeStatus } from "../../sdk/api/envelopes";
import type { WebhookType } from "../../sdk/api/webhooks";
import type { AccountArgument } from "../pulumi/resource-class";

/** Which account is asked. */
export interface InvokeOptions {
  /** An explicit provider. Default: the stack's configuration, then the environment. */
  provider?: pulumi.ProviderResource | undefined;
}

/** For functions without arguments of their own. */
export interface AccountArgs {
  /** The id of a sub account. Default: the account of the key. */
  account?: string | undefined;
}

/** Arguments as outputs: `account` may be a Company. */
export type OutputArgs<A> = { [K in keyof A]: K extends "account" ? AccountArgument | undefined : pulumi.Input<A[K]> };

/** The branding of an account (§2.1). */
export interface BrandingInfo {
  /** Address of the logo at the service. */
  logo: string | undefined;
  /** Brand colour, a hex code. */
  colour: string | undefined;
}

/** An e-mail of an account (§2.2). */
export interface BrandingEmailInfo {
  /** Which of the e-mails. */
  type: BrandingEmailType;
  /** Subject line. */
  subject: string | undefined;
  /** HTML body. */
  content: string | undefined;
  /** Plain-text body. */
  contentPlain: string | undefined;
  /** When it was last changed. */
  updatedAt: string | undefined;
}

/** A webhook of an account (§2.3). */
export interface WebhookInfo {
  /** Identifier. */
  webhookId: string;
  /** The event that is notified. */
  type: WebhookType;
  /** The address that is notified. */
  url: string;
  /** When it was created. */
  createdAt: string | undefined;
}

/** A sub account of a partner (§2.4), without its key: use `account` to work in it. */
export interface CompanyInfo {
  /** Identifier. */
  companyId: string;
  /** Name of the company. */
  name: string;
  /** Main e-mail address of the company. */
  email: string | undefined;
  /** When it was created. */
  createdAt: string | undefined;
}

/** Envelopes sent by the sub accounts of a partner (§2.5). The periods follow the account's billing date. */
export interface UsageInfo {
  /** Begin and end of the current billing period. */
  currentPeriod: Period;
  /** Begin and end of the billing period before. */
  previousPeriod: Period;
  companies: CompanyUsage[];
}

export interface Period {
  start: string | undefined;
  end: string | undefined;
}

export interface CompanyUsage {
  companyId: string;
  name: string | undefined;
  /** Envelopes sent in the current billing period, where the service says so. */
  current: number | undefined;
  /** Envelopes sent in the billing period before, where the service says so. */
  previous: number | undefined;
  createdAt: string | undefined;
}

/** An envelope in a list (§2.6). */
export interface EnvelopeInfo {
  /** Identifier. */
  fingerprint: string;
  title: string | undefined;
  /** One of the states of §3, or one that this version does not know. */
  status: EnvelopeStatus;
  /** Where the signer is taken after signing. */
  redirectUrl: string | undefined;
  createdAt: string | undefined;
  /** Absent while unsent. */
  sentAt: string | undefined;
}

/** One envelope with all that the service tells of it (§2.6). */
export interface EnvelopeDetails extends EnvelopeInfo {
  documents: {
    fingerprint: string | undefined;
    title: string | undefined;
    pages: number | undefined;
    /** Address of the document as PDF. */
    pdfUrl: string | undefined;
  }[];
  parties: {
    partyId: string | undefined;
    name: string | undefined;
    /** `signed` and `in progress` have been seen. */
    status: string | undefined;
    email: string | undefined;
  }[];
  /** Address of the signed PDF. */
  signedPdf: string | undefined;
  /** Newest first. */
  history: { detail: string | undefined; at: string | undefined }[];
  /** The data that was given at creation. */
  meta: unknown;
}

export interface EnvelopesArgs extends AccountArgs {
  /** Only envelopes in one of these states. Default: all. */
  statuses?: EnvelopeStatus[] | undefined;
  /** The most envelopes to return, newest or oldest first as the service lists them. Default: all. */
  limit?: number | undefined;
}

export interface EnvelopeArgs extends AccountArgs {
  /** Identifier of the envelope. */
  fingerprint: string;
}
