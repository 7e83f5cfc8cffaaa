/** The definition of BrandingEmail: an account's email templates, one of each type. */

import { z } from "zod";
import { emailType } from "../sdk/enum-schemas";
import type { BrandingEmailType } from "../sdk/known-values";
import { argument, optionalOutput, type RecordOf, type Restorable, restorable, type ValuesOf } from "./argument";
import { fromApi } from "./field";
import { defineKind, type KindDefinition, presentFields, textsOf } from "./kind";
import type { AccountModel } from "./model";
import { looseText, normalizeText } from "./text/normalize";
import { compareStrings } from "./text/sort";

/**
 * The file of each field, in the directory of the email template.
 * @internal
 */
export const EMAIL_FILES = { subject: "subject.txt", content: "body.html", contentPlain: "body.txt" } as const;

/**
 * Texts of an email template.
 * @internal
 */
export type EmailText = { -readonly [field in keyof typeof EMAIL_FILES]?: string };

/**
 * Those of an account by type, which may be any name, such as `constructor`.
 * @internal
 */
export function emailTexts({ BrandingEmail = [] }: AccountModel): Record<string, EmailText> {
  const texts: Record<string, EmailText> = Object.create(null);
  for (const { name = "", fields } of BrandingEmail) texts[name] = fields as EmailText;
  return texts;
}

/** Removes a byte order mark: it belongs to the file, and would be sent in each email. */
const withoutMark = (text: string): string => text.replace(/^\ufeff+/, "");

const text = {
  toApi: withoutMark,
  normalize: normalizeText,
  normalizeLoose: looseText,
  isClearable: true,
} as const;

const filled = z.string("must be a string").refine((value) => value.trim() !== "", "must not be empty");

const brandingEmailArguments = {
  /** Which of the emails. */
  type: argument<BrandingEmailType>(emailType, undefined, { isCreateOnly: true }),
  /** Subject line; may contain variables such as `{contract title}`. */
  subject: argument(filled.refine((value) => !/[\r\n]/.test(value), "must be one line").optional(), {
    label: "subject",
    apiName: "branding_email_subject",
    ...text,
  }),
  /** HTML body; may contain variables, and must keep those that the API requires. */
  content: argument(filled.optional(), {
    label: "HTML body",
    apiName: "branding_email_content",
    ...text,
    isHtml: true,
  }),
  /** Plain-text body; may contain variables, and must keep those that the API requires. */
  contentPlain: argument(filled.optional(), {
    label: "plain-text body",
    apiName: "branding_email_content_plain",
    ...text,
  }),
};
/** What a program declares. */
export interface BrandingEmailValues extends ValuesOf<typeof brandingEmailArguments>, Restorable {}

const brandingEmailOutputs = {
  /** When the email was last changed. */
  updatedAt: optionalOutput("branding_email_updated", { isChangedByUpdate: true }),
};
/** Outputs besides the arguments. */
export interface BrandingEmailOutputs extends ValuesOf<typeof brandingEmailOutputs> {}

/** An email template of an account. */
export interface BrandingEmailInfo
  extends RecordOf<
    typeof brandingEmailArguments & typeof brandingEmailOutputs,
    "type",
    "subject" | "content" | "contentPlain" | "updatedAt"
  > {}

/** @internal */
export const brandingEmail: KindDefinition = defineKind({
  kind: "BrandingEmail",
  nouns: ["email template", "email templates"],
  arguments: { ...brandingEmailArguments, ...restorable },
  outputs: brandingEmailOutputs,
  naturalKey: ["type"],
  isCreatable: false,
  storage: { directory: "emails", files: EMAIL_FILES },
  // Not validated by forms of the API: lint rules check the texts.
  forms: [],

  itemNamed: (name) => ({ name, fields: {} }),

  async read(client) {
    const { branding_emails } = await client.branding.emails();
    return branding_emails
      .map((record) => ({
        name: record.branding_email_type as string,
        fields: presentFields(fromApi(brandingEmail, record)),
      }))
      .filter((item) => Object.keys(item.fields).length > 0)
      .sort((a, b) => compareStrings(a.name, b.name));
  },
  fromState: ({ name, inputs }) => ({
    name: textsOf(inputs, ["type"]).type ?? name,
    fields: textsOf(inputs, Object.keys(brandingEmail.fields)),
  }),
  toInputs: ({ name, fields }) => ({ type: name, ...fields }),
});
