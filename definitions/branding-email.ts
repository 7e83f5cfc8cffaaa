/** The email templates of an account: one of each type. */

import { type FieldTable, fromApi } from "./field";
import { type ConfigKind, presentFields, textsOf } from "./kind";
import { looseText, normalizeText } from "./text/normalize";
import { compareStrings } from "./text/sort";

/** The file of each field, in the directory of the email template. */
export const EMAIL_FILES = { subject: "subject.txt", content: "body.html", contentPlain: "body.txt" } as const;

/** A byte order mark belongs to a file, and would be sent to each reader. */
const withoutMark = (text: string): string => text.replace(/^\ufeff+/, "");

const text = {
  toApi: withoutMark,
  normalize: normalizeText,
  normalizeLoose: looseText,
  isClearable: true,
} as const;

export const brandingEmailFields: FieldTable = {
  fields: {
    subject: { label: "subject", apiName: "branding_email_subject", ...text },
    content: { label: "HTML body", apiName: "branding_email_content", ...text, isHtml: true },
    contentPlain: { label: "plain-text body", apiName: "branding_email_content_plain", ...text },
  },
};

export const brandingEmail: ConfigKind = {
  kind: "BrandingEmail",
  label: (type) => `email template ${type}`,
  ...brandingEmailFields,
  isCreatable: false,
  storage: { directory: "emails", files: EMAIL_FILES },
  // Texts are checked by the rules of lint.
  forms: [],

  nameOf: ({ name }) => name,
  itemNamed: (name) => ({ name, fields: {} }),
  identity: ({ name = "" }) => name,
  matchRules: () => [{ key: brandingEmail.identity }],

  items: ({ emails }) => Object.entries(emails).map(([name, texts]) => ({ name, fields: { ...texts } })),
  add({ emails }, { name = "", fields }) {
    emails[name] = { ...emails[name], ...fields } as (typeof emails)[string];
  },

  async read(client) {
    const { branding_emails } = await client.branding.emails();
    return branding_emails
      .map((record) => ({
        name: record.branding_email_type as string,
        fields: presentFields(fromApi(brandingEmailFields, record)),
      }))
      .filter((item) => Object.keys(item.fields).length > 0)
      .sort((a, b) => compareStrings(a.name, b.name));
  },
  fromState: ({ name, inputs }) => ({
    name: textsOf(inputs, ["type"]).type ?? name,
    fields: textsOf(inputs, Object.keys(brandingEmailFields.fields)),
  }),
  toInputs: ({ name, fields }) => ({ type: name, ...fields }),
};
