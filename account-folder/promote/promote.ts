/**
 * Turns the differences between a configuration and a folder into edits of the folder's files, for review. Nothing is
 * written to an account: deploying the edits is a step of its own.
 */

import { isDeepStrictEqual } from "node:util";
import { emailTexts } from "../../definitions/branding-email";
import type { CompanyFilter } from "../company-filter";
import { compare } from "../diff/compare";
import type { Comparison, ConfigSource, ResourceChange } from "../diff/comparison";
import { resourceName } from "../diff/format-diff";
import { type FolderSource, type FolderSourceOptions, folderSource } from "../diff/from-folder";
import type { AccountFolder } from "../folder/account-folder";
import { placeholdersOf } from "../folder/fill-folder";
import { companyOf, PromotionEdits } from "./file-edits";
import { OtherValues } from "./other-values";
import { selectApplicable } from "./select-applicable";

export interface PromoteOptions {
  /** Only objects that the folder manages already, or only those that it does not (default: both). */
  only?: "managed" | "additions";
  /** Which subaccounts to compare (default: all). */
  companies?: CompanyFilter;
  /** All of the source, if `from` is a part of it: two subaccounts of one name may not both be in the part. */
  whole?: ConfigSource;
  /** For loading the edited folder, with the values that it will have. */
  folder: Omit<FolderSourceOptions, "label">;
}

export interface Promotion {
  /** The differences that the edits make. */
  comparison: Comparison;
  /** New texts of files, by their path below the folder. */
  files: Map<string, string>;
  /** What was not edited, or needs a review. */
  notes: string[];
  /** The differences that remain after the edits. */
  remaining: Comparison;
  /** Placeholders in the edited files for which the target's environment has no value yet. */
  missing: string[];
}

/** The edits that make the folder `to` like `from`. Writes nothing to the folder. */
export function promote(from: ConfigSource, to: FolderSource, options: PromoteOptions): Promotion {
  const { comparison, notes } = selectApplicable(differences(to, from, options), from, to, options.whole);
  // What a first attempt takes for unknown values explains the same texts elsewhere.
  const first = new PromotionEdits(from, to, "partials", new OtherValues());
  first.run(comparison);
  const attempt = (reach: "partials" | "own files") => {
    const edits = new PromotionEdits(from, to, reach, first.otherValues).run(comparison);
    return { ...edits, ...rehearse(from, to, edits.files, options) };
  };
  let result = attempt("partials");
  // An edit of a partial changes every email template that includes it. If that has side effects, each placeholder text is edited alone.
  if (hasStrays(to, result.edited, comparison) || result.remaining.changes.some(isEmail)) result = attempt("own files");
  const { files, remaining, missing } = result;
  return { comparison, files, notes: [...notes, ...result.notes], remaining, missing };
}

const isEmail = ({ kind }: ResourceChange) => kind === "BrandingEmail";

/** Whether the edits change email templates that do not differ, also in other subaccounts. */
function hasStrays(to: FolderSource, edited: FolderSource, { changes }: Comparison): boolean {
  const wished = changes.filter(isEmail);
  return [to.loaded.account, ...to.loaded.account.companies].some(({ folder, model }) => {
    const slug = folder.company?.slug;
    const companies = edited.loaded.account.companies;
    const after = slug === undefined ? edited.loaded.account : companies.find((each) => each.company.name === slug);
    const isWished = (type: string) =>
      wished.some(({ name, company }) => name === type && companyOf(to, company)?.name === slug);
    const emails = after && emailTexts(after.model);
    return Object.entries(emailTexts(model)).some(
      ([type, texts]) => !isWished(type) && !isDeepStrictEqual(texts, emails?.[type]),
    );
  });
}

/** The differences that become edits. By default, they include what the target does not manage yet. */
function differences(to: FolderSource, from: ConfigSource, { only, companies }: PromoteOptions): Comparison {
  const comparison = compare(to, from, companies);
  if (only === "managed") return comparison;
  const changes = only === "additions" ? comparison.changes.flatMap(additionsOf) : [...comparison.changes];
  for (const { reason: _, ...item } of comparison.unmanaged) {
    const same = changes.findIndex(
      (change) => change.action === "change" && item.action === "change" && resourceName(change) === resourceName(item),
    );
    if (same >= 0) changes[same] = { ...changes[same]!, fields: [...changes[same]!.fields, ...item.fields] };
    else changes.push(item);
  }
  return { ...comparison, changes, unmanaged: [] };
}

function additionsOf(change: ResourceChange): ResourceChange[] {
  if (change.action !== "change") return change.action === "add" ? [change] : [];
  const fields = change.fields.filter((field) => field.before === undefined);
  return fields.length > 0 ? [{ ...change, fields }] : [];
}

/** Applies the edits to a copy in memory and compares again. */
function rehearse(
  from: ConfigSource,
  to: FolderSource,
  files: ReadonlyMap<string, string>,
  options: PromoteOptions,
): Pick<Promotion, "remaining" | "missing"> & { edited: FolderSource } {
  const explicit = options.folder.values;
  const before = [...to.loaded.sources.values()].map(({ path, text }) => [path, text] as const);
  // A value that only the source's environment has is used unchanged: without one, the folder could not be read.
  // In an unresolved folder, a placeholder without a value would match any text, such as a partial's new text.
  const inferred = to.inferValues(from);
  const values = explicit
    ? { values: { ...inferred, ...explicit } }
    : { otherValues: { ...inferred, ...options.folder.otherValues } };
  const edited = folderSource(to.loaded.root, {
    ...options.folder,
    ...values,
    label: to.label,
    texts: new Map([...before, ...files]),
  });
  const remaining = selectApplicable(differences(edited, from, options), from, edited, options.whole).comparison;
  return { edited, remaining, missing: explicit ? missingValues(edited.loaded.folder, Object.keys(explicit)) : [] };
}

function missingValues(folder: AccountFolder, outer: readonly string[]): string[] {
  const names = [...outer, ...Object.keys(folder.company?.file.content?.values ?? {})];
  const missing = placeholdersOf(folder).filter(({ name }) => !names.includes(name));
  const below = folder.companies.flatMap((company) => missingValues(company, names));
  return [...new Set([...missing.map(({ name }) => name), ...below])].sort();
}
