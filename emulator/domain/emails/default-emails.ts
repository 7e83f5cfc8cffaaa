/** The default email templates, and the variables that each must contain. */

import { neededVariables } from "../../../sdk/email-variables";
import type { Account, EmailContent } from "../data-schema";
import { type EmailType, emailTypes } from "../enums-by-edition";

export interface EmailText {
  subject: string;
  content: string;
  contentPlain: string;
}

/** Variables that the HTML and the plain-text body must contain, by type. */
type RequiredVariables = Record<EmailType, readonly string[]>;

export const requiredVariables = Object.fromEntries(
  emailTypes.map((type) => [
    type,
    neededVariables(type).flatMap(({ anyOf, severity }) => (severity === "error" ? anyOf : [])),
  ]),
) as unknown as RequiredVariables;

// Styles are attributes: in a style sheet, braces would be read as variables.
const BODY = "font-family: sans-serif; color: #222";
const BUTTON = "background: #1f6feb; color: #fff; padding: 10px 18px; text-decoration: none";

/** Builds both bodies from the same paragraphs. A paragraph is a sentence, or a link with its label. */
function buildEmail(subject: string, paragraphs: readonly (string | { label: string; variable: string })[]): EmailText {
  const html = paragraphs
    .map((p) => (typeof p === "string" ? p : `<a style="${BUTTON}" href="{${p.variable}}">${p.label}</a>`))
    .map((line) => `    <p>${line}</p>`);
  const plain = paragraphs.map((p) => (typeof p === "string" ? p : `${p.label}: {${p.variable}}`));
  return {
    subject,
    content: ["<!DOCTYPE html>", "<html>", `  <body style="${BODY}">`, ...html, "  </body>", "</html>", ""].join("\n"),
    contentPlain: `${plain.join("\n\n")}\n`,
  };
}

const greeting = "Hello {client name},";
const regards = "Kind regards, {user name}, {company name}";

export const defaultEmails: Record<EmailType, EmailText> = {
  "email-cancelled": buildEmail("{contract title} has been cancelled", [
    greeting,
    "{company name} has cancelled {contract title}. You need not do anything.",
    { label: "Tell the sender that you have seen this", variable: "acknowledge url" },
    regards,
  ]),
  "email-rejected": buildEmail("{contract title} has been rejected", [
    greeting,
    "A party has declined to sign {contract title}. It has been closed.",
    { label: "Tell the sender that you have seen this", variable: "acknowledge url" },
    regards,
  ]),
  "email-reminder": buildEmail("Reminder: {contract title} waits for your signature", [
    greeting,
    "{user name} of {company name} sent you {contract title}. It waits for your signature.",
    { label: "Read and sign", variable: "contract url" },
    regards,
  ]),
  "email-reminder-password": buildEmail("Reminder: {contract title} waits for your signature", [
    greeting,
    "{user name} of {company name} sent you {contract title}. It waits for your signature.",
    "You will be asked for this password: {contract password}",
    { label: "Read and sign", variable: "contract url" },
    regards,
  ]),
  "email-send": buildEmail("{company name} asks you to sign {contract title}", [
    greeting,
    "{user name} of {company name} asks you to sign {contract title}.",
    "{contract intro}",
    { label: "Read and sign", variable: "contract url" },
    regards,
  ]),
  "email-send-password": buildEmail("{company name} asks you to sign {contract title}", [
    greeting,
    "{user name} of {company name} asks you to sign {contract title}.",
    "{contract intro}",
    "You will be asked for this password: {contract password}",
    { label: "Read and sign", variable: "contract url" },
    regards,
  ]),
  "email-signed": buildEmail("{contract title} is signed", [
    greeting,
    "All parties have signed {contract title}. You can download your copy.",
    { label: "Open the signed document", variable: "contract url" },
    regards,
  ]),
  "email-widget-verify": buildEmail("Confirm your email address for {contract title}", [
    greeting,
    "Confirm your email address, so that {contract title} can be completed.",
    { label: "Confirm", variable: "widget verify url" },
    regards,
  ]),
};

/** The current content of a template: the account's own, or the default, dated with the account's creation. */
export function emailContent(account: Account, type: EmailType): EmailContent {
  return account.emails[type] ?? { ...defaultEmails[type], updated: account.created };
}
