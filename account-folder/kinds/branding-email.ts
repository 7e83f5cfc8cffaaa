/** The email templates of an account: one of each type. */
import { normalizeText } from "../text/normalize";
import { compareStrings } from "../text/sort";
import { type ConfigKind, presentFields, textsOf } from "./config-kind";

/** The file of each field, in the directory of the email template. */
export const EMAIL_FILES = { subject: "subject.txt", content: "body.html", contentPlain: "body.txt" } as const;

const fields: ConfigKind["fields"] = {
  subject: { label: "subject", normalize: normalizeText },
  content: { label: "HTML body", normalize: normalizeText, isHtml: true },
  contentPlain: { label: "plain-text body", normalize: normalizeText },
};

export const brandingEmail: ConfigKind = {
  kind: "BrandingEmail",
  label: (type) => `email template ${type}`,
  fields,
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
      .map((email) => ({
        name: email.branding_email_type as string,
        fields: presentFields({
          subject: email.branding_email_subject,
          content: email.branding_email_content,
          contentPlain: email.branding_email_content_plain,
        }),
      }))
      .filter((item) => Object.keys(item.fields).length > 0)
      .sort((a, b) => compareStrings(a.name, b.name));
  },
  fromState: ({ name, inputs }) => ({
    name: textsOf(inputs, ["type"]).type ?? name,
    fields: textsOf(inputs, Object.keys(fields)),
  }),
  toInputs: ({ name, fields }) => ({ type: name, ...fields }),
};
