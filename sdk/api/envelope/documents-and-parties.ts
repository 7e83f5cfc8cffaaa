/** Documents and parties of a new envelope. */
import { z } from "zod";
import { currentOnly } from "../../edition";
import { openEnum } from "../../enum-schemas";
import { signatureLength, validateContent, validateFileName } from "../../file-types/document-type";
import { mistakeMessage, parseRules } from "../../parse-rules";
import { base64, documentUrl, email, formBoolean, integer, jsonText, mobileNumber, text } from "../scalars";
import { always, strictObject } from "./strict-object";

const eitherForm = "an envelope contains either template documents or file documents: send two envelopes";

/** Fields of every party. */
const partyFields = {
  /** Name of the party. */
  party_name: text,
  /** Email address of the party. */
  party_email: email,
  /** Shown in the email that asks the party to sign. */
  party_message: z.string("must be a string").optional(),
  /** Mobile number, `+` and country code first: the party gets a one-time code by text message. Not for copies. Edition `current`. */
  party_mobile: currentOnly(mobileNumber.optional()),
  /** Whether the party signs on the sender's device. Edition `current`. */
  signature_in_person: currentOnly(formBoolean.optional()),
};

const hasNoMobileOfCopy = z.superRefine<{ party_role?: unknown; party_mobile?: unknown }>((party, ctx) => {
  if (party?.party_role !== "copy" || party.party_mobile === undefined) return;
  ctx.addIssue({ code: "custom", path: ["party_mobile"], message: "is not for copies" });
}, always);

/** A document from a template. */
const templateDocument = strictObject(
  {
    document_title: text,
    /** Fingerprint of an existing template. */
    document_template_fingerprint: text,
    /** Values of the template's merge fields. */
    document_merge_fields: jsonText(
      z.array(strictObject({ field_id: integer, field_value: z.string("must be a string") }), "must be a list"),
    ).optional(),
  },
  ["document_url", "document_file_content", "document_file_name", "document_auto_parse_tags", "placeholders"],
  `belongs to a file document: ${eitherForm} (use createFromFiles for files)`,
);

/** What a party is in one of the templates. */
const partyDocument = strictObject({
  /** The party's id in the template. */
  party_id: integer,
  document_template_fingerprint: text,
});

/** A party of an envelope from templates. */
const templateParty = strictObject({
  ...partyFields,
  /** The party's id in the template; with several templates, in all of them. */
  party_id: integer.optional(),
  /** With several templates, instead of `party_id`: the party's id in each. Edition `current`. */
  party_documents: currentOnly(z.array(partyDocument, "must be a list").min(1, "must contain at least one").optional()),
  /** `signer` or `copy`. Default: `signer`. */
  party_role: openEnum(["signer", "copy"]).optional(),
})
  .check(
    z.superRefine((party, ctx) => {
      if (typeof party !== "object" || party === null) return;
      const { party_id: id, party_documents: documents } = party;
      const addIssue = (message: string) => ctx.addIssue({ code: "custom", path: ["party_id"], message });
      if (id === undefined && documents === undefined) addIssue("is required and must be an integer");
      if (id !== undefined && documents !== undefined) addIssue("cannot be combined with party_documents");
    }, always),
  )
  .check(hasNoMobileOfCopy);

/** What is at a placeholder: the type, party, name and size of a field. The service names its members. */
const placeholders = z.record(
  z.string().regex(/^[1-9]\d{0,2}$/, "must be a number from 1 to 999"),
  z.looseObject({}, "must be an object"),
  "must be an object, with the numbers of the placeholders",
);

/** A document by its URL or content. */
const fileDocument = strictObject(
  {
    document_title: text,
    /** URL of a PDF, Word or Excel file. */
    document_url: documentUrl.optional(),
    /** The file in base64. */
    document_file_content: base64.min(1, "must not be empty").optional(),
    /** Name of the file with its extension; required with document_file_content. */
    document_file_name: text.optional(),
    /** Whether the tags in the file become fields. Edition `current`. */
    document_auto_parse_tags: currentOnly(formBoolean.optional()),
    /** Fields in place of the placeholders `{#1}` to `{#999}` in the file, by their number. Edition `current`. */
    placeholders: currentOnly(placeholders.optional()),
  },
  ["document_template_fingerprint", "document_merge_fields"],
  `belongs to a template document: ${eitherForm} (use createFromTemplate for templates)`,
).check(
  z.superRefine((document, ctx) => {
    if (typeof document !== "object" || document === null) return;
    const { document_url: fileUrl, document_file_content: content, document_file_name: name } = document;
    const addIssue = (path: string[], message: string) => ctx.addIssue({ code: "custom", path, message });
    if ((fileUrl === undefined) === (content === undefined)) {
      addIssue([], "needs either document_url, or document_file_content with document_file_name");
    }
    if (typeof name === "string" && name.trim() !== "") {
      const nameProblem = validateFileName(name);
      if (nameProblem !== undefined) addIssue(["document_file_name"], nameProblem);
      else if (typeof content === "string" && content !== "" && base64.safeParse(content).success) {
        const head = Buffer.from(content.slice(0, Math.ceil(signatureLength / 3) * 4), "base64");
        const contentProblem = validateContent(name, head);
        if (contentProblem !== undefined && !parseRules().allowsMistake("documentContent"))
          addIssue(["document_file_content"], mistakeMessage("documentContent", contentProblem));
      }
    } else if (name === undefined && content !== undefined) {
      addIssue(["document_file_name"], "is required with document_file_content");
    }
  }, always),
);

const fileRole = "must be signer1, signer2, … or copy";

/** A party of an envelope from files. */
const fileParty = strictObject(
  {
    ...partyFields,
    /** `signer1`, `signer2`, … as in the document's tags, or `copy`. */
    party_role: z
      .string(fileRole)
      .refine(
        (role) => /^(signer[1-9]\d*|copy)$/.test(role) || (role !== "" && parseRules().allowsMistake("plainRoles")),
        { error: () => mistakeMessage("plainRoles", fileRole) },
      ),
  },
  ["party_id", "party_documents"],
  "belongs to an envelope from templates: in a file document party_role identifies the party",
).check(hasNoMobileOfCopy);

const nonEmptyList = <S extends z.ZodType>(item: S) =>
  jsonText(z.array(item, "must be a list").min(1, "must contain at least one"));

export const templateDocuments = nonEmptyList(templateDocument);
export const templateParties = nonEmptyList(templateParty);
export const fileDocuments = nonEmptyList(fileDocument);
export const fileParties = nonEmptyList(fileParty);
