/** Envelopes. */
import { z } from "zod";
import { currentOnly } from "../edition";
import { envelopeStatus } from "../enum-schemas";
import { endpoint, lenient, pageBase, responseBase } from "./endpoint";
import { fileDocuments, fileParties, templateDocuments, templateParties } from "./envelope/documents-and-parties";
import { envelopeDocument, envelopeParty, envelopeSummary, historyEntry } from "./envelope/response-records";
import {
  email,
  formBoolean,
  hours,
  id,
  idInput,
  integer,
  type JsonValue,
  jsonText,
  optionalTimestamp,
  text,
  total,
  url,
} from "./scalars";

/** The longest `envelope_meta`: fewer than 2000 characters. */
export const metaLimit = 1999;

/** Counts characters: some take two UTF-16 units. */
const metaFits = (text: string) => text.length <= metaLimit || [...text].length <= metaLimit;
const metaTooLong = `must be fewer than ${metaLimit + 1} characters of JSON`;
const metaText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const metaValue = jsonText(z.json());
function metaProblem(value: unknown): string | undefined {
  try {
    if (typeof value === "string" && !metaFits(value)) return metaTooLong;
    if (!metaValue.safeParse(value).success) return "must be valid JSON";
    return metaFits(metaText(value)) ? undefined : metaTooLong;
  } catch {
    // Both the check and the conversion are recursive.
    return "is nested too deeply";
  }
}
/** Metadata as JSON text. A string is sent unchanged: parsing and formatting it would round large numbers, such as database IDs. */
const meta = z
  .custom<JsonValue>()
  .superRefine((value, ctx) => {
    const message = metaProblem(value);
    if (message !== undefined) ctx.addIssue({ code: "custom", message });
  })
  .transform(metaText);

/** Form fields of both ways to create an envelope. */
const commonFields = {
  /** Title of the envelope. */
  envelope_title: text,
  /** ID of the user who sends it. Default: the account's own. */
  user_id: integer.optional(),
  /** Whether the documents need a password. Default: false. */
  envelope_password_protect: formBoolean.optional(),
  /** URL to which the signer is redirected after signing. Default: the standard confirmation page. */
  envelope_redirect_url: url.optional(),
  /** Hours after which the envelope expires, greater than 12 (edition `current`: at least 12). Default: never. */
  envelope_auto_expire_hours: hours.optional(),
  /** Hours between reminders to the active signer, greater than 12 (edition `current`: at least 12). Default: no reminders. */
  envelope_auto_remind_hours: hours.optional(),
  /** Whether it stays a draft, to be edited and sent in the web app. Default: false. Edition `current`. */
  is_draft: currentOnly(formBoolean.optional()),
  /** Whether all parties can sign at once instead of one after the other. Default: false. Edition `current`. */
  envelope_all_at_once_enabled: currentOnly(formBoolean.optional()),
  /** Data to store with the envelope: JSON of fewer than 2000 characters, as a value or text. */
  envelope_meta: meta.optional(),
};

const createResponse = responseBase.extend({
  envelope_title: z.string().nullish(),
  /** Identifier of the new envelope. */
  envelope_fingerprint: z.string(),
  envelope_queued: optionalTimestamp,
  /** Edition `current`. */
  envelope_password_protect: lenient(z.boolean()),
  envelope_requires_otp: lenient(z.boolean()),
  envelope_all_at_once_enabled: lenient(z.boolean()),
  envelope_parties: lenient(z.array(envelopeParty)),
  /** HTML to embed the signing page in another one. Only of envelopes from templates. */
  envelope_signing_embed: z.string().nullish(),
});

export const createFromTemplate = endpoint({
  method: "POST",
  path: "/v1/envelopes",
  summary: "Creates an envelope from templates. It is sent in the background.",
  section: "4.4",
  success: 202,
  form: z.object({
    ...commonFields,
    /** JSON array of documents, each with `document_title`, `document_template_fingerprint`, and optionally `document_merge_fields`. */
    envelope_documents: templateDocuments,
    /** JSON array of parties, each with `party_name`, `party_email`, `party_id` (or `party_documents`), and optionally `party_role` and `party_message`. */
    envelope_parties: templateParties,
  }),
  response: createResponse,
});

