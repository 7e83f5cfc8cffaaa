/** The members of notifications, and which of them each event is documented to have. */

/** A document of an envelope. Members that are not listed here are preserved. */
export interface EventDocument {
  document_title: string;
  document_fingerprint: string;
  /** Not in every event. */
  document_pdf?: string;
  document_download: string;
  [member: string]: unknown;
}

/** A field of an envelope. Members that are not listed here are preserved. */
export interface EventField {
  field_id: string;
  field_name: string;
  field_type: string;
  field_value?: string | null;
  [member: string]: unknown;
}

type Reader<T> = (value: unknown) => T | undefined;

/** Form fields are texts; minimal notifications have JSON values. */
const text: Reader<string> = (value) =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
/** An ID is a number in one form and a string in the other. An empty one is missing. */
const id: Reader<string> = (value) => text(value) || undefined;
const integer: Reader<number> = (value) => {
  const digits = text(value);
  return digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
};

/** A value that form fields contain as JSON. */
const json: Reader<unknown> = (value) => {
  if (typeof value !== "string") return value;
  try {
    return value === "" ? undefined : JSON.parse(value);
  } catch {
    return undefined;
  }
};

/** The same with numeric IDs as texts, before JavaScript rounds large ones. A quoted name before a colon is a member's name. */
const jsonWithIds: Reader<unknown> = (value) =>
  json(typeof value === "string" ? value.replace(/("\w*_id"\s*:\s*)(\d+)/g, '$1"$2"') : value);

/** A list in which every item fits. */
const listOf =
  <T>(read: Reader<unknown>, item: (value: unknown) => value is T): Reader<T[]> =>
  (value) => {
    const list = read(value);
    return Array.isArray(list) && list.every(item) ? list : undefined;
  };

const isAny = (_value: unknown): _value is unknown => true;
const isText = (value: unknown): value is string => typeof value === "string";
const isDocument = (value: unknown): value is EventDocument => {
  const { document_title, document_fingerprint, document_pdf = "", document_download } = Object(value);
  return [document_title, document_fingerprint, document_pdf, document_download].every(isText);
};
const isField = (value: unknown): value is EventField => {
  const { field_id, field_name, field_type, field_value } = Object(value);
  return [field_id, field_name, field_type, field_value ?? ""].every(isText);
};

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
  envelope_documents: listOf(jsonWithIds, isDocument),
  envelope_fields: listOf(jsonWithIds, isField),
  envelope_download: text,
  envelope_meta: json,
  envelope_bounce_email: text,
  envelope_bounce_reason: text,
  envelope_bounce_url: text,
  document_id: id,
  document_title: text,
  template_fingerprint: id,
  template_title: text,
  template_page_total: integer,
  template_pages: listOf(json, isAny),
  template_thumbnails: listOf(json, isText),
} satisfies Record<string, Reader<unknown>>;

export type MemberName = keyof typeof readers;
export type Members = { [M in MemberName]: Exclude<ReturnType<(typeof readers)[M]>, undefined> };

const origin = ["company_id", "client_ip"] as const;
const contact = ["contact_id", "contact_name", "contact_email"] as const;
const envelope = ["envelope_fingerprint", "envelope_documents", "envelope_download"] as const;
const user = "user_id";
const fields = "envelope_fields";
const meta = "envelope_meta";
const signature = "signature_fingerprint";
const bounce = ["envelope_bounce_email", "envelope_bounce_reason", "envelope_bounce_url"] as const;
const template = ["template_title", "template_page_total", "template_pages", "template_thumbnails"] as const;

/**
 * For each action the members that its classic form has, and those that it may have. Where the documentation is not complete, the
 * rest is optional. Of the last two actions it has the names only.
 */
export const members = {
  "send-envelope": [
    [...envelope, ...contact],
    [...origin, user, meta],
  ],
  "signed-envelope": [
    [...envelope, ...contact, ...origin, user, fields, signature],
    ["party_id", meta],
  ],
  "signed-envelope-complete": [[...envelope, ...origin, user, fields], [meta]],
  "cancelled-envelope": [["envelope_fingerprint", "envelope_title", ...origin, user], [meta]],
  "rejected-envelope": [
    ["envelope_fingerprint", "document_id", "document_title", ...contact, signature],
    [...origin, user, meta],
  ],
  "opened-envelope": [[...envelope, ...contact, ...origin, user], [meta]],
  "bounced-envelope": [
    ["envelope_fingerprint", ...bounce, ...origin],
    ["envelope_title", meta],
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
  "add-contact": [["contact_id"], ["contact_name", "contact_email", ...origin, user]],
  "add-user": [[user, "user_name", "user_email", "role", ...origin], []],
  "signed-envelope-widget": [[], ["envelope_fingerprint", ...origin]],
  "send-envelope-failed": [[], ["envelope_fingerprint", ...origin]],
} as const satisfies Record<string, readonly [required: readonly MemberName[], optional: readonly MemberName[]]>;

/** The actions that this version knows. */
export type Action = keyof typeof members;
