/** Envelopes. */
import { z } from "zod";
import { nearestMatch } from "../text/did-you-mean";
import { signatureLength, validateContent, validateFileName } from "./document-type";
import { endpoint, lenient, pageBase, responseBase } from "./endpoint";
import {
  base64,
  count,
  email,
  formBoolean,
  hours,
  id,
  integer,
  jsonText,
  openEnum,
  optionalTimestamp,
  text,
  total,
  url,
} from "./scalars";

/** The states of an envelope. */
export const envelopeStatuses = ["draft", "processing", "sent", "signed", "cancelled", "expired", "failed"] as const;
export type EnvelopeStatus = (typeof envelopeStatuses)[number];

/** The longest `envelope_meta`: fewer than 2000 characters. */
export const metaLimit = 1999;

/** A list item. */
export const envelopeSummary = z.looseObject({
  /** Identifier. */
  envelope_fingerprint: z.string(),
  envelope_title: z.string().nullish(),
  /** One of {@link envelopeStatuses}, or one that this version does not know. */
  envelope_status: z.string(),
  /** Where the signer is taken after signing. */
  envelope_redirect_url: z.string().nullish(),
  envelope_created: optionalTimestamp,
  /** Null while unsent. */
  envelope_sent: optionalTimestamp,
});
export type EnvelopeSummary = z.output<typeof envelopeSummary>;

/** A field of a document. */
export const documentField = z.looseObject({
  field_id: id,
  field_title: z.string().nullish(),
  field_type: z.string().nullish(),
  field_value: z.unknown().optional(),
  party_id: id.nullish(),
  /** Null when it is not a merge field. */
  field_merge: z.unknown().optional(),
});

/** A document of an envelope. */
export const envelopeDocument = z.looseObject({
  document_fingerprint: z.string().nullish(),
  document_title: z.string().nullish(),
  /** Number of pages. */
  document_page_total: lenient(count),
  document_pdf_url: z.string().nullish(),
  /** Address of a small picture per page. */
  document_thumbnails: lenient(z.array(z.string())),
  /** Address of a picture per page. */
  document_pages: lenient(z.array(z.string())),
  document_fields: z.array(documentField).nullish(),
});

/** A party of an envelope. */
export const envelopeParty = z.looseObject({
  party_id: id.nullish(),
  /** Name of the party. */
  party_title: z.string().nullish(),
  /** `signed` and `in progress` have been seen. */
  party_status: z.string().nullish(),
  contact_id: id.nullish(),
  contact_email: z.string().nullish(),
});

/** One entry of the history, newest first. */
export const historyEntry = z.looseObject({
  history_detail: z.string().nullish(),
  history_ip: z.string().nullish(),
  history_user_agent: z.string().nullish(),
  history_date: optionalTimestamp,
});

/** Characters, of which some take two places in a string. */
const metaFits = (text: string) => text.length <= metaLimit || [...text].length <= metaLimit;
const metaTooLong = "must be fewer than 2000 characters of JSON";
const metaText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const metaValue = jsonText(z.json());
/**
 * Metadata, as its JSON text. A text goes out as it was given, since that is what counts; and its large numbers, such as the
 * ids of databases, would be rounded if it were read and written anew.
 */
const meta = z
  .custom<z.core.util.JSONType>()
  .superRefine((value, ctx) => {
    const fault = (message: string) => ctx.addIssue({ code: "custom", message });
    if (typeof value === "string" && !metaFits(value)) fault(metaTooLong);
    else if (!metaValue.safeParse(value).success) fault("must be valid JSON");
    else if (!metaFits(metaText(value))) fault(metaTooLong);
  })
  .transform(metaText);

const party = {
  /** Name of the party. */
  party_name: text,
  /** Email address of the party. */
  party_email: email,
  /** Shown in the email that the party gets when it is their turn. */
  party_message: z.string("must be a text").optional(),
};

