/** What an account contains, read with a client. Results never contain keys. */
import { branding } from "../../definitions/branding";
import { brandingEmail } from "../../definitions/branding-email";
import { company } from "../../definitions/company";
import { contact } from "../../definitions/contact";
import { type KindDefinition, readRecord } from "../../definitions/kind";
import { user } from "../../definitions/user";
import { webhook } from "../../definitions/webhook";
import type { EnvelopeSummary } from "../../sdk/api/envelope/response-records";
import type { Client } from "../../sdk/client";
import type { BrandingEmailType, EnvelopeStatus } from "../../sdk/known-values";
import type {
  BrandingEmailInfo,
  BrandingInfo,
  CompanyDetails,
  CompanyInfo,
  ContactInfo,
  EnvelopeArgs,
  EnvelopeDetails,
  EnvelopeInfo,
  EnvelopesArgs,
  GetCompanyArgs,
  GetWebhookArgs,
  UsageInfo,
  UserInfo,
  WebhookInfo,
} from "./function-types";

/** What a function returns of an object: its fields and outputs, without secrets. */
const recordOf = <R>(kind: KindDefinition, response: object): R => readRecord(kind, response) as R;

const value = <T>(returned: T | null | undefined): T | undefined => returned ?? undefined;

export const accountQueries = {
  getBranding: async (client: Client): Promise<BrandingInfo> =>
    recordOf<BrandingInfo>(branding, await client.branding.get()),
  getBrandingEmails: async (client: Client): Promise<BrandingEmailInfo[]> => {
    const { branding_emails } = await client.branding.emails();
    return branding_emails.map((email) => ({
      ...recordOf<BrandingEmailInfo>(brandingEmail, email),
      type: email.branding_email_type as BrandingEmailType,
    }));
  },
  getWebhooks: async (client: Client): Promise<WebhookInfo[]> => {
    const webhooks = await client.webhooks.list().all();
    return webhooks.map((each) => recordOf<WebhookInfo>(webhook, each));
  },
  getWebhook: async (client: Client, { webhookId }: GetWebhookArgs): Promise<WebhookInfo> => {
    // Only the list has when it was suspended. It may lag behind.
    for await (const each of client.webhooks.list()) {
      if (each.webhook_id === String(webhookId)) return recordOf<WebhookInfo>(webhook, each);
    }
    return recordOf<WebhookInfo>(webhook, await client.webhooks.get({ webhook_id: webhookId }));
  },
  getUsers: async (client: Client): Promise<UserInfo[]> => {
    const users = await client.users.list().all();
    return users.map((each) => recordOf<UserInfo>(user, each));
  },
  getContacts: async (client: Client): Promise<ContactInfo[]> => {
    const contacts = await client.contacts.list().all();
    return contacts.map((each) => ({
      ...recordOf<ContactInfo>(contact, each),
      outstandingDocuments: each.contact_outstanding_documents,
    }));
  },
  getCompanies: async (client: Client): Promise<CompanyInfo[]> => {
    const companies = await client.companies.list().all();
    return companies.map((each) => recordOf<CompanyInfo>(company, each));
  },
  getCompany: async (client: Client, { companyId }: GetCompanyArgs): Promise<CompanyDetails> => {
    const one = await client.companies.get({ company_id: companyId });
    // The specification has it under the other name.
    const created = one.company_created ?? one.contact_created;
    return {
      ...recordOf<CompanyInfo>(company, { ...one, company_name: one.company_name ?? "", company_created: created }),
      usage: (one.company_usage ?? []).map(({ month, year, sent }) => ({ month, year, sent })),
    };
  },
  getUsage: async (client: Client): Promise<UsageInfo> => {
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
  getEnvelopes: async (client: Client, { statuses, limit }: EnvelopesArgs): Promise<EnvelopeInfo[]> => {
    const envelopes: EnvelopeInfo[] = [];
    if (limit === 0) return envelopes;
    for await (const envelope of client.envelopes.list()) {
      const info = envelopeInfo(envelope);
      if (statuses === undefined || statuses.includes(info.status)) envelopes.push(info);
      if (envelopes.length === limit) break;
    }
    return envelopes;
  },
  getEnvelope: async (client: Client, { fingerprint }: EnvelopeArgs): Promise<EnvelopeDetails> => {
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
