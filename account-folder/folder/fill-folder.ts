/**
 * Fills in the placeholders of an account's folder. The result is the account's configuration as plain data, with the source locations of
 * its texts.
 */
import { kinds, sectionKinds } from "../../definitions/index";
import type { AccountModel, Item } from "../../definitions/model";
import { escapeHtml } from "../../sdk/text/html-escape";
import { fillPlaceholders, type PlaceholderText, placeholdersIn } from "../placeholders/placeholder-text";
import { SourcedText, type SourceLocation } from "../placeholders/source-map";
import { withFile } from "../text/html/limits";
import { htmlToText } from "../text/html/to-text";
import type { AccountFolder, EmailFiles } from "./account-folder";

/** Values of placeholders, by name. */
export type Values = Readonly<Record<string, string>>;

/** An email template whose placeholders are filled in. */
export interface LoadedEmail {
  type: string;
  /** The directory of the email template. */
  place: SourceLocation;
  subject?: SourcedText;
  content?: SourcedText;
  /** As written in its file; or derived from the HTML, with the beginning of the HTML as its location. */
  contentPlain?: SourcedText;
  plainIsDerived: boolean;
  /** Files that are empty. */
  empty: SourceLocation[];
}

/** An account whose placeholders are filled in. */
export interface LoadedAccount {
  folder: AccountFolder;
  model: AccountModel;
  emails: LoadedEmail[];
  companies: LoadedCompany[];
}

export interface LoadedCompany extends LoadedAccount {
  company: Item;
}

/**
 * Fills in an account's placeholders. If `stackValues` is undefined, placeholders in subaccounts also stay unresolved, even those with
 * values of their own.
 */
export function loadAccount(folder: AccountFolder, stackValues: Values | undefined): LoadedAccount {
  const values = stackValues ?? {};
  const emails = folder.emails.map((files) => fillEmail(files, values));
  const companies = folder.companies.map((company) => loadCompany(company, stackValues));
  const model: AccountModel = companies.length > 0 ? { Company: companies.map(({ company }) => company) } : {};
  for (const kind of sectionKinds)
    for (const { texts, ...item } of folder.items[kind.kind])
      kind.add(model, { ...item, fields: fillAll(texts, values) });
  for (const email of emails) kinds.BrandingEmail.add(model, { name: email.type, fields: filledTexts(email) });
  return { folder, model, emails, companies };
}

function loadCompany(folder: AccountFolder, outer: Values | undefined): LoadedCompany {
  const { slug, file, texts } = folder.company!;
  const values = { ...outer, ...file.content?.values };
  const account = loadAccount(folder, outer && values);
  const company = { name: slug, fields: { name: slug, ...fillAll(texts, values) }, account: account.model };
  return { ...account, company };
}

const fillAll = (texts: Readonly<Record<string, PlaceholderText>>, values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, unfilled]) => [name, fillPlaceholders(unfilled, { values }).text]),
  );

/** Fills in an email template's placeholders. Derives its plain text from the HTML if it has no file. */
export function fillEmail(files: EmailFiles, values: Values): LoadedEmail {
  const subject = files.subject && fillPlaceholders(files.subject, { values });
  const content = files.content && fillPlaceholders(files.content, { values, write: escapeHtml });
  const written = files.contentPlain && fillPlaceholders(files.contentPlain, { values });
  const plainIsDerived = content !== undefined && !files.hasPlainFile;
  const contentPlain = plainIsDerived
    ? new SourcedText(
        withFile(files.content!.source.path, () => htmlToText(content.text)),
        [{ start: 0, source: files.content!.source, offset: 0, replaced: 0 }],
        files.content!.source,
      )
    : written;
  return {
    type: files.type,
    place: files.place,
    empty: files.empty,
    plainIsDerived,
    ...(subject && { subject }),
    ...(content && { content }),
    ...(contentPlain && { contentPlain }),
  };
}

/** The texts of an email template, by field. */
function filledTexts(email: LoadedEmail) {
  return {
    ...(email.subject && { subject: email.subject.text }),
    ...(email.content && { content: email.content.text }),
    ...(email.contentPlain && { contentPlain: email.contentPlain.text }),
  };
}

/** All texts with placeholders of an account, without those of its subaccounts. */
function writtenTextsOf(folder: AccountFolder): PlaceholderText[] {
  return [
    ...Object.values(folder.items).flatMap((items) => items.flatMap(({ texts }) => Object.values(texts))),
    ...folder.emails.flatMap(({ subject, content, contentPlain }) => [subject, content, contentPlain]),
    ...Object.values(folder.company?.texts ?? {}),
  ].filter((unfilled) => unfilled !== undefined);
}

/** The placeholders in an account's files, without its subaccounts. */
export const placeholdersOf = (folder: AccountFolder) => writtenTextsOf(folder).flatMap(placeholdersIn);
