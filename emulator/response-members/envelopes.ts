/** Responses about envelopes. */
import { both, example, observation, page, previousPage, type Row, recording, specification, today } from "./row";

const area = "openapi/envelopes";
const created = "message href envelope_title envelope_fingerprint envelope_queued";
const summary = "envelope_fingerprint envelope_title envelope_status";
const times = "envelope_created envelope_sent:string|null";
const processed = "envelope_processed:string|null";
const listParty = "party_id party_title party_mobile_last4:string|null party_password:string|null";
const parts = "envelope_documents:list envelope_parties:list envelope_signed_pdf? envelope_history:list";
const changed = "message envelope_fingerprint envelope_title";
const one = "GET /envelopes/{envelope_fingerprint}";

const creation: Row[] = [
  specification("4.4", created),
  recording("POST /envelopes", "envelope_password_protect:boolean"),
  example(
    `${area}/sendenvelope`,
    `${created} envelope_password_protect:boolean envelope_requires_otp:boolean envelope_all_at_once_enabled:boolean envelope_parties:list`,
  ),
  example(`${area}/sendenvelope`, listParty, "envelope_parties"),
  page("guides/embedded-signing/embedded", "envelope_signing_embed?"),
];

/** What is in documents, and in the history. */
const contents = (row: (members: string, parent: string) => Row): Row[] => [
  row(
    "document_fingerprint document_title document_page_total document_pdf_url document_thumbnails:list document_pages:list document_fields:list",
    "envelope_documents",
  ),
  row(
    "field_id field_title field_type field_value party_id field_merge:string|null",
    "envelope_documents.document_fields",
  ),
  row("history_detail history_ip history_user_agent history_date", "envelope_history"),
];

export const envelopeRows = {
  "envelopes.createFromTemplate": [
    ...creation,
    specification("4.4", "envelope_signing_embed?"),
    both(recording("POST /envelopes", "envelope_redirect_url")),
  ],
  "envelopes.createFromFiles": creation,
  "envelopes.get": [
    specification("2.6", `${summary} envelope_redirect_url:string|null ${times}`),
    recording(one, processed),
    specification("2.6", `${parts} envelope_meta:any`),
    ...contents((members, parent) => specification("2.6", members, parent)),
    specification("2.6", "party_title party_status contact_email", "envelope_parties"),
    // The specification allows numbers: these are texts.
    recording(one, "party_id contact_id party_signature_type party_role", "envelope_parties"),
    page(
      `${area}/getenvelope`,
      `${summary} envelope_redirect_url ${times} ${processed} envelope_all_at_once_enabled:boolean`,
    ),
    example(`${area}/getenvelope`, `envelope_requires_otp:boolean ${parts} envelope_meta:any`),
    ...contents((members, parent) => example(`${area}/getenvelope`, members, parent)),
    example(`${area}/getenvelope`, "document_signed_pdf:string|null", "envelope_documents"),
    example(
      `${area}/getenvelope`,
      `${listParty} contact_id contact_email party_status party_signature_type party_role`,
      "envelope_parties",
    ),
    page(
      "changelog/2026-10-30-qes-verification-tracking",
      "party_qes_status? party_qes_session_expires_at:string|null? party_signing_url?",
      "envelope_parties",
    ),
  ],
  "envelopes.list": [
    previousPage,
    specification("4", "offset:integer limit:integer total_envelopes next? envelopes:list"),
    specification("4.4", "href"),
    specification("4.4", `${summary} envelope_redirect_url ${times}`, "envelopes"),
    recording("GET /envelopes", processed, "envelopes"),
    observation("GET /envelopes", "envelope_signed_pdf?", "envelopes"),
    page(area, "offset:integer limit:integer total_envelopes envelopes:list"),
    today(specification("4", "next?")),
    example(
      area,
      `${summary} envelope_redirect_url ${times} ${processed} envelope_all_at_once_enabled:boolean envelope_requires_otp:boolean envelope_parties:list envelope_signed_pdf?`,
      "envelopes",
    ),
    example(area, listParty, "envelopes.envelope_parties"),
  ],
  "envelopes.remind": [
    specification("4.4", changed),
    page(`${area}/remindenvelope`, `${changed} envelope_all_at_once_enabled:boolean`),
  ],
  "envelopes.cancel": [
    specification("4.4", changed),
    recording("PUT /envelopes/{envelope_fingerprint}/cancel", "envelope_status envelope_processed"),
    page(`${area}/cancelenvelope`, `${changed} envelope_status envelope_processed`),
  ],
  "envelopes.expire": [
    specification("4.4", changed),
    page(`${area}/expireenvelope`, `${changed} envelope_status`),
    example(`${area}/expireenvelope`, "envelope_processed"),
  ],
  "envelopes.delete": [
    both(specification("4.4", changed)),
    both(recording("DELETE /envelopes/{envelope_fingerprint}", "envelope_status")),
  ],
  "envelopes.updateParty": [
    both(page(`${area}/updateenvelopeparty`, "party_id:integer party_title party_email party_role")),
  ],
  "embedSessions.create": [both(page("guides/embedded-sending/embed-document-setup", "session_url"))],
} satisfies Record<string, readonly Row[]>;
