/**
 * Fills in the placeholders of an account's folder. The result is the account's configuration as plain data, with the source locations of
 * its texts.
 */
import type { z } from "zod";
import { kinds, sectionKinds } from "../../definitions/index";
import { type KindDefinition, settingPath } from "../../definitions/kind";
import type { Fields, Item } from "../../definitions/model";
import { type AccountModel, type CompanyModel, emptyAccount } from "../../definitions/model";
import { findNewValues } from "../../sdk/enums";
import { anyUnknown, parseWith } from "../../sdk/parse-rules";
import { closeMatch } from "../../sdk/text/did-you-mean";
import { escapeHtml } from "../../sdk/text/html-escape";
import type { Finding } from "../finding";
import { fillPlaceholders, type PlaceholderText, placeholdersIn } from "../placeholders/placeholder-text";
import { SourcedText, SourceFile, type SourceLocation } from "../placeholders/source-map";
import { withFile } from "../text/html/limits";
import { htmlToText } from "../text/html/to-text";
import type { AccountFile } from "./account-file";
import type { AccountFolder, EmailFiles } from "./account-folder";
import { type FolderReading, type ReadFolderOptions, readFolder } from "./read";

/** Values of placeholders, by name. */
export type Values = Readonly<Record<string, string>>;

export interface LoadOptions extends ReadFolderOptions {
  /** Values for `${name}`. */
  values?: Values;
  /** Where a value is set, for the finding that it is unused. */
  placeOfValue?: (name: string) => SourceLocation | undefined;
  /** Whether a missing value is an error. If not, it is shown as `‹name›`. Default: true. */
  requireValues?: boolean;
}

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
  company: CompanyModel;
}

/** A folder whose placeholders are filled in. */
export interface LoadedFolder extends FolderReading {
  account: LoadedAccount;
}

/** Reads a folder and fills in its placeholders. Throws if the folder does not exist, or a symbolic link leads out of it. */
export function loadFolder(root: string, options: LoadOptions = {}): LoadedFolder {
  const reading = readFolder(root, options);
  const values = options.values ?? {};
  const account = loadAccount(reading.folder, values);
  const findings = [
    ...reading.findings,
    ...checkValues(reading.folder, Object.keys(values), options),
    ...checkSettings(account, options.allowUnknownValues),
  ];
  return { ...reading, account, findings };
}

/**
 * Fills in an account's placeholders. If `stackValues` is undefined, placeholders in subaccounts also stay unresolved, even those with
 * values of their own.
 */
export function loadAccount(folder: AccountFolder, stackValues: Values | undefined): LoadedAccount {
  const values = stackValues ?? {};
  const emails = folder.emails.map((files) => fillEmail(files, values));
  const companies = folder.companies.map((company) => loadCompany(company, stackValues));
  const model: AccountModel = {
    ...emptyAccount(),
    ...(companies.length > 0 && { companies: companies.map(({ company }) => company) }),
  };
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
  const company = { slug, name: slug, ...fillAll(texts, values), account: account.model };
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

/** Finds placeholders without a value, and values without a placeholder. */
export function checkValues(
  folder: AccountFolder,
  valueNames: readonly string[],
  options: LoadOptions = {},
): Finding[] {
  const used = new Set<string>();
  const findings: Finding[] = [];
  const check = (account: AccountFolder, own: readonly string[]) => {
    const names = [...own, ...valueNames];
    const usedHere = new Set<string>();
    for (const { name, source, offset, length } of placeholdersOf(account)) {
      usedHere.add(name);
      if (names.includes(name) || options.requireValues === false) continue;
      const near = closeMatch(name, names);
      findings.push({
        ...source.place(offset, offset + length),
        rule: "missing-value",
        severity: "error",
        message: `missing value for \${${name}}`,
        fix: near ? `did you mean \${${near}}? Otherwise set a value` : "set a value, or write $${ for the literal",
      });
    }
    for (const name of own) {
      if (usedHere.delete(name)) continue;
      findings.push(unused(name, account.company!.file.keyPlace(["values", name])));
    }
    for (const name of usedHere) used.add(name);
    for (const company of account.companies) check(company, Object.keys(company.company?.file.content?.values ?? {}));
  };
  check(folder, Object.keys(folder.company?.file.content?.values ?? {}));
  for (const name of valueNames) {
    if (!used.has(name))
      findings.push(unused(name, options.placeOfValue?.(name) ?? new SourceFile("account.yaml", "").place(0)));
  }
  return findings;
}

const unused = (name: string, place: SourceLocation): Finding => ({
  ...place,
  rule: "unused-value",
  severity: "error",
  message: `unused value "${name}"`,
  fix: `remove it, or write \${${name}} where it belongs`,
});

/** Validates settings with the API's forms. Values with an unresolved placeholder are skipped. */
export function checkSettings(account: LoadedAccount, allowUnknownValues = false): Finding[] {
  const { folder, model, companies } = account;
  const check = (file: AccountFile<unknown>, kind: KindDefinition, { name, fields }: Item): Finding[] =>
    validateFields(kind, fields, allowUnknownValues).map(({ field, message, isWarning = false }) => {
      const path = settingPath(kind, name, field);
      return {
        ...file.place(path),
        rule: "settings",
        severity: isWarning ? "warning" : "error",
        message: `"${path.join(".")}" ${message}`,
        fix: isWarning ? "set allowUnknownValues" : "correct the value, or that of its placeholders",
      };
    });
  return [
    ...sectionKinds.flatMap((kind) => kind.items(model).flatMap((item) => check(folder.file, kind, item))),
    ...kinds.Company.items(model).flatMap((item, i) => check(companies[i]!.folder.company!.file, kinds.Company, item)),
    ...companies.flatMap((company) => checkSettings(company, allowUnknownValues)),
  ];
}

/** Problems that the API's forms report for an item's fields. */
function validateFields(kind: KindDefinition, fields: Fields, allowUnknownValues: boolean) {
  return kind.forms.flatMap(({ form, names, defaults }) => {
    const resolved = Object.entries(names).filter(
      ([field]) => fields[field] !== undefined && !fields[field].includes("‹"),
    );
    // A missing field may be set by a program.
    if (resolved.length === 0) return [];
    const apiValue = (field: string) => (kind.fields[field]?.isRemovable ? fields[field] || null : fields[field]);
    const values = { ...defaults, ...Object.fromEntries(resolved.map(([field, name]) => [name, apiValue(field)])) };
    const parse = () => form.safeParse(values);
    // The folder does not say which edition the account has, so the more permissive one is used.
    const { error } = parseWith({ edition: "current", ...(allowUnknownValues && anyUnknown) }, parse);
    const found = allowUnknownValues ? [] : findNewValues((form as z.ZodObject).shape ?? {}, values);
    const issues = [
      ...(error?.issues ?? []).map((issue) => ({
        name: issue.path[0],
        message: issue.message,
        isWarning: false,
      })),
      ...found.map(({ field, message }) => ({ name: field, message, isWarning: true })),
    ];
    return issues.flatMap(({ name, ...issue }) =>
      resolved.filter(([, each]) => each === name).map(([field]) => ({ field, ...issue })),
    );
  });
}
