/**
 * What an account holds, as data for programs. Each function comes in two forms: one that takes and gives plain values, and
 * one for outputs (`…Output`), which is the one to use when an argument or the provider's key may not be known yet. Keys
 * of companies are never among the results.
 */
import * as pulumi from "@pulumi/pulumi";
import type { BrandingEmailType } from "../sdk/branding";
import type { Client } from "../sdk/client";
import type { EnvelopeStatus, EnvelopeSummary } from "../sdk/envelopes";
import type { WebhookType } from "../sdk/webhooks";
import { settingsOfProvider } from "./provider";
import { type AccountArgument, accountId } from "./resource";
import type { Session } from "./session";
import { settingNames } from "./settings";
import { type Properties, plain } from "./unknowns";

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

const value = <T>(given: T | null | undefined): T | undefined => given ?? undefined;

const asked = {
  branding: async (client: Client): Promise<BrandingInfo> => {
    const answer = await client.branding.get();
    return { logo: value(answer.branding_logo), colour: value(answer.branding_colour) };
  },
  brandingEmails: async (client: Client): Promise<BrandingEmailInfo[]> => {
    const { branding_emails } = await client.branding.emails();
    return branding_emails.map((email) => ({
      type: email.branding_email_type as BrandingEmailType,
      subject: value(email.branding_email_subject),
      content: value(email.branding_email_content),
      contentPlain: value(email.branding_email_content_plain),
      updatedAt: value(email.branding_email_updated),
    }));
  },
  webhooks: async (client: Client): Promise<WebhookInfo[]> => {
    const webhooks = await client.webhooks.list().all();
    return webhooks.map((webhook) => ({
      webhookId: webhook.webhook_id,
      type: webhook.webhook_type as WebhookType,
      url: webhook.webhook_url,
      createdAt: value(webhook.webhook_created),
    }));
  },
  companies: async (client: Client): Promise<CompanyInfo[]> => {
    const companies = await client.companies.list().all();
    return companies.map((company) => ({
      companyId: company.company_id,
      name: company.company_name,
      email: value(company.company_email),
      createdAt: value(company.company_created),
    }));
  },
  usage: async (client: Client): Promise<UsageInfo> => {
    const usage: UsageInfo = {
      currentPeriod: { start: undefined, end: undefined },
      previousPeriod: { start: undefined, end: undefined },
      companies: [],
    };
    for await (const page of client.usage.list().pages()) {
      usage.currentPeriod = { start: value(page.current_start_date), end: value(page.current_end_date) };
      usage.previousPeriod = { start: value(page.previous_start_date), end: value(page.previous_end_date) };
      for (const company of page.companies) {
        usage.companies.push({
          companyId: company.company_id,
          name: value(company.company_name),
          current: company.current_usage,
          previous: company.previous_usage,
          createdAt: value(company.company_created),
        });
      }
    }
    return usage;
  },
  envelopes: async (client: Client, { statuses, limit }: EnvelopesArgs): Promise<EnvelopeInfo[]> => {
    const found: EnvelopeInfo[] = [];
    if (limit === 0) return found;
    for await (const envelope of client.envelopes.list()) {
      const info = envelopeInfo(envelope);
      if (statuses === undefined || statuses.includes(info.status)) found.push(info);
      if (found.length === limit) break;
    }
    return found;
  },
  envelope: async (client: Client, { fingerprint }: EnvelopeArgs): Promise<EnvelopeDetails> => {
    const envelope = await client.envelopes.get({ envelope_fingerprint: fingerprint });
    return {
      ...envelopeInfo(envelope),
      documents: (envelope.envelope_documents ?? []).map((document) => ({
        fingerprint: value(document.document_fingerprint),
        title: value(document.document_title),
        pages: value(document.document_page_total),
        pdfUrl: value(document.document_pdf_url),
      })),
      parties: (envelope.envelope_parties ?? []).map((party) => ({
        partyId: value(party.party_id),
        name: value(party.party_title),
        status: value(party.party_status),
        email: value(party.contact_email),
      })),
      signedPdf: value(envelope.envelope_signed_pdf),
      history: (envelope.envelope_history ?? []).map((entry) => ({
        detail: value(entry.history_detail),
        at: value(entry.history_date),
      })),
      meta: envelope.envelope_meta,
    };
  },
};

function envelopeInfo(envelope: EnvelopeSummary): EnvelopeInfo {
  return {
    fingerprint: envelope.envelope_fingerprint,
    title: value(envelope.envelope_title),
    status: envelope.envelope_status as EnvelopeStatus,
    redirectUrl: value(envelope.envelope_redirect_url),
    createdAt: value(envelope.envelope_created),
    sentAt: value(envelope.envelope_sent),
  };
}

