/** A typed client for the service's whole interface, usable without Pulumi. */
export * from "./areas";
export type { BrandingEmailRecord, BrandingEmailType } from "./branding";
export { brandingEmailTypes, brandingEmailVariables } from "./branding";
export * from "./client";
export { type Explanation, explain, explainStatus, knownCodes } from "./codes";
export type { CompanyRecord } from "./companies";
export { type ContentDocument, type FileNaming, fileFromPath, fileFromStream } from "./documents";
export type { Endpoint, ListShape, Method } from "./endpoint";
export type { EnvelopeStatus, EnvelopeSummary } from "./envelopes";
export { envelopeStatuses } from "./envelopes";
export * from "./errors";
export { type EnvelopeClient, type EnvelopeRecord, type FindOptions, findCreated, withMarker } from "./lost";
export * from "./methods";
export * from "./options";
export type { UsageRecord } from "./usage";
export { finalStatuses, type WaitOptions, waitFor } from "./wait";
export type { WebhookRecord, WebhookType } from "./webhooks";
export { webhookTypes } from "./webhooks";
