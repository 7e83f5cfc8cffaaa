/**
 * The documented values of enums. The file imports nothing: users' programs depend on its types, and editors load them at each keystroke.
 */

/** Any other string: a value that the service may have added since. Editors still suggest the documented ones. */
export type NewValue = string & {};

/** Types of email template that the specification lacks and the current edition of the service has. */
export const unspecifiedEmailTypes = ["email-send-password"] as const;

/** The types of email template. */
export const brandingEmailTypes = [
  "email-cancelled",
  "email-rejected",
  "email-reminder",
  "email-reminder-password",
  "email-send",
  "email-signed",
  "email-widget-verify",
  ...unspecifiedEmailTypes,
] as const;
export type BrandingEmailType = (typeof brandingEmailTypes)[number] | NewValue;

/** Event types that the specification lacks and the current edition of the service has. */
export const unspecifiedWebhookTypes = [
  "bounced-envelope",
  "verify-envelope-widget",
  "signed-envelope-widget",
  "send-envelope-failed",
  "expired-envelope",
  "qes-ready",
  "qes-signed",
  "qes-failed",
] as const;

/** The event types that a webhook can be registered for. */
export const webhookTypes = [
  "send-envelope",
  "signed-envelope",
  "cancelled-envelope",
  "rejected-envelope",
  "add-user",
  "add-contact",
  "opened-envelope",
  "add-template",
  "all",
  "signed-envelope-complete",
  ...unspecifiedWebhookTypes,
] as const;
export type WebhookType = (typeof webhookTypes)[number] | NewValue;

/** Statuses that the specification lacks and the current edition of the service has. */
export const unspecifiedEnvelopeStatuses = ["rejected", "verify", "qes_in_progress"] as const;

/** The statuses of an envelope. */
export const envelopeStatuses = [
  "draft",
  "processing",
  "sent",
  "signed",
  "cancelled",
  "expired",
  "failed",
  ...unspecifiedEnvelopeStatuses,
] as const;
export type EnvelopeStatus = (typeof envelopeStatuses)[number] | NewValue;

/** How a signature can be made. */
export const signatureFormats = ["drawn", "typed", "upload"] as const;
export type SignatureFormat = (typeof signatureFormats)[number];

/** What a user may do: `1` user, `2` administrator, `3` super administrator. */
export const roleIds = ["1", "2", "3"] as const;
export type RoleId = (typeof roleIds)[number];
