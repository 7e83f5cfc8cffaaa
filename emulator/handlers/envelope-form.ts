/** The form of a new envelope before validation: which of its two kinds it is, and what is normalized. */
import { throwApiError } from "../domain/errors";
import { type Fields, omitEmptyFields } from "./body-fields";
import type { FieldErrorCodes } from "./types";

/** Members of a document that belong to one of the two kinds. */
const TEMPLATE_MEMBERS = ["document_template_fingerprint", "document_merge_fields"];
const FILE_MEMBERS = ["document_url", "document_file_content", "document_file_name"];

/** What has no code of its own is 10010. */
export const errorCodes: FieldErrorCodes = {
  envelope_title: [10255, 10010],
  envelope_parties: [10256, 10261, 10258],
  envelope_documents: [10257, 10265, 10257, 10264],
  // Members of parties and documents.
  party_name: [10259, 10010],
  party_email: [10260, 10010],
  document_title: [10263, 10010],
  document_url: 10266,
  document_file_name: 10266,
  document_file_content: 10266,
};

/** Chooses the endpoint by the contents of `envelope_documents`. */
export function chooseCreate(form: Fields): "createFromTemplate" | "createFromFiles" {
  return parseDocuments(form).some(hasAny(TEMPLATE_MEMBERS)) ? "createFromTemplate" : "createFromFiles";
}

/**
 * Rejects a mix of the two kinds, and evens out what clients in other languages send: blank members count as missing, line
 * breaks are removed from base64, and a flag may be written in capitals.
 */
export function normalizeForm(rawForm: Fields): Fields {
  const form = omitEmptyFields(rawForm);
  const documents = parseDocuments(form);
  if (documents.some(hasAny(TEMPLATE_MEMBERS)) && documents.some(hasAny(FILE_MEMBERS))) throwApiError(10262);
  const normalized = { ...form };
  for (const name of ["envelope_documents", "envelope_parties"]) {
    if (form[name] !== undefined) normalized[name] = normalizeJson(form[name]);
  }
  const { envelope_password_protect: flag } = form;
  if (typeof flag === "string") normalized.envelope_password_protect = flag.toLowerCase();
  return normalized;
}

/** The documents of an unvalidated form; empty if they cannot be parsed. */
function parseDocuments({ envelope_documents: documents }: Fields): Record<string, unknown>[] {
  try {
    const value: unknown = typeof documents === "string" ? JSON.parse(documents) : documents;
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
