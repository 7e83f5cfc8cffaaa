/** What a notification says, in both forms of the service. */

import type { Edition } from "../../../sdk/edition";
import { toJson } from "../big-ids-json";
import type { EventAction } from "../enums-by-edition";
import { classicMembers, documentMembers, embedded, minimalMembers } from "./event-members";

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