/** The logo and the colour of an account. */
export const getBranding = plainForm("getBranding", asked.branding);
/** As {@link getBranding}, for outputs. */
export const getBrandingOutput = outputForm("getBranding", asked.branding);
/** All e-mails of an account. */
export const getBrandingEmails = plainForm("getBrandingEmails", asked.brandingEmails);
/** As {@link getBrandingEmails}, for outputs. */
export const getBrandingEmailsOutput = outputForm("getBrandingEmails", asked.brandingEmails);
/** All webhooks of an account. */
export const getWebhooks = plainForm("getWebhooks", asked.webhooks);
/** As {@link getWebhooks}, for outputs. */
export const getWebhooksOutput = outputForm("getWebhooks", asked.webhooks);
/** All sub accounts of a partner. Needs a partner-enabled key. */
export const getCompanies = plainForm("getCompanies", asked.companies);
/** As {@link getCompanies}, for outputs. */
export const getCompaniesOutput = outputForm("getCompanies", asked.companies);
/** What the sub accounts of a partner have sent. Needs a partner-enabled key. */
export const getUsage = plainForm("getUsage", asked.usage);
/** As {@link getUsage}, for outputs. */
export const getUsageOutput = outputForm("getUsage", asked.usage);
/** Envelopes of an account. */
export const getEnvelopes = plainForm("getEnvelopes", asked.envelopes);
/** As {@link getEnvelopes}, for outputs. */
export const getEnvelopesOutput = outputForm("getEnvelopes", asked.envelopes);
/** One envelope. */
export const getEnvelope = plainForm("getEnvelope", asked.envelope);
/** As {@link getEnvelope}, for outputs. */
export const getEnvelopeOutput = outputForm("getEnvelope", asked.envelope);

type Ask<A extends AccountArgs, R> = (client: Client, args: A) => Promise<R>;
type Given<A, O> = Partial<A> extends A ? [args?: A, opts?: O] : [args: A, opts?: O];

function plainForm<R, A extends AccountArgs = AccountArgs>(name: string, ask: Ask<A, R>) {
  return async (...[args = {} as A, opts = {}]: Given<A, InvokeOptions>): Promise<R> => {
    if (pulumi.CustomResource.isInstance(args?.account))
      throw new pulumi.RunError(`${name}: account must be the id of a company; ${name}Output takes a Company`);
    const settings = opts.provider === undefined ? undefined : await knownSettings(opts.provider);
    return answer(name, ask, args, settings);
  };
}

function outputForm<R, A extends AccountArgs = AccountArgs>(name: string, ask: Ask<A, R>) {
  return (...[given, opts = {}]: Given<OutputArgs<A>, InvokeOptions>): pulumi.Output<R> => {
    const args = { ...given } as Record<string, unknown>;
    if (args.account !== undefined) args.account = accountId(name, args.account);
    const settings = opts.provider === undefined ? undefined : settingsOf(opts.provider);
    // The key is used, not shown: it does not make a secret of what it opens.
    const inputs = pulumi.output([args, settings && pulumi.unsecret(settings)]);
    return inputs.apply((known) => {
      const [knownArgs, knownSettings] = known as unknown as [A, Record<string, string> | undefined];
      return answer(name, ask, knownArgs, knownSettings);
    }) as pulumi.Output<R>;
  };
}

/** One connection for each set of settings: limits and keys of sub accounts are shared. */
const sessions = new Map<string, Promise<Session>>();

async function answer<A extends AccountArgs, R>(
  name: string,
  ask: Ask<A, R>,
  args: A,
  settings: Record<string, string> | undefined,
): Promise<R> {
  // Programs of several stacks may run in one process, at the same time.
  const known = settings ?? settingsOfStack();
  const key = JSON.stringify(known);
  let session = sessions.get(key);
  if (session === undefined) {
    // The HTTP library is loaded by programs that ask something, not by all.
    session = import("./session.js").then((module) => new module.Session());
    sessions.set(key, session);
  }
  const connected = await session;
  connected.configure({ get: (name) => known[name.replace(/^esign:/, "")] });
  const given = plain(args as Properties);
  const { faultsOfCall } = await import("./function-arguments.js");
  const faults = faultsOfCall(name, given, connected.allowUnknownValues);
  if (faults.length > 0) throw new pulumi.RunError(`${name}: ${faults.join("; ")}`);
  try {
    const account = given.account === undefined ? undefined : String(given.account);
    return await ask(connected.account(account).client, given as A);
  } catch (error) {
    throw new pulumi.RunError(connected.redact(error instanceof Error ? error.message : String(error)));
  }
}

function settingsOfStack(): Record<string, string> {
  const given = settingNames.map((name) => [name, pulumi.runtime.getConfig(`esign:${name}`)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function settingsOf(provider: pulumi.ProviderResource): pulumi.Output<Record<string, string>> {
  const settings = settingsOfProvider(provider);
  if (settings === undefined) throw new pulumi.RunError("provider must be an esign.Provider");
  return settings;
}

/** The settings of a provider as plain values. */
function knownSettings(provider: pulumi.ProviderResource): Promise<Record<string, string>> {
  const settings = settingsOf(provider);
  return new Promise((resolve, reject) => {
    settings.apply(resolve);
    // In a preview the callback is not called for a value that is not known yet.
    (settings as unknown as { isKnown: Promise<boolean> }).isKnown.then((isKnown) => {
      if (!isKnown)
        reject(new pulumi.RunError("the provider's settings are not known yet: use the form that ends in Output"));
    }, reject);
  });
}
