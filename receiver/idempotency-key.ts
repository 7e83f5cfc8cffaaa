/** A key for each event, so that an event that is delivered twice is handled once. The service sends none. */
import { createHash } from "node:crypto";
import type { NotificationEvent } from "./event";
import type { MemberName } from "./members";

/**
 * Members that say which event it is, besides its action and time. Links are not among them, since a second delivery may have new
 * ones.
 */
const identifyingMembers = [
  "company_id",
  "envelope_fingerprint",
  "contact_id",
  "party_id",
  "user_id",
  "template_fingerprint",
  "signature_fingerprint",
  "envelope_bounce_email",
] as const satisfies readonly MemberName[];

/**
 * SHA-256, in hexadecimal, of the form, the action, the time and the {@link identifyingMembers} that the event has; of an unknown
 * action, of all members. The same event has the same key in each delivery and at each webhook that uses the same form.
 */
export function idempotencyKey(event: NotificationEvent): string {
  const content =
    event.action === "unknown"
      ? Object.entries(event.raw).sort(([a], [b]) => (a < b ? -1 : 1))
      : identifyingMembers.map((name) => (event as Partial<Record<MemberName, unknown>>)[name] ?? null);
  const parts = [event.form, event.action, event.action_date_text, content];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
