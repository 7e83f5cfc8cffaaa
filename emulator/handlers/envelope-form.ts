/** The form of a new envelope before validation: which of its two kinds it is, and what is normalized. */
import { throwApiError } from "../domain/api-errors";
import { type Fields, omitEmptyFields } from "./body-fields";
import type { FieldErrorCodes } from "./handler";

/** Members of a document that belong to one of the two kinds. */
const TEMPLATE_MEMBERS = ["document_template_fingerprint", "document_merge_fields"];
const FILE_MEMBERS = [
  "document_url",
  "document_file_content",
  "document_file_name",
  "document_auto_parse_tags",
  "placeholders",
];
/** Members of a party that only an envelope from templates has. */
const TEMPLATE_PARTY_MEMBERS = ["party_id", "party_documents"];

/** What has no code of its own is 10010. */
export const errorCodes: FieldErrorCodes = {
  envelope_title: [10255, 10010],
  envelope_parties: [10256, 10261, 10258],
  envelope_documents: [10257, 10265, 10257, 10264],
  // Members of parties and documents.
  party_name: [10259, 10010],
  party_email: [10260, 10010],
  document_title: [10263, 10010],
  "envelope_documents.document_template_fingerprint": [10264, 10010],
  document_url: 10266,
  document_file_name: 10266,
  document_file_content: 10266,
};

/** Chooses the endpoint by the contents of `envelope_documents`; where they say nothing, by the parties. */
export function chooseCreate(form: Fields): "createFromTemplate" | "createFromFiles" {
  const documents = parseItems(form.envelope_documents);
  const isOpen = !documents.some(hasAny([...TEMPLATE_MEMBERS, ...FILE_MEMBERS]));
  const isTemplate = isOpen
    ? parseItems(form.envelope_parties).some(hasAny(TEMPLATE_PARTY_MEMBERS))
    : documents.some(hasAny(TEMPLATE_MEMBERS));
  return isTemplate ? "createFromTemplate" : "createFromFiles";
}

/**
 * Rejects a mix of the two kinds, and evens out what clients in other languages send: blank members count as missing, line
 * breaks are removed from base64, and a flag may be written in capitals.
 */
export function normalizeForm(rawForm: Fields): Fields {
  const form = omitEmptyFields(rawForm);
  const documents = parseItems(form.envelope_documents);
  if (documents.some(hasAny(TEMPLATE_MEMBERS)) && documents.some(hasAny(FILE_MEMBERS))) throwApiError(10262);
  const normalized = { ...form };
  for (const name of ["envelope_documents", "envelope_parties"]) {
    if (form[name] !== undefined) normalized[name] = normalizeJson(form[name]);
  }
  const { envelope_password_protect: flag } = form;
  if (typeof flag === "string") normalized.envelope_password_protect = flag.toLowerCase();
  return normalized;
}

/** The items of a structured field before validation; empty if they cannot be parsed. */
function parseItems(field: unknown): Record<string, unknown>[] {
  try {
    const value: unknown = typeof field === "string" ? JSON.parse(field) : field;
    return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
  } catch {
    return [];
  }
}

const hasAny = (members: string[]) => (document: Record<string, unknown>) =>
  members.some((name) => !isBlank(name, document[name]));

/** Whether a member counts as missing: null, an empty string or an empty list. Some clients send every member of a record. */
const isBlank = (name: string, value: unknown) =>
  (value ?? null) === null || (value === "" && name !== "field_value") || (Array.isArray(value) && value.length === 0);

/** Of a structured field: JSON text, or its value. */
function normalizeJson(field: unknown): unknown {
  const normalize = (name: string, value: unknown) => {
    if (isBlank(name, value)) return undefined;
    return name === "document_file_content" && typeof value === "string" ? value.replace(/[\r\n]+/g, "") : value;
  };
  try {
    const text = typeof field === "string" ? field : JSON.stringify(field);
    return JSON.parse(text, normalize) ?? field;
  } catch {
    return field;
  }
}
