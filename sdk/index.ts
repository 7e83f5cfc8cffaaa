/** A typed client for the whole API, usable without Pulumi. */

export type { BrandingEmailRecord } from "./api/branding";
export type { CompanyRecord } from "./api/companies";
export type { ContactEnvelope, ContactRecord } from "./api/contacts";
export type { Endpoint, ListShape, Method } from "./api/endpoint";
export type { EnvelopeSummary } from "./api/envelope/response-records";
export * from "./api/index";
export * from "./api/methods";
export type { JsonValue } from "./api/scalars";
export type { OtherSettings, SettingsRecord, SettingValue } from "./api/settings";
export type { TemplateRecord } from "./api/templates";
export type { UsageRecord } from "./api/usage";
export type { UserRecord } from "./api/users";
export type { WebhookRecord } from "./api/webhooks";
export * from "./client";
export { type Edition, editions } from "./edition";
export * from "./email-variables";
export { type ContentDocument, type FileNaming, fileFromPath, fileFromStream } from "./envelopes/document-file";
export { finalStatuses } from "./envelopes/final-statuses";
export {
  type EnvelopeClient,
  type EnvelopeRecord,
  type FindOptions,
  findCreated,
  withCorrelationId,
} from "./envelopes/find-created";
export { type WaitOptions, waitFor } from "./envelopes/wait-for-status";
export { type Explanation, errorCodes, explain, explainStatus } from "./error-codes";
export * from "./errors";
export * from "./known-values";
export * from "./options";
