/** What a notification says, in both forms of the service. */

import type { Edition } from "../../../sdk/edition";
import { toJson } from "../big-ids-json";
import type { EventAction } from "../enums";

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
}

const contact = ["contact_id", "contact_name", "contact_email"];
const envelope = ["envelope_fingerprint", "envelope_documents", "envelope_download"];
const bounce = ["envelope_bounce_email", "envelope_bounce_reason", "envelope_bounce_url"];

/** Besides `action`, `action_date`, `company_id` and `client_ip`, which each has. The last two are documented by name only. */
const classicMembers: Record<EventAction, readonly string[]> = {
  "send-envelope": [...envelope, ...contact, "envelope_meta"],
  "signed-envelope": [...envelope, ...contact, "envelope_fields", "user_id", "signature_fingerprint"],
  "signed-envelope-complete": [...envelope, "envelope_fields", "user_id", "envelope_meta"],
  "cancelled-envelope": ["envelope_fingerprint", "envelope_title", "user_id", "envelope_meta"],
  "rejected-envelope": [
    "envelope_fingerprint",
    "document_id",
    "document_title",
    ...contact,
    "signature_fingerprint",
    "envelope_meta",
  ],
  "opened-envelope": [...envelope, ...contact, "user_id", "envelope_meta"],
  "bounced-envelope": ["envelope_fingerprint", ...bounce],
  "verify-envelope-widget": ["envelope_fingerprint", "envelope_documents", ...contact, "user_id", "envelope_meta"],
  "verified-envelope-widget": [...envelope, ...contact, "envelope_fields"],
  "add-template": [
    "template_fingerprint",
    "template_title",
    "template_page_total",
    "template_pages",
    "template_thumbnails",
  ],
  "add-contact": contact,
  "add-user": ["user_id", "user_name", "user_email", "role"],
  "signed-envelope-widget": ["envelope_fingerprint"],
  "send-envelope-failed": ["envelope_fingerprint"],
};

/** Besides `action`, `action_date` and `company_id`. Of other events the documentation is missing: they have the fingerprint. */
const minimalMembers: Partial<Record<EventAction, readonly string[]>> = {
  "add-contact": ["contact_id"],
  "add-template": ["template_fingerprint"],
  "add-user": ["user_id"],
  "bounced-envelope": ["envelope_fingerprint", "envelope_title", ...bounce],
};

/** The body of a notification and its type. */
export function formatNotification(event: WebhookEvent, form: Form): { type: string; body: string } {
  const { action, account, extra } = event;
  // Unlike the timestamps of the API, these have a colon.
  const date = event.date.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");
  const base = { action, action_date: date, company_id: account };
  if (form.minimal) {
    const names = minimalMembers[action] ?? ["envelope_fingerprint"];
    return { type: "application/json", body: toJson({ ...base, ...pick(event.members, names), ...extra }) };
  }
  const names = classicMembers[action];
  // The older edition has the party as well.
  const older = form.edition === "specification" && action === "signed-envelope" ? ["party_id"] : [];
  const members = { ...base, client_ip: event.ip, ...pick(event.members, [...names, ...older]), ...extra };
  const fields = Object.entries(members).map(([name, value]) => [name, fieldText(value)]);
  return {
    type: "application/x-www-form-urlencoded",
    body: new URLSearchParams(Object.fromEntries(fields)).toString(),
  };
}

function pick(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, members[name] ?? null]));
}

/** A form field: structured values are JSON, and what is missing is empty. */
function fieldText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? toJson(value) : String(value);
}
