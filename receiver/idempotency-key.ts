/** A key for each event, so that an event that is delivered twice is handled once. The service sends none. */
import { createHash } from "node:crypto";
import type { NotificationEvent } from "./event";
import { type MemberName, readers } from "./event-members";

const link = "a link: a second delivery may have a new one";
const detail = "describes what the IDs name, and may be written in another way at another delivery";
const time = "when a session ends, which may be later at another delivery";

/** For each member whether it says which event it is, besides its form, action and time; and why. */
export const identity: Readonly<Record<MemberName, readonly [counts: boolean, reason: string]>> = {
  company_id: [true, "the same envelope or ID in another account is another event"],
  envelope_fingerprint: [true, "the envelope"],
  template_fingerprint: [true, "the template"],
  document_id: [true, "of an envelope with several documents each may be rejected, in the same second"],
  contact_id: [true, "of several parties each may open or sign, in the same second"],
  party_id: [true, "a contact may be two parties of one envelope"],
  user_id: [true, "the new user, or who has acted"],
  signature_fingerprint: [true, "the signature"],
  envelope_bounce_email: [true, "an envelope may bounce for several parties, which the event has no ID of"],
  client_ip: [false, "where it was done from"],
  contact_name: [false, detail],
  contact_email: [false, detail],
  user_name: [false, detail],
  user_email: [false, detail],
  role: [false, detail],
  envelope_title: [false, detail],
  envelope_documents: [false, "has links"],
  envelope_fields: [false, "may have links to files"],
  envelope_meta: [false, detail],
  envelope_download: [false, link],
  envelope_signing_embed: [false, link],
  envelope_bounce_reason: [false, detail],
  envelope_bounce_url: [false, link],
  failure_reason: [false, detail],
  failure_message: [false, detail],
  signing_page_link: [false, link],
  verification_session_expires_at: [false, time],
  document_title: [false, detail],
  template_title: [false, detail],
  template_page_total: [false, detail],
  template_pages: [false, "may have links"],
  template_thumbnails: [false, "has links"],
};

/** A link, also inside JSON as PHP writes it. */
const hasLink = (value: string) => /\\?\/\\?\//.test(value);

/**
 * SHA-256, in hexadecimal, of one line for each of: the form, the action, the time as it was written, and the members that the event has
 * and that say which one it is ({@link identity}), in that order: `name=value`. Of an action that this version does not know all
 * members may say so, except those that the table excludes and those with a link. The same event has the same key in each delivery and at
 * each webhook that uses the same form.
 */
export function idempotencyKey(event: NotificationEvent): string {
  const [action, members] =
    event.action === "unknown"
      ? [event.unknown_action, unknownMembers(event.raw)]
      : [event.action, knownMembers(event)];
  const lines = [["form", event.form], ["action", action], ["action_date", event.action_date_text], ...members];
  return createHash("sha256")
    .update(lines.map((line) => line.join("=")).join("\n"))
    .digest("hex");
}

type Line = [name: string, value: string];

/** Also where the documentation of the action does not name the member. */
function knownMembers({ raw }: NotificationEvent): Line[] {
  const names = (Object.keys(identity) as MemberName[]).filter((name) => identity[name][0]);
  return names.flatMap((name): Line[] => {
    const value = readers[name](raw[name]);
    return value === undefined || value === "" ? [] : [[name, String(value)]];
  });
}

function unknownMembers({ action: _, action_date: __, ...raw }: Readonly<Record<string, unknown>>): Line[] {
  return Object.entries(raw)
    .map(([name, value]): Line => [name, typeof value === "string" ? value : JSON.stringify(value)])
    .filter(([name, value]) => (isMember(name) ? identity[name][0] : !hasLink(value)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const isMember = (name: string): name is MemberName => Object.hasOwn(identity, name);
