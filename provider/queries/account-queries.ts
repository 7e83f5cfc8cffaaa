/** What an account contains, read with a client. Results never contain keys. */
import type { EnvelopeSummary } from "../../sdk/api/envelope/records";
import type { WebhookRecord } from "../../sdk/api/webhooks";
import type { Client } from "../../sdk/client";
import type { BrandingEmailType, EnvelopeStatus, WebhookType } from "../../sdk/known-values";
import type {
  BrandingEmailInfo,
  BrandingInfo,
  CompanyDetails,
  CompanyInfo,
  EnvelopeArgs,
  EnvelopeDetails,
  EnvelopeInfo,
  EnvelopesArgs,
  GetCompanyArgs,
  GetWebhookArgs,
  UsageInfo,
  WebhookInfo,
} from "./records";

const value = <T>(returned: T | null | undefined): T | undefined => returned ?? undefined;

export const accountQueries = {
  getBranding: async (client: Client): Promise<BrandingInfo> => {
    const response = await client.branding.get();
    return { logo: value(response.branding_logo), colour: value(response.branding_colour) };
  },
  getBrandingEmails: async (client: Client): Promise<BrandingEmailInfo[]> => {
    const { branding_emails } = await client.branding.emails();
    return branding_emails.map((email) => ({
      type: email.branding_email_type as BrandingEmailType,
      subject: value(email.branding_email_subject),
      content: value(email.branding_email_content),
      contentPlain: value(email.branding_email_content_plain),
      updatedAt: value(email.branding_email_updated),
    }));
  },
  getWebhooks: async (client: Client): Promise<WebhookInfo[]> => {
    const webhooks = await client.webhooks.list().all();
    return webhooks.map(webhookInfo);
  },
  getWebhook: async (client: Client, { webhookId }: GetWebhookArgs): Promise<WebhookInfo> => {
    // Only the list has when it was suspended. It may lag behind.
    for await (const webhook of client.webhooks.list()) {
      if (webhook.webhook_id === String(webhookId)) return webhookInfo(webhook);
    }
    return webhookInfo(await client.webhooks.get({ webhook_id: webhookId }));
  },
  getCompanies: async (client: Client): Promise<CompanyInfo[]> => {
    const companies = await client.companies.list().all();
    return companies.map((company) => ({
      companyId: company.company_id,
      name: company.company_name,
      email: value(company.company_email),
      createdAt: value(company.company_created),
    }));
  },
  getCompany: async (client: Client, { companyId }: GetCompanyArgs): Promise<CompanyDetails> => {
    const company = await client.companies.get({ company_id: companyId });
    return {
      companyId: company.company_id,
      name: company.company_name ?? "",
      email: value(company.company_email),
      // The specification has it under the other name.
      createdAt: value(company.company_created ?? company.contact_created),
      usage: (company.company_usage ?? []).map(({ month, year, sent }) => ({ month, year, sent })),
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

function webhookInfo(webhook: WebhookRecord): WebhookInfo {
  return {
    webhookId: webhook.webhook_id,
    type: webhook.webhook_type as WebhookType,
    url: webhook.webhook_url,
    createdAt: value(webhook.webhook_created),
    suspendedAt: value(webhook.webhook_suspended),
  };
}

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
