/**
 * Writes an account as the files of its folder, in the layout of docs/reference/account-folder.md: loading them gives what was written,
 * byte for byte. The same account always gives the same files.
 */
import { EMAIL_FILES, type EmailText, emailTexts } from "../../definitions/branding-email";
import { companyName } from "../../definitions/company";
import type { AccountModel, Item } from "../../definitions/model";
import { escapePlaceholders } from "../placeholders/placeholder-text";
import { toFileName } from "./file-names";
import { companySlugs } from "./new-names";
import { accountYaml, type WriteText } from "./write-account-yaml";
import { companyYaml } from "./write-company-yaml";

/** Text of each file by its path below the folder, with slashes. */
export type Files = Map<string, string>;

/** The files, and notes on what could not be written. */
export interface WrittenFolder {
  files: Files;
  notes: string[];
}

/** The files of an account, for a partner with those of its subaccounts. */
export function accountFiles(account: AccountModel): WrittenFolder {
  const own = ownFiles(account);
  const { Company = [] } = account;
  const slugs = companySlugs(Company);
  const companies = Company.map((company, index) => companyFiles(company, slugs[index]!));
  return {
    files: new Map([own, ...companies].flatMap((part) => [...part.files])),
    notes: [own, ...companies].flatMap((part) => part.notes),
  };
}

/**
 * The files of one subaccount, below `companies/<slug>/`. company.yaml gets no placeholders: a value that only happens to be
 * part of the name would make it another company in another environment.
 */
export function companyFiles(company: Item, slug: string, write: WriteText = escapePlaceholders): WrittenFolder {
  const base = `companies/${slug}/`;
  const own = ownFiles(company.account ?? {}, write);
  const { yaml, notes } = companyYaml(company, slug);
  const files: Files = new Map([[`${base}company.yaml`, yaml]]);
  for (const [path, text] of own.files) files.set(base + path, text);
  return { files, notes: [...own.notes.map((note) => `subaccount ${companyName(company)}: ${note}`), ...notes] };
}

function ownFiles(account: AccountModel, write: WriteText = escapePlaceholders): WrittenFolder {
  const files: Files = new Map();
  const { yaml, notes } = accountYaml(account, write);
  if (yaml !== "") files.set("account.yaml", yaml);
  for (const [type, email] of Object.entries(emailTexts(account)))
    for (const [name, text] of emailFiles(email, write))
      files.set(`emails/${toFileName(type)}/${name}`, withMark(text));
  return { files, notes };
}

/** Loading removes one byte order mark, so a text that begins with one gets another. */
const withMark = (text: string): string => (text.startsWith("\ufeff") ? `\ufeff${text}` : text);

/** The files of one email template, by name. */
function emailFiles(email: EmailText, write: WriteText): Files {
  const files: Files = new Map();
  if (email.subject !== undefined) files.set(EMAIL_FILES.subject, subjectFile(write(email.subject, "text")));
  if (email.content !== undefined) files.set(EMAIL_FILES.content, write(email.content, "html"));
  if (email.contentPlain !== undefined) files.set(EMAIL_FILES.contentPlain, write(email.contentPlain, "text"));
  // Without the file, loading would derive a plain text; with an empty one, the plain text is not managed.
  else if (email.content !== undefined) files.set(EMAIL_FILES.contentPlain, "");
  return files;
}

/** Loading removes one line end at the end of a subject, so a subject that ends in a line end gets another one. */
function subjectFile(subject: string): string {
  if (subject.endsWith("\r")) return `${subject}\r\n`;
  return subject.endsWith("\n") ? `${subject}\n` : subject;
}