export const createFromFiles = endpoint({
  method: "POST",
  path: "/v1/envelopes",
  summary: "Creates an envelope from files with document tags. It is sent in the background.",
  section: "4.4",
  success: 202,
  form: z.object({
    ...commonFields,
    /** JSON array of documents, each with `document_title`, and `document_url` or `document_file_content` with `document_file_name`. */
    envelope_documents: fileDocuments,
    /** JSON array of parties, each with `party_name`, `party_email`, `party_role`, and optionally `party_message`. */
    envelope_parties: fileParties,
  }),
  response: createResponse,
});

const params = z.object({
  /** Identifier of the envelope. */
  envelope_fingerprint: text,
});

export const get = endpoint({
  method: "GET",
  path: "/v1/envelopes/{envelope_fingerprint}",
  summary: "Returns one envelope with its documents, parties and history.",
  section: "4.4",
  params,
  missingCode: 10253,
  response: responseBase.extend({
    ...envelopeSummary.shape,
    envelope_documents: z.array(envelopeDocument).nullish(),
    envelope_parties: z.array(envelopeParty).nullish(),
    /** URL of the signed PDF. */
    envelope_signed_pdf: lenient(z.string()),
    /** Newest first; in the edition `current`, oldest first. */
    envelope_history: z.array(historyEntry).nullish(),
    /** The data stored with the envelope. */
    envelope_meta: z.unknown().optional(),
  }),
});

export const list = endpoint({
  method: "GET",
  path: "/v1/envelopes",
  summary: "Lists the envelopes.",
  section: "4.4",
  response: pageBase.extend({
    /** Total number of envelopes. */
    total_envelopes: total,
    envelopes: z.array(envelopeSummary),
  }),
  list: {
    items: "envelopes",
    total: "total_envelopes",
    id: "envelope_fingerprint",
    emptyCode: 10254,
    filters: z.object({
      /** Status of the envelopes to return. Edition `current`. */
      status: currentOnly(envelopeStatus.optional()),
      /** Part of the title, in any letter case. Edition `current`. */
      q: currentOnly(text.optional()),
    }),
  },
});

const actionResponse = responseBase.extend({
  envelope_fingerprint: z.string().optional(),
  envelope_title: z.string().nullish(),
  /** The status that results; `deleted` after a deletion. Edition `current`. */
  envelope_status: lenient(z.string()),
  envelope_processed: optionalTimestamp,
  envelope_all_at_once_enabled: lenient(z.boolean()),
});

export const remind = endpoint({
  method: "PUT",
  path: "/v1/envelopes/{envelope_fingerprint}/remind",
  summary: "Reminds the party whose turn it is.",
  section: "4.4",
  // Each call sends an email.
  idempotent: false,
  params,
  response: actionResponse,
});

export const cancel = endpoint({
  method: "PUT",
  path: "/v1/envelopes/{envelope_fingerprint}/cancel",
  summary: "Cancels an envelope.",
  section: "4.4",
  params,
  response: actionResponse,
});

export const expire = endpoint({
  method: "PUT",
  path: "/v1/envelopes/{envelope_fingerprint}/expire",
  summary: "Expires an envelope: cancels it silently.",
  section: "4.4",
  params,
  response: actionResponse,
});

const remove = endpoint({
  method: "DELETE",
  path: "/v1/envelopes/{envelope_fingerprint}",
  summary: "Deletes an envelope.",
  section: "4.4",
  params,
  response: actionResponse,
});

export const updateParty = endpoint({
  method: "PATCH",
  path: "/v1/envelopes/{envelope_fingerprint}/parties/{party_id}",
  summary: "Changes a party's name or email address, five times at most. Edition `current`.",
  section: "current 2026-01-14",
  optional: "updates of parties",
  params: params.extend({
    /** ID of the party, from the envelope. */
    party_id: idInput,
  }),
  form: z
    .object({
      /** Email address of the party. */
      party_email: email.optional(),
      /** Name of the party. */
      party_title: text.optional(),
    })
    .refine(
      (form) => form.party_email !== undefined || form.party_title !== undefined,
      "needs party_email or party_title",
    ),
  response: responseBase.extend({
    party_id: id.optional(),
    party_title: z.string().nullish(),
    party_email: z.string().nullish(),
    /** `signer` or `copy`. */
    party_role: lenient(z.string()),
  }),
});

export { remove as delete };
