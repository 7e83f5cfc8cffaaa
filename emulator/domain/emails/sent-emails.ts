/** Emails that the service would send, rendered from the templates and kept for people and tests to read. */
import { escapeHtml } from "../../../sdk/text/html-escape";
import { ownerOf } from "../account-owner";
import type { Account } from "../data-schema";
import type { EmailType } from "../enums-by-edition";
import { mostEmails } from "../limits";
import { emailContent } from "./default-emails";

/** An email that was sent. */
export interface SentEmail {
  id: string;
  type: EmailType;
  /** ID of the account that sent it. */
  account: string;
  /** Name and address of the sender's company. */
  from: string;
  to: string;
  subject: string;
  html: string;
  plain: string;
  /** The emulator's time. */
  date: string;
  envelope?: string;
}

/** Values of template variables. A key without a value becomes empty; an unknown variable is left unchanged. */
export type VariableValues = Partial<Record<string, string>>;

function fillVariables(text: string, values: VariableValues, encode: (value: string) => string): string {
  return text.replace(/\{([a-z ]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encode(values[name] ?? "") : whole,
  );
}

/** Renders an email from one of the account's templates. */
export function renderEmail(
  account: Account,
  type: EmailType,
  to: string,
  values: VariableValues,
  details: Pick<SentEmail, "id" | "date" | "envelope">,
): SentEmail {
  const template = emailContent(account, type);
  const allValues = { "company name": account.name, "user name": ownerOf(account).name, ...values };
  return {
    ...details,
    type,
    account: account.id,
    from: `${account.name} <${account.email}>`,
    to,
    subject: fillVariables(template.subject, allValues, (v) => v.replace(/[\r\n]+/g, " ")),
    html: fillVariables(template.content, allValues, escapeHtml),
    plain: fillVariables(template.contentPlain, allValues, (v) => v),
  };
}

/** Sent emails, newest last, at most `capacity`. They are not in the data file. */
export class Outbox {
  readonly #emails: SentEmail[] = [];

  constructor(readonly capacity = mostEmails) {}

  add(email: SentEmail): void {
    this.#emails.push(email);
    if (this.#emails.length > this.capacity) this.#emails.shift();
  }

  all(): SentEmail[] {
    return structuredClone(this.#emails);
  }

  find(id: string): SentEmail | undefined {
    return this.#emails.find((email) => email.id === id);
  }

  clear(): void {
    this.#emails.length = 0;
  }
}