/** Form fields that both ways to create share. */
const common = {
  /** Title of the envelope. */
  envelope_title: text,
  /** The sender: an existing user. Default: the account's own. */
  user_id: integer.optional(),
  /** Whether the documents ask for a password. Default: false. */
  envelope_password_protect: formBoolean.optional(),
  /** Where the signer is taken after signing. Default: the standard confirmation page. */
  envelope_redirect_url: url.optional(),
  /** Hours after which the envelope expires, greater than 12. Default: never. */
  envelope_auto_expire_hours: hours.optional(),
  /** Hours between reminders to the active signer, greater than 12. Default: no reminders. */
  envelope_auto_remind_hours: hours.optional(),
  /** Data to keep with the envelope: JSON of fewer than 2000 characters, given as a value or as text. */
  envelope_meta: meta.optional(),
};

/** Checks that come on top of a member's own type, and run though another member is at fault: all faults at once. */
const always = { when: () => true };

/**
 * An object that knows its members, and says of any other what was probably meant, or why it does not go here: `foreign` are
 * the members of the other form, which untyped code may mix in.
 */
function strictObject<const S extends z.ZodRawShape, const F extends string = never>(
  shape: S,
  foreign: readonly F[] = [],
  why = "",
) {
  const names = Object.keys(shape);
  const schema = z.looseObject(shape, "must be an object").check(
    z.superRefine((value, ctx) => {
      if (typeof value !== "object" || value === null) return;
      for (const name of Object.keys(value)) {
        if (names.includes(name)) continue;
        const near = nearestMatch(name, names);
        const message = foreign.includes(name as F)
          ? why
          : `is not known here${near === undefined ? "" : ` (did you mean ${near}?)`}; there are ${names.join(", ")}`;
        ctx.addIssue({ code: "custom", path: [name], message });
      }
    }, always),
  );
  // Strict in types as in fact: a strict schema itself would take unknown members away before they can be spoken of. The
  // members of the other form are named as impossible, so that a document of it does not pass through a variable either.
  return schema as unknown as z.ZodObject<S & Record<F, z.ZodOptional<z.ZodNever>>, z.core.$strict>;
}

const eitherForm = "an envelope holds either template documents or file documents, so send two envelopes";

/** A document made from a template (§4.4, template form). */
export const templateDocument = strictObject(
  {
    document_title: text,
    /** Fingerprint of an existing template. */
    document_template_fingerprint: text,
    /** Values for the template's merge fields. */
    document_merge_fields: jsonText(
      z.array(strictObject({ field_id: integer, field_value: z.string("must be a text") })),
    ).optional(),
  },
  ["document_url", "document_file_content", "document_file_name"],
  `belongs to a file document: ${eitherForm} (createFromFiles takes the files)`,
);

/** A party of the template form. */
export const templateParty = strictObject({
  ...party,
  /** The party's id in the template. */
  party_id: integer,
  /** `signer` or `copy`. Default: `signer`. */
  party_role: openEnum(["signer", "copy"]).optional(),
});

/** A document by its address or its content (§4.4, non-template form). */
export const fileDocument = strictObject(
  {
    document_title: text,
    /** Address of a PDF, Word or Excel file. */
    document_url: url.optional(),
    /** The file in base64. */
    document_file_content: base64.min(1, "must not be empty").optional(),
    /** Name of the file with its extension; goes with document_file_content. */
    document_file_name: text.optional(),
  },
  ["document_template_fingerprint", "document_merge_fields"],
  `belongs to a template document: ${eitherForm} (createFromTemplate takes the templates)`,
).check(
  z.superRefine((document, ctx) => {
    if (typeof document !== "object" || document === null) return;
    const { document_url: address, document_file_content: content, document_file_name: name } = document;
    const fault = (path: string[], message: string) => ctx.addIssue({ code: "custom", path, message });
    if ((address === undefined) === (content === undefined)) {
      fault([], "needs either document_url, or document_file_content with document_file_name");
    }
    if (typeof name === "string" && name.trim() !== "") {
      const wrongName = validateFileName(name);
      if (wrongName !== undefined) fault(["document_file_name"], wrongName);
      else if (typeof content === "string" && content !== "" && base64.safeParse(content).success) {
        const head = Buffer.from(content.slice(0, Math.ceil(signatureLength / 3) * 4), "base64");
        const wrongContent = validateContent(name, head);
        if (wrongContent !== undefined) fault(["document_file_content"], wrongContent);
      }
    } else if (name === undefined && content !== undefined) {
      fault(["document_file_name"], "is needed with document_file_content");
    }
  }, always),
);

