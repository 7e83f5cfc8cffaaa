/** The members of notifications, and which of them each event is documented to have. */
import { parseJson } from "./json";

/** A document of an envelope. Which members it has depends on the event. Those that are not listed here are preserved. */
export interface EventDocument {
  document_title?: string;
  document_fingerprint?: string;
  document_pdf?: string;
  document_download?: string;
  [member: string]: unknown;
}

/** A field of an envelope. Members that are not listed here are preserved. */
export interface EventField {
  field_id?: string;
  field_name?: string;
  field_type?: string;
  field_value?: string | null;
  [member: string]: unknown;
}

type Reader<T> = (value: unknown) => T | undefined;

/** Form fields are texts; minimal notifications have JSON values. */
const text: Reader<string> = (value) =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
/** An ID is a number in one form and a string in the other. An empty one is missing, as is an empty link. */
const id: Reader<string> = (value) => text(value) || undefined;
const integer: Reader<number> = (value) => {
  const digits = text(value);
  return digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
};

/** A value that form fields contain as JSON. */
const json: Reader<unknown> = (value) => {
  if (typeof value !== "string") return value ?? undefined;
  try {
    return value === "" ? undefined : parseJson(value);
  } catch {
    return undefined;
  }
};

/**
 * A list, whose items are read one by one: an odd one is left out, and does not take the others with it. A list from which an item was
 * removed is an object with indices in PHP, and an object without them is the only item.
 */
const listOf =
  <T>(item: Reader<T>): Reader<T[]> =>
  (value) => {
    const list = json(value);
    if (typeof list !== "object" || list === null) return undefined;
    const isIndexed = Object.keys(list).every((name) => /^\d+$/.test(name));
    const items = isIndexed ? Object.values(list) : [list];
    const found = items.map(item).filter((read) => read !== undefined && read !== null);
    return found.length === 0 && items.length > 0 ? undefined : found;
  };

/** An item with members of these types. IDs are texts; a member that cannot be read is left out. */
const itemWith =
  <T extends object>(readers: Record<string, Reader<unknown>>): Reader<T> =>
  (value) => {
    const item = json(value);
    if (!isObject(item)) return undefined;
    const entries = Object.entries(item).map(([name, member]) => {
      const read = Object.hasOwn(readers, name) ? readers[name]! : name.endsWith("_id") ? idOrSame : same;
      return [name, read(member)] as const;
    });
    return Object.fromEntries(entries.filter(([, member]) => member !== undefined)) as T;
  };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const same: Reader<unknown> = (value) => value;
const idOrSame: Reader<unknown> = (value) => (typeof value === "number" ? String(value) : value);
const string: Reader<string> = (value) => (typeof value === "string" ? value : undefined);
/** What a person has entered: a checkbox may be a boolean. */
const entered: Reader<string | null> = (value) =>
  value === null ? null : typeof value === "boolean" ? String(value) : text(value);

const document = itemWith<EventDocument>({
  document_title: text,
  document_fingerprint: id,
  document_pdf: text,
  document_download: text,
});
const field = itemWith<EventField>({ field_id: id, field_name: text, field_type: text, field_value: entered });

/** How each member is read. */
export const readers = {
  company_id: id,
  client_ip: text,
  user_id: id,
  user_name: text,
  user_email: text,
  role: text,
  contact_id: id,
  contact_name: text,
  contact_email: text,
  party_id: id,
  signature_fingerprint: text,
  envelope_fingerprint: id,
  envelope_title: text,
  envelope_documents: listOf(document),
  envelope_fields: listOf(field),
  envelope_download: text,
  envelope_signing_embed: id,
  envelope_meta: json,
  envelope_bounce_email: text,
  envelope_bounce_reason: text,
  envelope_bounce_url: text,
  signing_page_link: id,
  verification_session_expires_at: id,
  document_id: id,
  document_title: text,
  template_fingerprint: id,
  template_title: text,
  template_page_total: integer,
  template_pages: listOf((page) => json(page) ?? page),
  template_thumbnails: listOf(string),
  failure_reason: text,
  failure_message: text,
} satisfies Record<string, Reader<unknown>>;

export type MemberName = keyof typeof readers;
export type Members = { [M in MemberName]: Exclude<ReturnType<(typeof readers)[M]>, undefined> };

const origin = ["company_id", "client_ip"] as const;
const contact = ["contact_id", "contact_name", "contact_email"] as const;
const envelope = ["envelope_fingerprint", "envelope_documents", "envelope_download"] as const;
const user = "user_id";
const fields = "envelope_fields";
const meta = "envelope_meta";
/** Where the next party signs, in accounts with embedded signing. Who has the link can sign. */
const embed = "envelope_signing_embed";
const signature = "signature_fingerprint";
const bounce = ["envelope_bounce_email", "envelope_bounce_reason", "envelope_bounce_url"] as const;
const template = ["template_title", "template_page_total", "template_pages", "template_thumbnails"] as const;

/**
 * For each action the members that its classic form has, and those that it may have. Where the documentation is not complete, the
 * rest is optional. Of the last action it has the name only.
 */
export const members = {
  "send-envelope": [
    [...envelope, ...contact],
    [...origin, user, meta, embed],
  ],
  "signed-envelope": [
    [...envelope, ...contact, ...origin, user, fields, signature],
    ["party_id", meta, embed],
  ],
  "signed-envelope-complete": [[...envelope, ...origin, user, fields], [meta]],
  "cancelled-envelope": [["envelope_fingerprint", "envelope_title", ...origin, user], [meta]],
  "rejected-envelope": [
    ["envelope_fingerprint", "document_id", "document_title", ...contact, signature],
    [...origin, user, meta],
  ],
  "expired-envelope": [
    ["envelope_fingerprint", "envelope_title", user, "company_id"],
    ["client_ip", meta],
  ],
  "opened-envelope": [[...envelope, ...contact, ...origin, user], [meta]],
  "bounced-envelope": [
    ["envelope_fingerprint", ...bounce, ...origin],
    ["envelope_title", meta],
  ],
  "send-envelope-failed": [
    ["envelope_fingerprint", "client_ip"],
    ["company_id", meta],
  ],
  "qes-ready": [
    ["envelope_fingerprint", "party_id", ...contact, "verification_session_expires_at", "company_id"],
    ["signing_page_link", "client_ip", user, meta],
  ],
  "qes-signed": [
    ["envelope_fingerprint", "envelope_documents", fields, "party_id", ...contact, signature],
    ["envelope_download", ...origin, user, meta],
  ],
  "verify-envelope-widget": [
    ["envelope_fingerprint", "envelope_documents", ...contact, ...origin],
    [user, meta],
  ],
  "verified-envelope-widget": [
    [...envelope, ...contact, "company_id"],
    [fields, user, "client_ip", meta],
  ],
  "add-template": [
    ["template_fingerprint", ...template, "company_id"],
    [user, "client_ip"],
  ],
  "add-contact": [[...contact, ...origin], [user]],
  "add-user": [[user, "user_name", "user_email", "role", ...origin], []],
  "qes-failed": [["envelope_fingerprint", "failure_reason", "failure_message", "company_id"], [meta]],
  "signed-envelope-widget": [[], ["envelope_fingerprint", ...origin]],
} as const satisfies Record<string, readonly [required: readonly MemberName[], optional: readonly MemberName[]]>;

/** The actions that this version knows. */
export type Action = keyof typeof members;
