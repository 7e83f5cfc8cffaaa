/** Reads and checks the folder of a component before anything is made of it. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Finding, sortFindings } from "../../account-folder/finding";
import type { LoadOptions } from "../../account-folder/folder/load";
import type { AccountFolder, FolderReading } from "../../account-folder/folder/read";
import type { SourceLocation } from "../../account-folder/template/source-map";
import { unknownArgument } from "../lifecycle/check";
import { allowsUnknownValues } from "../session/settings";
import { asTexts, type FolderValues, isSet } from "./fill-values";

/** What folders need is loaded by those programs only that have one. */
const loading = (): typeof import("../../account-folder/folder/load") => require("../../account-folder/folder/load");
const checking = (): typeof import("../../account-folder/lint/lint") => require("../../account-folder/lint/lint");
const reading = (): typeof import("../../account-folder/folder/read") => require("../../account-folder/folder/read");
const valuesFile = (): typeof import("../../account-folder/folder/values-file") =>
  require("../../account-folder/folder/values-file");

/** What both components take. */
export interface FolderArgs {
  /** Path of the folder, from the program's directory. */
  folder: string;
  /**
   * Values for `${name}` in the folder. Default for AccountConfig: the object `values` of the stack's configuration,
   * `<project>:values`. A value that is missing and one that nobody uses are errors at preview.
   */
  values?: Record<string, pulumi.Input<string>>;
  /** What the rules of `esign check` do at preview: `warning` shows what they find, `error` stops on errors. Default: warning. */
  lint?: "error" | "warning" | "off";
  /** What a deletion does to branding and e-mails: `restore` puts back what was there before, `keep` leaves it. Default: restore. */
  onDelete?: "restore" | "keep";
  /** Let e-mail types and variables through that this version does not know. Default: what `esign:allowUnknownValues` says, which their resources need, too. */
  allowUnknownValues?: boolean;
}

/** Their names, for {@link rejectUnknownArguments}. */
export const folderArgs: Record<keyof FolderArgs, true> = {
  folder: true,
  values: true,
  lint: true,
  onDelete: true,
  allowUnknownValues: true,
};

/** A folder that was read and checked, and the values for it. */
export interface PreparedFolder {
  folder: AccountFolder;
  values: FolderValues;
  args: FolderArgs;
}

/** Refuses arguments that are none: with `acount` all would be made in the account of the key. */
export function rejectUnknownArguments(kind: string, name: string, args: object | undefined, known: object): void {
  if (args === undefined || args === null) throw new pulumi.RunError(`${kind} "${name}": arguments are missing`);
  const names = Object.keys(known);
  const strange = Object.entries(args).filter(([field, value]) => value !== undefined && !names.includes(field));
  if (strange.length === 0) return;
  const told = strange.map(([field]) => `${field} ${unknownArgument(kind, field, names).message}`);
  throw new pulumi.RunError(`${kind} "${name}": ${told.join("; ")}`);
}

/** Reads and checks a folder. Throws a RunError, which shows without a stack, that tells all errors with their places. */
export function prepareFolder(kind: string, name: string, args: FolderArgs) {
  const fail = (message: string): never => {
    throw new pulumi.RunError(`${kind} "${name}": ${message}`);
  };
  if (typeof args.folder !== "string" || args.folder === "")
    fail("folder is missing: give the path of the account's folder");
  if (args.lint !== undefined && !["error", "warning", "off"].includes(args.lint)) {
    fail(`lint must be "error", "warning" or "off"`);
  }
  const given = args.values ? { values: args.values, placeOf: () => undefined } : configuredValues(fail);
  const root = resolve(args.folder);
  const allowUnknownValues = args.allowUnknownValues ?? allowsUnknownValues({ get: pulumi.runtime.getConfig });
  const options: LoadOptions = {
    placeOfValue: given.placeOf,
    allowUnknownValues,
    requireValues: true,
  };
  let read: FolderReading;
  try {
    read = reading().readFolder(root, { ...options, soleCompany: kind === "SubAccount" });
  } catch (error) {
    return fail((error as Error).message);
  }
  const values = Object.fromEntries(Object.entries(given.values).filter(([, value]) => isSet(value)));
  const known = asTexts(Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string")));
  const { loadAccount, checkValues, checkSettings } = loading();
  const loaded = loadAccount(read.folder, { ...known, ...read.folder.company?.settings.settings?.values });
  const findings = [
    ...read.findings,
    ...checkValues(read.folder, Object.keys(values), options),
    ...checkSettings(loaded, allowUnknownValues),
  ];
  const lint = args.lint ?? "warning";
  const linted = lint === "off" ? [] : checking().lintAccount(loaded, { allowUnknownValues });
  const isError = ({ severity }: Finding) => severity === "error";
  const errors = sortFindings([...findings.filter(isError), ...(lint === "error" ? linted.filter(isError) : [])]);
  if (errors.length > 0) {
    const count = `${errors.length} error${errors.length === 1 ? "" : "s"} in ${args.folder}`;
    fail([`${count}:`, ...errors.map((finding) => `  ${describeFinding(root, finding)}`)].join("\n"));
  }
  for (const finding of sortFindings([...findings, ...linted])) {
    void pulumi.log.warn(`${kind} "${name}": ${describeFinding(root, finding)}`);
  }
  return { folder: read.folder, values };
}

function describeFinding(root: string, { file, line, column, message, fix }: Finding): string {
  return `${relative(process.cwd(), resolve(root, file))}:${line}:${column} ${message}; ${fix}`;
}

/** The object `values` of the stack's configuration, and where its names are written. */
function configuredValues(fail: (message: string) => never): {
  values: FolderValues;
  placeOf: (name: string) => SourceLocation | undefined;
} {
  const key = `${pulumi.getProject()}:values`;
  const values = new pulumi.Config().getObject<Record<string, unknown>>("values") ?? {};
  if (typeof values !== "object" || Array.isArray(values)) fail(`the configuration ${key} must be an object of values`);
  // One secret value makes the whole object secret; what is written with it is then secret, too.
  const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
  const isSecret = isConfigSecret?.(key) ?? true;
  const given = Object.entries(values).filter(([, value]) => isSet(value));
  const texts = Object.entries(asTexts(Object.fromEntries(given))).map(([name, text]) => [
    name,
    isSecret ? pulumi.secret(text) : text,
  ]);
  let places: Map<string, SourceLocation> | undefined;
  const placeOf = (name: string) => {
    places ??= placesInStackFile(key);
    return places.get(name);
  };
  return { values: Object.fromEntries(texts), placeOf };
}

function placesInStackFile(key: string): Map<string, SourceLocation> {
  const file = join(pulumi.getRootDirectory() || process.cwd(), `Pulumi.${pulumi.getStack()}.yaml`);
  try {
    return (existsSync(file) ? valuesFile().readValuesFile(file, ["config", key]) : undefined)?.places ?? new Map();
  } catch {
    // It only serves to name a place; what is wrong with the file is the engine's to say.
    return new Map();
  }
}