/** A party of the non-template form. */
export const fileParty = strictObject(
  {
    ...party,
    /** `signer1`, `signer2`, … as in the document's tags, or `copy`. */
    party_role: z
      .string("must be signer1, signer2, … or copy")
      .regex(/^(signer[1-9]\d*|copy)$/, "must be signer1, signer2, … or copy"),
  },
  ["party_id"],
  "belongs to the template form: in a file document the party is found by its role",
);

const nonEmptyList = <S extends z.ZodType>(item: S) =>
  jsonText(z.array(item, "must be a list").min(1, "must hold at least one"));

const createResponse = responseBase.extend({
  envelope_title: z.string().nullish(),
  /** Identifier of the new envelope. */
  envelope_fingerprint: z.string(),
  envelope_queued: optionalTimestamp,
  /** Markup of a frame for signing on a page of one's own. Template form only. */
  envelope_signing_embed: z.string().nullish(),
});

export const createFromTemplate = endpoint({
  method: "POST",
  path: "/v1/envelopes",
  summary: "Creates an envelope from templates. It is sent in the background.",
  section: "4.4",
  success: 202,
  form: z.object({
    ...common,
    /** JSON array of documents, each with `document_title`, `document_template_fingerprint` and perhaps `document_merge_fields`. */
    envelope_documents: nonEmptyList(templateDocument),
    /** JSON array of parties, each with `party_name`, `party_email`, `party_id`, and perhaps `party_role` and `party_message`. */
    envelope_parties: nonEmptyList(templateParty),
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
    ...common,
    /** JSON array of documents, each with `document_title`, and `document_url` or `document_file_content` with `document_file_name`. */
    envelope_documents: nonEmptyList(fileDocument),
    /** JSON array of parties, each with `party_name`, `party_email`, `party_role`, and perhaps `party_message`. */
    envelope_parties: nonEmptyList(fileParty),
  }),
  response: createResponse,
});

const params = z.object({
  /** Identifier of the envelope. */
  envelope_fingerprint: text.refine(
    (value) => !/^\.{1,2}$/.test(value),
    "must be a fingerprint, not dots: those lead to another address",
  ),
});

export const get = endpoint({
  method: "GET",
  path: "/v1/envelopes/{envelope_fingerprint}",
  summary: "Returns one envelope with its documents, parties and history.",
  section: "4.4",
  params,
  response: responseBase.extend({
    ...envelopeSummary.shape,
    envelope_documents: z.array(envelopeDocument).nullish(),
    envelope_parties: z.array(envelopeParty).nullish(),
    /** Address of the signed PDF. */
    envelope_signed_pdf: lenient(z.string()),
    /** Newest first. */
    envelope_history: z.array(historyEntry).nullish(),
    /** The data given at creation. */
    envelope_meta: z.unknown().optional(),
  }),
});

export const list = endpoint({
  method: "GET",
  path: "/v1/envelopes",
  summary: "Lists the envelopes.",
  section: "4.4",
  response: pageBase.extend({
    /** How many envelopes there are in all. */
    total_envelopes: total,
    envelopes: z.array(envelopeSummary),
  }),
  list: { items: "envelopes", total: "total_envelopes", id: "envelope_fingerprint", emptyCode: 10254 },
});

const actionResponse = responseBase.extend({
  envelope_fingerprint: z.string().optional(),
  envelope_title: z.string().nullish(),
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
  summary: "Expires an envelope: a silent cancel.",
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

export { remove as delete };
