/**
 * Writes an account as the files of its folder, in the layout of docs/account-folder.md: loading them gives what was written,
 * byte for byte. The same account always gives the same files.
 */
import { Document, isMap, isScalar, Scalar } from "yaml";
import { EMAIL_FILES, type EmailText, emailTexts } from "../../definitions/branding-email";
import { fieldNames } from "../../definitions/field";
import { sectionKinds } from "../../definitions/index";
import { displayName, type KindDefinition } from "../../definitions/kind";
import { type AccountModel, type CompanyModel, emptyAccount, type Fields, type Item } from "../../definitions/model";
import { escapePlaceholders } from "../placeholders/placeholder-text";
import { foldCase, isReservedName, toFileName } from "./file-names";

/** Text of each file by its path below the folder, with slashes. */
export type Files = Map<string, string>;

/** The files, and notes on what could not be written. */
export interface FolderFiles {
  files: Files;
  notes: string[];
}

/** The files of an account, for a partner with those of its subaccounts. */
export function accountFiles(account: AccountModel): FolderFiles {
  const own = ownFiles(account);
  const slugs = companySlugs(account.companies ?? []);
  const companies = (account.companies ?? []).map((company, index) => companyFiles(company, slugs[index]!));
  return {
    files: new Map([own, ...companies].flatMap((part) => [...part.files])),
    notes: [own, ...companies].flatMap((part) => part.notes),
  };
}

/** Writes a text into a file, for instance with placeholders for an environment's values. */
export type WriteText = (text: string, kind: "text" | "html") => string;

/**
 * The files of one subaccount, below `companies/<slug>/`. company.yaml gets no placeholders: a value that only happens to be
 * part of the name would make it another company in another environment.
 */
export function companyFiles(company: CompanyModel, slug: string, write: WriteText = escapePlaceholders): FolderFiles {
  const base = `companies/${slug}/`;
  const own = ownFiles(company.account ?? emptyAccount(), write);
  const notes = own.notes.map((note) => `subaccount ${company.name}: ${note}`);
  const files: Files = new Map([[`${base}company.yaml`, companyYaml(company, slug, notes)]]);
  for (const [path, text] of own.files) files.set(base + path, text);
  return { files, notes };
}

function ownFiles(account: AccountModel, write: WriteText = escapePlaceholders): FolderFiles {
  const notes: string[] = [];
  const files: Files = new Map();
  const yaml = accountYaml(account, write, notes);
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

/** The sections of account.yaml; empty when there are none. */
function accountYaml(account: AccountModel, write: WriteText, notes: string[]): string {
  const content: Record<string, unknown> = {};
  for (const kind of sectionKinds) {
    const { section, isList } = kind.storage;
    const items = isList ? assignNames(kind, kind.items(account), notes) : kind.items(account);
    const written = items
      .map(({ name, fields }) => [name, writeFields(kind, fields, write)] as const)
      .filter(([, fields]) => Object.keys(fields).length > 0);
    if (written.length > 0) content[section] = isList ? Object.fromEntries(written) : written[0]![1];
  }
  return Object.keys(content).length > 0 ? new Document(content).toString({ lineWidth: 0 }) : "";
}

function writeFields(kind: KindDefinition, values: Fields, write: WriteText): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const field of fieldNames(kind, values)) {
    const value = values[field];
    if (value === undefined) continue;
    const text = write(value, "text");
    const [name, inner] = field.split(".") as [string, string?];
    const content = kind.fields[field]?.isQuoted ? quoted(text) : typedSetting(kind, field, text);
    written[name] = inner === undefined ? content : { ...(written[name] as object), [inner]: content };
  }
  return written;
}

/** What a settings file has for a text: a boolean or a number where the field is one. */
export function typedSetting(kind: KindDefinition, field: string, text: string): string | number | boolean {
  if (Object.hasOwn(kind.fields, field) && !kind.fields[field]!.isTyped) return text;
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && String(Number(text)) === text && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** A text in quotes: without them, a later edit could turn a `#` into the start of a comment. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

function companyYaml(company: CompanyModel, slug: string, notes: string[]): string {
  const userEmail = company.userEmail ?? company.email;
  if (userEmail === undefined) {
    notes.push(
      `subaccount ${company.name}: the API returns no email address; write userEmail into companies/${slug}/company.yaml`,
    );
  }
  const document = new Document({
    name: escapePlaceholders(company.name),
    userName: escapePlaceholders(company.userName ?? company.name),
    ...(userEmail !== undefined && { userEmail: escapePlaceholders(userEmail) }),
    ...(company.email !== undefined && { email: escapePlaceholders(company.email) }),
  });
  if (company.userName === undefined && isMap(document.contents)) {
    const key = document.contents.items.find((pair) => isScalar(pair.key) && pair.key.value === "userName")?.key;
    if (isScalar(key)) {
      key.commentBefore = " The API does not return the first user of a subaccount; these values are substitutes.";
    }
  }
  return document.toString({ lineWidth: 0 });
}

/**
 * Names for items that have none. Of identical items only the first is kept: a program may not declare an object twice.
 */
export function assignNames(kind: KindDefinition, items: readonly Item[], notes: string[] = []): Item[] {
  const taken = new Set(items.flatMap(({ name }) => name ?? []));
  const seen = new Set<string>();
  const named: Item[] = [];
  for (const item of items) {
    const identity = kind.identity(item);
    if (seen.has(identity)) {
      const id = item.id === undefined ? "" : ` (id ${item.id})`;
      notes.push(`${displayName(kind, kind.nameOf(item))}${id} was skipped: an identical one exists`);
      continue;
    }
    seen.add(identity);
    named.push({ ...item, name: item.name ?? newName(kind, item, taken) });
  }
  return named;
}

/** An unused name for an item; it is added to those taken. */
export const newName = (kind: KindDefinition, item: Item, taken: Set<string>): string =>
  uniqueName(slug(kind.newName?.(item) ?? "") || kind.kind.toLowerCase(), taken);

/** A directory name for each subaccount, from its name; unique regardless of letter case, and none that Windows reserves. */
export function companySlugs(companies: readonly CompanyModel[]): string[] {
  const taken = new Set(companies.flatMap((company) => (company.slug === undefined ? [] : foldCase(company.slug))));
  return companies.map((company) => {
    if (company.slug !== undefined) return company.slug;
    const base = slug(company.name) || "company";
    return uniqueName(isReservedName(base) ? `${base}-company` : base, taken, foldCase);
  });
}

function uniqueName(base: string, taken: Set<string>, keyOf = (name: string) => name): string {
  let name = base;
  for (let n = 2; taken.has(keyOf(name)); n++) name = `${base}-${n}`;
  taken.add(keyOf(name));
  return name;
}

/** Letters and digits of any script in lower case, with hyphens between. */
function slug(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  return [...words]
    .slice(0, 60)
    .join("")
    .replace(/^-+|-+$/g, "");
}
