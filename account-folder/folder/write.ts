/**
 * Writes an account as the files of its folder, in the layout of docs/reference/account-folder.md: what is loaded from them is
 * what was written, byte for byte. The same account always gives the same files.
 */
import { Document, isMap, isScalar, Scalar } from "yaml";
import { type AccountModel, type CompanyModel, type EmailText, emptyAccount, type WebhookModel } from "../model";
import { escapeTemplate } from "../template/template";
import { normalizeUrl } from "../text/normalize";

/** Text of each file by its path below the folder, with slashes. */
export type Files = Map<string, string>;

/** The files, and what could not be written as it is, in words. */
export interface Written {
  files: Files;
  notes: string[];
}

/** The file of each text of an e-mail, in its directory. */
export const EMAIL_FILES = { subject: "subject.txt", content: "body.html", contentPlain: "body.txt" } as const;

/** The files of an account, for a partner with those of its sub accounts. */
export function accountFiles(account: AccountModel): Written {
  const own = ownFiles(account);
  const slugs = companySlugs(account.companies ?? []);
  const companies = (account.companies ?? []).map((company, index) => companyFiles(company, slugs[index]!));
  return {
    files: new Map([own, ...companies].flatMap((part) => [...part.files])),
    notes: [own, ...companies].flatMap((part) => part.notes),
  };
}

/** How a text is written into a file, such as with values of an environment by their names. */
export type WriteText = (text: string, kind: "text" | "html") => string;

/**
 * The files of one sub account, below `companies/<slug>/`. Who it is, is written as it is: a value that only happens to be part
 * of its name would make it another company elsewhere.
 */
export function companyFiles(company: CompanyModel, slug: string, write: WriteText = escapeTemplate): Written {
  const base = `companies/${slug}/`;
  const own = ownFiles(company.account ?? emptyAccount(), write);
  const notes = own.notes.map((note) => `sub account ${company.name}: ${note}`);
  const files: Files = new Map([[`${base}company.yaml`, companyYaml(company, slug, notes)]]);
  for (const [path, text] of own.files) files.set(base + path, text);
  return { files, notes };
}

function ownFiles(account: AccountModel, write: WriteText = escapeTemplate): Written {
  const notes: string[] = [];
  const files: Files = new Map();
  const webhooks = assignNames(account.webhooks, notes);
  const yaml = accountYaml(account.branding, webhooks, write);
  if (yaml !== "") files.set("account.yaml", yaml);
  for (const [type, email] of Object.entries(account.emails)) {
    const refused = unsupportedType(type);
    if (refused !== undefined) notes.push(refused);
    else for (const [name, text] of emailFiles(email, write)) files.set(`emails/${type}/${name}`, text);
  }
  return { files, notes };
}

/** Why an e-mail of this type has no place in a folder, in words; undefined when it has. */
export const unsupportedType = (type: string): string | undefined =>
  /^[a-z0-9][a-z0-9-]*$/.test(type)
    ? undefined
    : `the e-mail ${JSON.stringify(type)} is left out: its type cannot be the name of a directory`;

/** The files of one e-mail, by name. */
function emailFiles(email: EmailText, write: WriteText): Files {
  const files: Files = new Map();
  if (email.subject !== undefined) files.set(EMAIL_FILES.subject, subjectFile(write(email.subject, "text")));
  if (email.content !== undefined) files.set(EMAIL_FILES.content, write(email.content, "html"));
  if (email.contentPlain !== undefined) files.set(EMAIL_FILES.contentPlain, write(email.contentPlain, "text"));
  // Without the file, loading would derive a plain text; an empty one says that it is not managed.
  else if (email.content !== undefined) files.set(EMAIL_FILES.contentPlain, "");
  return files;
}

/** Loading leaves one line end out at the end of a subject, so one that ends in a line end gets another. */
function subjectFile(subject: string): string {
  if (subject.endsWith("\r")) return `${subject}\r\n`;
  return subject.endsWith("\n") ? `${subject}\n` : subject;
}

function accountYaml(branding: AccountModel["branding"], webhooks: readonly WebhookModel[], write: WriteText): string {
  const content: Record<string, unknown> = {};
  const { colour, logoUrl } = branding;
  if (colour !== undefined || logoUrl !== undefined) {
    content.branding = {
      ...(colour !== undefined && { colour: quoted(write(colour, "text")) }),
      ...(logoUrl !== undefined && { logoUrl: write(logoUrl, "text") }),
    };
  }
  if (webhooks.length > 0) {
    content.webhooks = Object.fromEntries(
      webhooks.map(({ name, type, url }) => [name, { type: write(type, "text"), url: write(url, "text") }]),
    );
  }
  return Object.keys(content).length > 0 ? new Document(content).toString({ lineWidth: 0 }) : "";
}

/** A colour in quotes: without them, YAML takes its `#` for a comment as soon as somebody edits the line. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

function companyYaml(company: CompanyModel, slug: string, notes: string[]): string {
  const userEmail = company.userEmail ?? company.email;
  if (userEmail === undefined) {
    notes.push(
      `sub account ${company.name}: the service tells no e-mail address of it; write userEmail into companies/${slug}/company.yaml`,
    );
  }
  const document = new Document({
    name: escapeTemplate(company.name),
    userName: escapeTemplate(company.userName ?? company.name),
    ...(userEmail !== undefined && { userEmail: escapeTemplate(userEmail) }),
    ...(company.email !== undefined && { email: escapeTemplate(company.email) }),
  });
  if (company.userName === undefined && isMap(document.contents)) {
    const key = document.contents.items.find((pair) => isScalar(pair.key) && pair.key.value === "userName")?.key;
    if (isScalar(key)) {
      key.commentBefore = " The service does not tell the first user of a sub account: these two stand in for it.";
    }
  }
  return document.toString({ lineWidth: 0 });
}

/**
 * Names for webhooks that have none, after their type. Of webhooks with the same type and address only the first is
 * kept: a program may not declare the same object twice.
 */
export function assignNames(webhooks: readonly WebhookModel[], notes: string[] = []): WebhookModel[] {
  const taken = new Set(webhooks.flatMap((webhook) => webhook.name ?? []));
  const seen = new Set<string>();
  const named: WebhookModel[] = [];
  for (const webhook of webhooks) {
    const key = `${webhook.type}\n${normalizeUrl(webhook.url)}`;
    if (seen.has(key)) {
      const id = webhook.id === undefined ? "" : ` (its id is ${webhook.id})`;
      notes.push(
        `a second webhook for ${webhook.type} with the same address is left out${id}: its receiver is notified twice`,
      );
      continue;
    }
    seen.add(key);
    named.push({ ...webhook, name: webhook.name ?? uniqueName(slug(webhook.type) || "webhook", taken) });
  }
  return named;
}

/** A name for the directory of each sub account, from its name; never the same twice, whatever the letter case. */
export function companySlugs(companies: readonly CompanyModel[]): string[] {
  const taken = new Set(companies.flatMap((company) => company.slug?.toLowerCase() ?? []));
  return companies.map((company) => company.slug ?? uniqueName(slug(company.name) || "company", taken));
}

function uniqueName(base: string, taken: Set<string>): string {
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
  taken.add(name);
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
