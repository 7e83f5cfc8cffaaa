/** The standard texts of the email templates and the variables that each must keep. */

import type { EmailType } from "./enums";
import type { Account, EmailContent } from "./schema";

export interface EmailText {
  subject: string;
  content: string;
  contentPlain: string;
}

/** Variables that the HTML and the plain body of an email must hold, by type. A plausible table: the real one is not published. */
export type RequiredVariables = Record<EmailType, readonly string[]>;

export const requiredVariables: RequiredVariables = {
  "email-cancelled": ["contract title"],
  "email-rejected": ["contract title"],
  "email-reminder": ["contract url"],
  "email-reminder-password": ["contract url", "contract password"],
  "email-send": ["contract url"],
  "email-send-password": ["contract url", "contract password"],
  "email-signed": ["contract title"],
  "email-widget-verify": ["widget verify url"],
};

// Styles are attributes: rules have curly brackets, and what is between those is a variable's name.
const BODY = "font-family: sans-serif; color: #222";
const BUTTON = "background: #1f6feb; color: #fff; padding: 10px 18px; text-decoration: none";

/** Builds both bodies from one set of sentences. A paragraph is a sentence, or a link with its words. */
function buildEmail(subject: string, paragraphs: readonly (string | { words: string; variable: string })[]): EmailText {
  const html = paragraphs
    .map((p) => (typeof p === "string" ? p : `<a style="${BUTTON}" href="{${p.variable}}">${p.words}</a>`))
    .map((line) => `    <p>${line}</p>`);
  const plain = paragraphs.map((p) => (typeof p === "string" ? p : `${p.words}: {${p.variable}}`));
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
    { words: "Tell the sender that you have seen this", variable: "acknowledge url" },
    regards,
  ]),
  "email-rejected": buildEmail("{contract title} has been rejected", [
    greeting,
    "A party has declined to sign {contract title}. It has been closed.",
    { words: "Tell the sender that you have seen this", variable: "acknowledge url" },
    regards,
  ]),
  "email-reminder": buildEmail("Reminder: {contract title} waits for your signature", [
    greeting,
    "{user name} of {company name} sent you {contract title}. It waits for your signature.",
    { words: "Read and sign", variable: "contract url" },
    regards,
  ]),
  "email-reminder-password": buildEmail("Reminder: {contract title} waits for your signature", [
    greeting,
    "{user name} of {company name} sent you {contract title}. It waits for your signature.",
    "You will be asked for this password: {contract password}",
    { words: "Read and sign", variable: "contract url" },
    regards,
  ]),
  "email-send": buildEmail("{company name} asks you to sign {contract title}", [
    greeting,
    "{user name} of {company name} asks you to sign {contract title}.",
    "{contract intro}",
    { words: "Read and sign", variable: "contract url" },
    regards,
  ]),
  "email-send-password": buildEmail("{company name} asks you to sign {contract title}", [
    greeting,
    "{user name} of {company name} asks you to sign {contract title}.",
    "{contract intro}",
    "You will be asked for this password: {contract password}",
    { words: "Read and sign", variable: "contract url" },
    regards,
  ]),
  "email-signed": buildEmail("{contract title} is signed", [
    greeting,
    "All parties have signed {contract title}. You can download your copy.",
    { words: "Open the signed document", variable: "contract url" },
    regards,
  ]),
  "email-widget-verify": buildEmail("Confirm your e-mail address for {contract title}", [
    greeting,
    "Confirm your e-mail address, so that {contract title} can be completed.",
    { words: "Confirm", variable: "widget verify url" },
    regards,
  ]),
};

/** Texts of an email as they are now: the account's own, or the standard ones from the account's first day. */
export function emailContent(account: Account, type: EmailType): EmailContent {
  return account.emails[type] ?? { ...defaultEmails[type], updated: account.created };
}
