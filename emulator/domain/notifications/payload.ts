/** What a notification says, in both forms of the service. */

import type { Edition } from "../../../sdk/edition";
import { toJson } from "../big-ids-json";
import type { EventAction } from "../enums-by-edition";

/** Values by the service's names; each form contains some of them. */
export type Members = Readonly<Record<string, unknown>>;

/** An event that webhooks receive. */
export interface WebhookEvent {
  action: EventAction;
  /** ID of the account. */
  account: string;
  /** The emulator's time, in the API's format. */
  date: string;
  /** Address of who caused it. */
  ip: string;
  /** All that is known of its subject. */
  members: Members;
  /** Members that both forms contain, documented or not: those that a test sets. */
  extra?: Members;
}

export interface Form {
  edition: Edition;
  /** JSON with little more than IDs. */
  minimal: boolean;
  /** The account signs within pages of its own. */
  embeddedSigning: boolean;
}

const contact = ["contact_id", "contact_name", "contact_email"];
const envelope = ["envelope_fingerprint", "envelope_documents", "envelope_download"];
const bounce = ["envelope_bounce_email", "envelope_bounce_reason", "envelope_bounce_url"];

const origin = ["company_id", "client_ip"];

/**
 * Besides `action` and `action_date`, the members that are documented; those of cut pages end where the page does. The last event
 * is documented by name only.
 */
const classicMembers: Record<EventAction, readonly string[]> = {
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
const minimalMembers: Partial<Record<EventAction, readonly string[]>> = {
  "add-contact": ["contact_id"],
  "add-template": ["template_fingerprint"],
  "add-user": ["user_id"],
  "bounced-envelope": ["envelope_fingerprint", "envelope_title", ...bounce],
};

/** Events that have the link to the next party's signing page, in accounts with embedded signing. */
const embedded: readonly EventAction[] = ["send-envelope", "signed-envelope"];

/** The members of documents, where an event has not all of them. */
const documentMembers: Partial<Record<EventAction, readonly string[]>> = {
  "verify-envelope-widget": ["document_title", "document_fingerprint", "document_download"],
  "qes-signed": ["document_title", "document_fingerprint"],
};

/** The body of a notification and its type. */
export function formatNotification(event: WebhookEvent, form: Form): { type: string; body: string } {
  const { action, extra } = event;
  const base = { action, action_date: colonDate(event.date) };
  const all = membersOf(event, form);
  if (form.minimal) {
    const names = ["company_id", ...(minimalMembers[action] ?? ["envelope_fingerprint"])];
    return { type: "application/json", body: toJson({ ...base, ...pick(all, names), ...extra }) };
  }
  const names = [...classicMembers[action]];
  // The older edition has the party as well.
  if (form.edition === "specification" && action === "signed-envelope") names.push("party_id");
  if (embedded.includes(action) && all.envelope_signing_embed) names.push("envelope_signing_embed");
  const members = { ...base, ...pick(all, names), ...extra };
  const fields = Object.entries(members).map(([name, value]) => [name, fieldText(value)]);
  return {
    type: "application/x-www-form-urlencoded",
    body: new URLSearchParams(Object.fromEntries(fields)).toString(),
  };
}

/** All members, as the event has them. */
function membersOf({ action, account, ip, members }: WebhookEvent, { embeddedSigning }: Form): Members {
  const { envelope_documents: documents, verification_session_expires_at: expires } = members;
  const names = documentMembers[action];
  return {
    ...members,
    company_id: account,
    client_ip: ip,
    ...(Array.isArray(documents) && names && { envelope_documents: documents.map((one: Members) => pick(one, names)) }),
    // Before the address is verified, the sender is empty.
    ...(action === "verify-envelope-widget" && { user_id: "" }),
    ...(typeof expires === "string" && { verification_session_expires_at: colonDate(expires) }),
    ...(!embeddedSigning && { envelope_signing_embed: null, signing_page_link: null }),
  };
}

/** Unlike other timestamps of the API, those of notifications and sessions have a colon. */
export const colonDate = (date: string) => date.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");

function pick(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, members[name] ?? null]));
}

/** A form field: structured values are JSON, and what is missing is empty. */
function fieldText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? toJson(value) : String(value);
}
