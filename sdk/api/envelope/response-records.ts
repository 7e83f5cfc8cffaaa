/** Envelopes in responses, with their documents, parties and history. */
import { z } from "zod";
import { lenient } from "../endpoint";
import { count, id, optionalTimestamp } from "../scalars";

/** A list item. */
export const envelopeSummary = z.looseObject({
  /** Identifier. */
  envelope_fingerprint: z.string(),
  envelope_title: z.string().nullish(),
  /** One of {@link envelopeStatuses}, or a status that this version does not know. */
  envelope_status: z.string(),
  /** URL to which the signer is redirected after signing. */
  envelope_redirect_url: z.string().nullish(),
  envelope_created: optionalTimestamp,
  /** Null until it is sent. */
  envelope_sent: optionalTimestamp,
  /** When it ended. Edition `current`. */
  envelope_processed: optionalTimestamp,
  /** Whether all parties can sign at once. Edition `current`. */
  envelope_all_at_once_enabled: lenient(z.boolean()),
  /** Whether a party needs a one-time code. Edition `current`. */
  envelope_requires_otp: lenient(z.boolean()),
});
export type EnvelopeSummary = z.output<typeof envelopeSummary>;

/** A field of a document. */
const documentField = z.looseObject({
  field_id: id,
  field_title: z.string().nullish(),
  /** Types are added by the service: `date-signed`, for instance, is the day of the signature. */
  field_type: z.string().nullish(),
  field_value: z.unknown().optional(),
  party_id: id.nullish(),
  /** Null if it is not a merge field. */
  field_merge: z.unknown().optional(),
});

/** A document of an envelope. */
export const envelopeDocument = z.looseObject({
  document_fingerprint: z.string().nullish(),
  document_title: z.string().nullish(),
  /** Number of pages. */
  document_page_total: lenient(count),
  document_pdf_url: z.string().nullish(),
  /** URL of a thumbnail of each page. */
  document_thumbnails: lenient(z.array(z.string())),
  /** URL of an image of each page. */
  document_pages: lenient(z.array(z.string())),
  document_fields: z.array(documentField).nullish(),
});

/** A party of an envelope. */
export const envelopeParty = z.looseObject({
  party_id: id.nullish(),
  /** Name of the party. */
  party_title: z.string().nullish(),
  /** Observed: `pending`, `in progress` and `signed`. */
  party_status: z.string().nullish(),
  contact_id: id.nullish(),
  contact_email: z.string().nullish(),
  /** `signer` or `copy`. Edition `current`. */
  party_role: lenient(z.string()),
  /** Observed: `remote`. Edition `current`. */
  party_signature_type: lenient(z.string()),
  /** The last digits of its mobile number. Edition `current`. */
  party_mobile_last4: lenient(z.string()),
  /** Of a qualified signature: `waiting`, `ready`, `complete` or `failed`. Edition `current`. */
  party_qes_status: lenient(z.string()),
  /** Until when the party can prove who it is. Edition `current`. */
  party_qes_session_expires_at: optionalTimestamp,
  /** Where the party signs, in accounts with embedded signing. Who has the link can sign: neither log nor store it. */
  party_signing_url: lenient(z.string()),
});

/** An entry of the history. */
export const historyEntry = z.looseObject({
  history_detail: z.string().nullish(),
  history_ip: z.string().nullish(),
  history_user_agent: z.string().nullish(),
  history_date: optionalTimestamp,
});
