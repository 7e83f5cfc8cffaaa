/** Which members a notification of each event has, in both forms of the service. */
import type { EventAction } from "../enums-by-edition";

const contact = ["contact_id", "contact_name", "contact_email"];
const envelope = ["envelope_fingerprint", "envelope_documents", "envelope_download"];
const bounce = ["envelope_bounce_email", "envelope_bounce_reason", "envelope_bounce_url"];

const origin = ["company_id", "client_ip"];

/**
 * Besides `action` and `action_date`, the members that are documented; those of cut pages end where the page does. The last event
 * is documented by name only.
 */
export const classicMembers: Record<EventAction, readonly string[]> = {
  "send-envelope": [...envelope, ...contact, "envelope_meta"],
  "signed-envelope": [
    ...origin,
    ...envelope,
    ...contact,
    "envelope_fields",
    "user_id",
    "signature_fingerprint",
    "envelope_meta",
  ],
  "signed-envelope-complete": [...origin, ...envelope, "envelope_fields", "user_id", "envelope_meta"],
  "cancelled-envelope": [...origin, "envelope_fingerprint", "envelope_title", "user_id", "envelope_meta"],
  "rejected-envelope": [
    "envelope_fingerprint",
    "document_id",
    "document_title",
    ...contact,
    "signature_fingerprint",
    "envelope_meta",
  ],
  "expired-envelope": ["company_id", "envelope_fingerprint", "envelope_title", "user_id"],
  "opened-envelope": [...origin, ...envelope, ...contact, "user_id", "envelope_meta"],
  "bounced-envelope": [...origin, "envelope_fingerprint", ...bounce],
  "send-envelope-failed": ["client_ip", "envelope_fingerprint", "envelope_meta"],
  "qes-ready": [
    "company_id",
    "envelope_fingerprint",
    "party_id",
    ...contact,
    "signing_page_link",
    "verification_session_expires_at",
    "envelope_meta",
  ],
  "qes-signed": [
    "envelope_fingerprint",
    "envelope_documents",
    "envelope_fields",
    "party_id",
    ...contact,
    "signature_fingerprint",
  ],
  "verify-envelope-widget": [
    ...origin,
    "envelope_fingerprint",
    "envelope_documents",
    ...contact,
    "user_id",
    "envelope_meta",
  ],
  "verified-envelope-widget": ["company_id", ...envelope, ...contact, "envelope_fields"],
  "add-template": [
    "company_id",
    "template_fingerprint",
    "template_title",
    "template_page_total",
    "template_pages",
    "template_thumbnails",
  ],
  "add-contact": [...origin, ...contact],
  "add-user": [...origin, "user_id", "user_name", "user_email", "role"],
  "qes-failed": ["company_id", "envelope_fingerprint", "failure_reason", "failure_message", "envelope_meta"],
  "signed-envelope-widget": ["envelope_fingerprint"],
};

/** Besides `action`, `action_date` and `company_id`. Of other events the documentation is missing: they have the fingerprint. */
export const minimalMembers: Partial<Record<EventAction, readonly string[]>> = {
  "add-contact": ["contact_id"],
  "add-template": ["template_fingerprint"],
  "add-user": ["user_id"],
  "bounced-envelope": ["envelope_fingerprint", "envelope_title", ...bounce],
};

/** Events that have the link to the next party's signing page, in accounts with embedded signing. */
export const embedded: readonly EventAction[] = ["send-envelope", "signed-envelope"];

/** The members of documents, where an event has not all of them. */
export const documentMembers: Partial<Record<EventAction, readonly string[]>> = {
  "verify-envelope-widget": ["document_title", "document_fingerprint", "document_download"],
  "qes-signed": ["document_title", "document_fingerprint"],
};
