/** Reads and checks the folder of a component before anything is created from it. */
import { resolve } from "node:path";
import { type Finding, sortFindings } from "../../account-folder/finding";
import type { AccountFolder } from "../../account-folder/folder/account-folder";
import type { LoadOptions } from "../../account-folder/folder/load-folder";
import type { FolderReading } from "../../account-folder/folder/read-folder";
import { allowsUnknownValues } from "../session/provider-config";
import type { FolderArgs } from "./component-arguments";
import { configuredValues, type Fail } from "./configured-values";
import type { Surroundings } from "./declarer";
import { describeFinding, describeWarnings, type Place } from "./describe-findings";
import { asStrings, type FolderValues, isSet } from "./fill-values";

/** What folders need is loaded only by programs that have one. */
const folders = (): typeof import("../../account-folder/folder/fill-folder") =>
  require("../../account-folder/folder/fill-folder");
const valueChecks = (): typeof import("../../account-folder/folder/check-values") =>
  require("../../account-folder/folder/check-values");
const settingChecks = (): typeof import("../../account-folder/folder/check-settings") =>
  require("../../account-folder/folder/check-settings");
const linting = (): typeof import("../../rules/lint/lint-folder") => require("../../rules/lint/lint-folder");
const reading = (): typeof import("../../account-folder/folder/read-folder") =>
  require("../../account-folder/folder/read-folder");

/** A folder that was read and checked, and the values for it. */
export interface PreparedFolder {
  folder: AccountFolder;
  values: FolderValues;
  args: FolderArgs;
}

/** A subaccount's values: its own take precedence. */
export const withOwn = (folder: AccountFolder, values: FolderValues): FolderValues => ({
  ...values,
  ...folder.company?.file.content?.values,
});

/** Reads and checks a folder. Throws a RunError, which shows without a stack, with all errors and their places. */
export function prepareFolder(surroundings: Surroundings, kind: string, name: string, args: FolderArgs) {
  const subject = `${kind} "${name}"`;
  const fail: Fail = (problem) => surroundings.fail("ESIGN1061", subject, problem);
  if (typeof args.folder !== "string" || args.folder === "") fail("folder is missing: pass the path of the folder");
  if (args.lint !== undefined && !["error", "warning", "off"].includes(args.lint)) {
    fail(`lint must be "error", "warning" or "off"`);
  }
  const { values: allValues, placeOf } = args.values
    ? { values: args.values, placeOf: () => undefined }
    : configuredValues(surroundings, fail);
  const root = resolve(surroundings.directory, args.folder);
  const place: Place = { directory: surroundings.directory, root };
  const allowUnknownValues = args.allowUnknownValues ?? allowsUnknownValues({ get: surroundings.config });
  const options: LoadOptions = { placeOfValue: placeOf, allowUnknownValues, requireValues: true };
  let read: FolderReading;
  try {
    read = reading().readFolder(root, { ...options, soleCompany: kind === "SubAccount" });
  } catch (error) {
    return fail((error as Error).message);
  }
  const values = Object.fromEntries(Object.entries(allValues).filter(([, value]) => isSet(value)));
  const { errors, warnings } = findingsOf(read, values, options, { lint: args.lint ?? "warning", surroundings });
  if (errors.length > 0) {
    const count = `${errors.length} error${errors.length === 1 ? "" : "s"} in ${args.folder}`;
    fail([`${count}:`, ...errors.map((finding) => `  ${describeFinding(place, finding)}`)].join("\n"));
  }
  for (const warning of describeWarnings(place, warnings)) surroundings.warn(`${subject}: ${warning}`);
  return { folder: read.folder, values };
}

/** What stops the preview, and what it only shows. */
function findingsOf(
  read: FolderReading,
  values: FolderValues,
  options: LoadOptions,
  { lint, surroundings }: { lint: NonNullable<FolderArgs["lint"]>; surroundings: Surroundings },
): { errors: Finding[]; warnings: Finding[] } {
  const { allowUnknownValues = false } = options;
  const strings = asStrings(
    Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string")),
    surroundings.fail,
  );
  const isError = ({ severity }: Finding) => severity === "error";
  const loaded = folders().loadAccount(read.folder, { ...strings, ...read.folder.company?.file.content?.values });
  const findings = [
    ...read.findings,
    ...valueChecks().checkValues(read.folder, Object.keys(values), options),
    // Of its warnings the resources have their own.
    ...settingChecks().checkSettings(loaded, allowUnknownValues).filter(isError),
  ];
  const linted = lint === "off" ? [] : linting().lintAccount(loaded, { allowUnknownValues });
  const errors = [...findings.filter(isError), ...(lint === "error" ? linted.filter(isError) : [])];
  return { errors: sortFindings(errors), warnings: sortFindings([...findings, ...linted]) };
}
