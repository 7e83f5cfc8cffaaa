/**
 * What an account contains, as data for programs. Each function has two forms: one with plain values, and one for outputs
 * (`…Output`), to use if an argument or the provider's key may not be known yet. Results never contain keys.
 */
import { invoke, invokeOutput } from "./invoke";

export type * from "../queries/function-types";
export type { InvokeOptions, OutputArgs } from "./invoke";

/** The logo and the colour of an account. */
export const getBranding = invoke("getBranding");
/** As {@link getBranding}, for outputs. */
export const getBrandingOutput = invokeOutput("getBranding");
/** All email templates of an account. */
export const getBrandingEmails = invoke("getBrandingEmails");
/** As {@link getBrandingEmails}, for outputs. */
export const getBrandingEmailsOutput = invokeOutput("getBrandingEmails");
/** All webhooks of an account. */
export const getWebhooks = invoke("getWebhooks");
/** As {@link getWebhooks}, for outputs. */
export const getWebhooksOutput = invokeOutput("getWebhooks");
/** One webhook. */
export const getWebhook = invoke("getWebhook");
/** As {@link getWebhook}, for outputs. */
export const getWebhookOutput = invokeOutput("getWebhook");
/** All subaccounts of a partner. Needs a partner key. */
export const getCompanies = invoke("getCompanies");
/** As {@link getCompanies}, for outputs. */
export const getCompaniesOutput = invokeOutput("getCompanies");
/** One subaccount of a partner, with what it has sent by month. Needs a partner key. */
export const getCompany = invoke("getCompany");
/** As {@link getCompany}, for outputs. */
export const getCompanyOutput = invokeOutput("getCompany");
/** What the subaccounts of a partner have sent. Needs a partner key. */
export const getUsage = invoke("getUsage");
/** As {@link getUsage}, for outputs. */
export const getUsageOutput = invokeOutput("getUsage");
/** Envelopes of an account. */
export const getEnvelopes = invoke("getEnvelopes");
/** As {@link getEnvelopes}, for outputs. */
export const getEnvelopesOutput = invokeOutput("getEnvelopes");
/** One envelope. */
export const getEnvelope = invoke("getEnvelope");
/** As {@link getEnvelope}, for outputs. */
export const getEnvelopeOutput = invokeOutput("getEnvelope");
/** All users of an account. */
export const getUsers = invoke("getUsers");
/** As {@link getUsers}, for outputs. */
export const getUsersOutput = invokeOutput("getUsers");
/** All contacts of an account. */
export const getContacts = invoke("getContacts");
/** As {@link getContacts}, for outputs. */
export const getContactsOutput = invokeOutput("getContacts");
/** All envelope templates of an account. */
export const getTemplates = invoke("getTemplates");
/** As {@link getTemplates}, for outputs. */
export const getTemplatesOutput = invokeOutput("getTemplates");
/** One envelope template, by its title or its fingerprint. */
export const getTemplate = invoke("getTemplate");
/** As {@link getTemplate}, for outputs. */
export const getTemplateOutput = invokeOutput("getTemplate");
