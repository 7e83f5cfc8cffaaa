/** A typed client for the whole API, usable without Pulumi. */

export type { BrandingEmailRecord, BrandingEmailType } from "./api/branding";
export { brandingEmailTypes, brandingEmailVariables, unspecifiedEmailTypes } from "./api/branding";
export type { CompanyRecord } from "./api/companies";
export type { ContactEnvelope, ContactRecord } from "./api/contacts";
export type { Endpoint, ListShape, Method } from "./api/endpoint";
export type { EnvelopeStatus, EnvelopeSummary } from "./api/envelopes";
export { envelopeStatuses, unspecifiedEnvelopeStatuses } from "./api/envelopes";
export * from "./api/index";
export * from "./api/methods";
export type { OtherSettings, SettingsRecord, SettingValue, SignatureFormat } from "./api/settings";
export { signatureFormats } from "./api/settings";
export type { TemplateRecord } from "./api/templates";
export type { UsageRecord } from "./api/usage";
export type { RoleId, UserRecord } from "./api/users";
export { roleIds } from "./api/users";
export type { WebhookRecord, WebhookType } from "./api/webhooks";
export { unspecifiedWebhookTypes, webhookTypes } from "./api/webhooks";
export * from "./client";
export { type Edition, editions } from "./edition";
export { type ContentDocument, type FileNaming, fileFromPath, fileFromStream } from "./envelopes/document-file";
export {
  type EnvelopeClient,
  type EnvelopeRecord,
  type FindOptions,
  findCreated,
  withCorrelationId,
} from "./envelopes/find-created";
export { finalStatuses, type WaitOptions, waitFor } from "./envelopes/wait-for-status";
export { type Explanation, errorCodes, explain, explainStatus } from "./error-codes";
export * from "./errors";
export * from "./options";
