/** A folder as a source of a comparison: with the values of one environment, or unresolved. */

import { isSameValue } from "../../definitions/field";
import { kinds } from "../../definitions/index";
import { isSubaccount } from "../../definitions/model";
import { sortFindings } from "../finding";
import { type LoadedAccount, loadAccount, type Values } from "../folder/fill-folder";
import { type LoadedFolder, loadFolder } from "../folder/load-folder";
import { FolderError } from "../folder/symbolic-links";
import { fillPlaceholders, type Part, type PlaceholderText } from "../placeholders/placeholder-text";
import { SourceFile } from "../placeholders/source-map";
import { htmlToText } from "../text/html/to-text";
import type { ConfigSource, FieldPlace } from "./comparison";
import { accountIn, PlaceholderValues } from "./infer-values";
import { formatOf, matchPlaceholders, valueWriter } from "./match-placeholders";

export interface FolderSourceOptions {
  label: string;
  /** Values of the environment; without them the folder represents every environment. */
  values?: Values;
  /** Name of the environment that the values belong to. */
  environment?: string;
  /** Values of the environment that it is compared with: a placeholder text matches a text by these; without them, by any values. */
  otherValues?: Values;
  /** The folder's files by path, in place of those on disk. */
  texts?: ReadonlyMap<string, string>;
}

/** A source that still knows its files. */
export interface FolderSource extends ConfigSource {
  loaded: LoadedFolder;
  ownValues: (company?: string) => Values;
  /** The values that its placeholders have in another source, or in one text of it, as far as known or inferred. */
  inferValues: (other: ConfigSource, company?: string, text?: string) => Values;
  /** The placeholder text of a field, if the folder has it. That of a derived plain text has no file: its path is empty. */
  writtenText: (place: FieldPlace) => PlaceholderText | undefined;
}

/**
 * Loads a folder. Throws when it has errors: a part of it would look as if the rest had been deleted. Types that this version
 * does not know are accepted: whether they may be deployed is a question of its own.
 */
export function folderSource(root: string, options: FolderSourceOptions): FolderSource {
  const { values, environment, label } = options;
  const loaded = loadValidFolder(root, options);
  const writtenText = writtenTextFinder(loaded);
  const placeholders = new PlaceholderValues(loaded, { ...options, writtenText });
  return {
    label,
    model: loaded.account.model,
    isAuthoritative: false,
    ...(environment !== undefined && { environment }),
    ...(values === undefined && { isUnresolved: true }),
    matchesTemplate: (place, text, other) =>
      isResultOf(writtenText, place, text, placeholders.certain(other, place.company)),
    ownValues: (company) => placeholders.own(company),
    inferValues: (other, company, text) => placeholders.infer(other, company, text),
    loaded,
    writtenText,
  };
}

function loadValidFolder(root: string, { label, values, texts }: FolderSourceOptions): LoadedFolder {
  const loaded = loadFolder(root, {
    ...(values && { values }),
    ...(texts && { texts }),
    requireValues: values !== undefined,
    allowUnknownValues: true,
  });
  // A value that this folder does not use may be another folder's: one stack configuration serves all of them.
  const errors = sortFindings(
    loaded.findings.filter((finding) => finding.severity === "error" && finding.rule !== "unused-value"),
  );
  if (errors.length === 0) return loaded;
  const lines = errors.map((e) => `  ${root}/${e.file}:${e.line}:${e.column} ${e.message}; ${e.fix}`);
  throw new FolderError(`${label} has errors:\n${lines.join("\n")}`);
}

function writtenTextFinder({ account, folder }: LoadedFolder): FolderSource["writtenText"] {
  // The derived plain texts of an unresolved account still show the placeholders.
  const unresolved = loadAccount(folder, undefined);
  return (place) => {
    if (place.company === undefined) return writtenTextIn(unresolved, place);
    // A subaccount's name may contain placeholders: it is found by its name with the values filled in.
    const slug = accountIn(account, place.company)?.folder.company?.slug;
    const company = unresolved.companies.find((each) => each.company.name === slug);
    return company && writtenTextIn(company, place);
  };
}

function writtenTextIn(
  { folder, emails }: LoadedAccount,
  { kind, name, field }: FieldPlace,
): PlaceholderText | undefined {
  if (isSubaccount(kind)) return folder.company?.texts[field];
  if (kind !== "BrandingEmail") return folder.items[kind].find((item) => item.name === name)?.texts[field];
  const email = emails.find(({ type }) => type === name);
  if (field === "contentPlain" && email?.plainIsDerived) return derivedText(email.contentPlain!.text);
  return folder.emails.find(({ type }) => type === name)?.[field as "subject"];
}

/** A placeholder text of a derived plain text: where the HTML has a placeholder, the text has `‹name›`. */
function derivedText(text: string): PlaceholderText {
  const source = new SourceFile("", text);
  const parts = text.split(/‹([A-Za-z][\w.-]*)›/).map((piece, index): Part => {
    const stretch = { source, offset: 0, length: piece.length };
    return index % 2 ? { ...stretch, kind: "value", name: piece } : { ...stretch, kind: "literal", text: piece };
  });
  return { source, parts: parts.filter((part) => part.length > 0) };
}

/** Whether the placeholder text of a field gives a text with these values, or with others where these leave it open. */
function isResultOf(
  writtenText: FolderSource["writtenText"],
  place: FieldPlace,
  text: string,
  values: Values,
): boolean {
  const unfilled = writtenText(place);
  if (unfilled === undefined) return false;
  const format = formatOf(place);
  const fill = (one: PlaceholderText, write: (value: string) => string) =>
    fillPlaceholders(one, { values, write }).text;
  const html = unfilled.source.path === "" ? writtenText({ ...place, field: "content" }) : undefined;
  const filled = html ? htmlToText(fill(html, valueWriter("html"))) : fill(unfilled, valueWriter(format));
  if (isSameValue(kinds[place.kind], place.field, filled, text)) return true;
  const matched = matchPlaceholders(unfilled, text, format);
  if (matched && Object.entries(matched).every(([name, value]) => (values[name] ?? value) === value)) return true;
  return matchPlaceholders(unfilled, text, format, values) !== undefined;
}
