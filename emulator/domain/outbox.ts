/** The emails that the service would send: rendered from the email templates and kept for people and tests to read. */
import { escapeHtml } from "../../sdk/text/html-escape";
import { emailContent } from "./default-emails";
import type { EmailType } from "./enums";
import type { Account } from "./schema";

/** An email that was sent. */
export interface SentEmail {
  id: string;
  type: EmailType;
  /** Id of the account that sent it. */
  account: string;
  /** Name and address of the sender's company. */
  from: string;
  to: string;
  subject: string;
  html: string;
  plain: string;
  /** The service's time. */
  date: string;
  envelope?: string;
}

/** Values for the variables of §2.2; one without a value becomes empty. */
export type VariableValues = Partial<Record<string, string>>;

function fillVariables(text: string, values: VariableValues, encode: (value: string) => string): string {
  return text.replace(/\{([a-z ]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encode(values[name] ?? "") : whole,
  );
}

/** Renders one of the account's emails. */
export function renderEmail(
  account: Account,
  type: EmailType,
  to: string,
  values: VariableValues,
  rest: Pick<SentEmail, "id" | "date" | "envelope">,
): SentEmail {
  const texts = emailContent(account, type);
  const all = { "company name": account.name, "user name": account.user.name, ...values };
  return {
    ...rest,
    type,
    account: account.id,
    from: `${account.name} <${account.email}>`,
    to,
    subject: fillVariables(texts.subject, all, (v) => v.replace(/[\r\n]+/g, " ")),
    html: fillVariables(texts.content, all, escapeHtml),
    plain: fillVariables(texts.contentPlain, all, (v) => v),
  };
}

/** The emails that were sent, newest last, at most `capacity` of them. They are not part of the data file. */
export class Outbox {
  readonly #emails: SentEmail[] = [];

  constructor(readonly capacity = 1000) {}

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
