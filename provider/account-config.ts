/**
 * Components that make the resources of a folder: `AccountConfig` for one account, `SubAccount` for a company and what is
 * in it. The layout of the folder: docs/account-folder.md. What is wrong with it stops the preview, with file, line and
 * column.
 */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Finding, sortFindings } from "../account/finding";
import type { AccountFolder, EmailFiles, FolderReading } from "../account/folder";
import type { LoadedEmail, LoadOptions, Values } from "../account/load";
import type { Place } from "../account/source";
import type { Template } from "../account/template";
import type { BrandingEmailType } from "../sdk/branding";
import type { WebhookType } from "../sdk/webhooks";
import { strangeArgument } from "./check";
import type { AccountArgument, Branding, BrandingEmail, Company, CompanyArgs, Webhook } from "./index";
import { isAnyValueAllowed } from "./settings";

/** What folders need is loaded by those programs only that have one. */
const loading = (): typeof import("../account/load") => require("../account/load");
const checking = (): typeof import("../account/lint") => require("../account/lint");
const reading = (): typeof import("../account/folder") => require("../account/folder");
const filling = (): typeof import("../account/template") => require("../account/template");
const valuesFile = (): typeof import("../account/values-file") => require("../account/values-file");
/** The room's classes, asked for when one is made: they and these components are of one module. */
const classes = (): typeof import("./index") => require("./index");

/** What both components take. */
interface FolderArgs {
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

export interface AccountConfigArgs extends FolderArgs {
  /** The sub account that it belongs to: a Company or its id. Default: the account of the key. */
  account?: AccountArgument;
}

const folderArgs: Record<keyof FolderArgs, true> = {
  folder: true,
  values: true,
  lint: true,
  onDelete: true,
  allowUnknownValues: true,
};
const accountConfigArgs: Record<keyof AccountConfigArgs, true> = { ...folderArgs, account: true };
const subAccountArgs: Record<keyof SubAccountArgs, true> = {
  ...folderArgs,
  name: true,
  userName: true,
  userEmail: true,
  email: true,
  onExisting: true,
  deletionProtection: true,
};

/** Refuses arguments that are none: with `acount` all would be made in the account of the key. */
function refuseStrange(kind: string, name: string, args: object | undefined, known: object): void {
  if (args === undefined || args === null) throw new pulumi.RunError(`${kind} "${name}": arguments are missing`);
  const names = Object.keys(known);
  const strange = Object.entries(args).filter(([field, value]) => value !== undefined && !names.includes(field));
  if (strange.length === 0) return;
  const told = strange.map(([field]) => `${field} ${strangeArgument(kind, field, names).message}`);
  throw new pulumi.RunError(`${kind} "${name}": ${told.join("; ")}`);
}

/** A folder that was read and checked, and the values for it. */
interface Prepared {
  folder: AccountFolder;
  values: Record<string, pulumi.Input<string>>;
  args: FolderArgs;
}

/** An account's branding, e-mails and webhooks, and a partner's sub accounts, from a folder of files. */
export class AccountConfig extends pulumi.ComponentResource {
  /** Logo and colour; undefined when the folder says neither. */
  readonly branding: Branding | undefined;
  /** The e-mails by their type. */
  readonly emails: Readonly<Record<string, BrandingEmail>>;
  /** The webhooks by their names in account.yaml. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  /** The sub accounts by the names of their directories. */
  readonly companies: Readonly<Record<string, SubAccount>>;

  constructor(name: string, args: AccountConfigArgs, opts?: pulumi.ComponentResourceOptions) {
    refuseStrange("AccountConfig", name, args, accountConfigArgs);
    super("esign:index:AccountConfig", name, {}, opts);
    const { folder, values } = prepare("AccountConfig", name, args);
    if (args.account !== undefined && folder.companies.length > 0) {
      const slugs = folder.companies.map(({ company }) => company!.slug).join(", ");
      throw new pulumi.RunError(
        `AccountConfig "${name}": account names a sub account, and ${args.folder}/companies (${slugs}) would be made in the partner's; leave account out, or give a folder without companies`,
      );
    }
    const made = makeAccount(this, name, folder, values, args, args.account);
    this.branding = made.branding;
    this.emails = made.emails;
    this.webhooks = made.webhooks;
    this.companies = Object.fromEntries(
      folder.companies.map((company) => {
        const { slug } = company.company!;
        const prepared: Prepared = { folder: company, values: withOwn(company, values), args };
        return [slug, new SubAccount(`${name}-${slug}`, { [PREPARED]: prepared }, { parent: this })];
      }),
    );
    this.registerOutputs({});
  }
}

export interface SubAccountArgs
  extends Omit<FolderArgs, "folder">,
    Partial<Pick<CompanyArgs, "name" | "userName" | "userEmail" | "email">>,
    Pick<CompanyArgs, "onExisting" | "deletionProtection"> {
  /** Path of its folder. What its company.yaml says need not be said here; what is said here comes first. */
  folder?: string;
}

/** How an AccountConfig hands a folder on that it has read. */
const PREPARED = Symbol("prepared");

/** A partner's sub account: the company, and its branding, e-mails and webhooks from a folder of files. */
export class SubAccount extends pulumi.ComponentResource {
  readonly company: Company;
  /** Logo and colour; undefined when the folder says neither. */
  readonly branding: Branding | undefined;
  /** The e-mails by their type. */
  readonly emails: Readonly<Record<string, BrandingEmail>>;
  /** The webhooks by their names in account.yaml. */
  readonly webhooks: Readonly<Record<string, Webhook>>;

  constructor(name: string, args: SubAccountArgs | { [PREPARED]: Prepared }, opts?: pulumi.ComponentResourceOptions) {
    refuseStrange("SubAccount", name, args, subAccountArgs);
    super("esign:index:SubAccount", name, {}, opts);
    const own: SubAccountArgs = PREPARED in args ? {} : args;
    const prepared = PREPARED in args ? args[PREPARED] : prepareSub(name, args);
    const texts = prepared?.folder.company?.texts ?? {};
    const text = (key: "name" | "userName" | "userEmail" | "email") => {
      const template = texts[key];
      return own[key] ?? (template && prepared && fill([template], prepared.values, (v) => plain(template, v)));
    };
    const needed = (key: "name" | "userName" | "userEmail") => {
      const value = text(key);
      if (value !== undefined) return value;
      const place = prepared?.folder.company ? ` or in ${prepared.folder.path || "the folder"}/company.yaml` : "";
      throw new pulumi.RunError(`SubAccount "${name}": ${key} is missing; give it as an argument${place}`);
    };
    const email = text("email");
    const settings = prepared?.folder.company?.settings.settings;
    const onExisting = own.onExisting ?? settings?.onExisting;
    const deletionProtection = own.deletionProtection ?? settings?.deletionProtection;
    this.company = new (classes().Company)(
      name,
      {
        name: needed("name"),
        userName: needed("userName"),
        userEmail: needed("userEmail"),
        ...(email !== undefined && { email }),
        ...(onExisting !== undefined && { onExisting }),
        ...(deletionProtection !== undefined && { deletionProtection }),
      },
      { parent: this },
    );
    const made = prepared
      ? makeAccount(this, name, prepared.folder, prepared.values, prepared.args, this.company)
      : { branding: undefined, emails: {}, webhooks: {} };
    this.branding = made.branding;
    this.emails = made.emails;
    this.webhooks = made.webhooks;
    this.registerOutputs({});
  }
}

function makeAccount(
  parent: pulumi.Resource,
  name: string,
  folder: AccountFolder,
  values: Prepared["values"],
  { onDelete }: FolderArgs,
  account: AccountArgument | undefined,
) {
  const { Branding, BrandingEmail, Webhook } = classes();
  const opts = { parent };
  const common = { ...(account !== undefined && { account }) };
  const kept = { ...common, ...(onDelete !== undefined && { onDelete }) };
  const textOf = (template: Template) => fill([template], values, (known) => plain(template, known));
  const { colour, logoUrl } = folder.branding;
  const branding =
    colour || logoUrl
      ? new Branding(
          `${name}-branding`,
          { ...kept, ...(colour && { colour: textOf(colour) }), ...(logoUrl && { logoUrl: textOf(logoUrl) }) },
          opts,
        )
      : undefined;
  const emails = folder.emails
    .map((files) => [files.type, emailTexts(files, values)] as const)
    .filter(([, texts]) => Object.keys(texts).length > 0)
    .map(([type, texts]) => {
      const args = { ...kept, type: type as BrandingEmailType, ...texts };
      return [type, new BrandingEmail(`${name}-${type}`, args, opts)] as const;
    });
  const webhooks = folder.webhooks.map((webhook) => {
    const args = { ...common, type: textOf(webhook.type) as pulumi.Input<WebhookType>, url: textOf(webhook.url) };
    return [webhook.name, new Webhook(`${name}-${webhook.name}`, args, opts)] as const;
  });
  return { branding, emails: Object.fromEntries(emails), webhooks: Object.fromEntries(webhooks) };
}

/** The texts of an e-mail; one that needs an output is an output, the others are not. */
function emailTexts(files: EmailFiles, values: Prepared["values"]) {
  const { subject, content, contentPlain, hasPlainFile } = files;
  // Texts that need the same values are made together: the HTML is worked through once for both bodies.
  const made = new Map<string, LoadedEmail>();
  const text = (field: "subject" | "content" | "contentPlain") => (known: Values) => {
    const key = JSON.stringify(known);
    const email = made.get(key) ?? loading().fillEmail(files, known);
    made.set(key, email);
    return email[field]!.text;
  };
  const plainSource = contentPlain ?? (hasPlainFile ? undefined : content);
  return {
    ...(subject && { subject: fill([subject], values, text("subject")) }),
    ...(content && { content: fill([content], values, text("content")) }),
    ...(plainSource && { contentPlain: fill([plainSource], values, text("contentPlain")) }),
  };
}

const plain = (template: Template, values: Values) => filling().fillTemplate(template, { values }).text;

/** Makes something of the values that some templates name: at once when all are known, else as an output. */
function fill(
  templates: readonly Template[],
  values: Prepared["values"],
  make: (known: Values) => string,
): pulumi.Input<string> {
  const names = new Set(
    templates.flatMap((template) =>
      filling()
        .valuesOf(template)
        .map((value) => value.name),
    ),
  );
  const used = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  if (Object.values(used).every((value) => typeof value === "string")) return make(used as Values);
  return pulumi.all(used).apply((known) => make(asTexts(known)));
}

/** Values as texts. "undefined" or "[object Object]" would stand in e-mails to clients. */
const asTexts = (values: object): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (isGiven(value) && typeof value !== "object") return [name, String(value)];
      const what = isGiven(value) ? "is no text" : "is an output that turned out to be empty";
      throw new pulumi.RunError(`what is given for \${${name}} in an account's folder ${what}`);
    }),
  );

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** A sub account's values: its own come first. */
const withOwn = (folder: AccountFolder, values: Prepared["values"]): Prepared["values"] => ({
  ...values,
  ...folder.company?.settings.settings?.values,
});

function prepareSub(name: string, args: SubAccountArgs): Prepared | undefined {
  if (args.folder === undefined) {
    if (args.values === undefined) return undefined;
    throw new pulumi.RunError(`SubAccount "${name}": values are given, but no folder that could use them`);
  }
  const folderArgs: FolderArgs = { ...args, folder: args.folder, values: args.values ?? {} };
  const prepared = prepare("SubAccount", name, folderArgs);
  return { ...prepared, values: withOwn(prepared.folder, prepared.values), args: folderArgs };
}

/** Reads and checks a folder. Throws a RunError, which shows without a stack, that tells all errors with their places. */
function prepare(kind: string, name: string, args: FolderArgs) {
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
  const allowUnknownValues = args.allowUnknownValues ?? isAnyValueAllowed({ get: pulumi.runtime.getConfig });
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
  const values = Object.fromEntries(Object.entries(given.values).filter(([, value]) => isGiven(value)));
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
    fail([`${count}:`, ...errors.map((finding) => `  ${inWords(root, finding)}`)].join("\n"));
  }
  for (const finding of sortFindings([...findings, ...linted])) {
    void pulumi.log.warn(`${kind} "${name}": ${inWords(root, finding)}`);
  }
  return { folder: read.folder, values };
}

function inWords(root: string, { file, line, column, message, fix }: Finding): string {
  return `${relative(process.cwd(), resolve(root, file))}:${line}:${column} ${message}; ${fix}`;
}

/** The object `values` of the stack's configuration, and where its names are written. */
function configuredValues(fail: (message: string) => never): {
  values: Record<string, pulumi.Input<string>>;
  placeOf: (name: string) => Place | undefined;
} {
  const key = `${pulumi.getProject()}:values`;
  const values = new pulumi.Config().getObject<Record<string, unknown>>("values") ?? {};
  if (typeof values !== "object" || Array.isArray(values)) fail(`the configuration ${key} must be an object of values`);
  // One secret value makes the whole object secret; what is written with it is then secret, too.
  const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
  const isSecret = isConfigSecret?.(key) ?? true;
  const given = Object.entries(values).filter(([, value]) => isGiven(value));
  const texts = Object.entries(asTexts(Object.fromEntries(given))).map(([name, text]) => [
    name,
    isSecret ? pulumi.secret(text) : text,
  ]);
  let places: Map<string, Place> | undefined;
  const placeOf = (name: string) => {
    places ??= placesInStackFile(key);
    return places.get(name);
  };
  return { values: Object.fromEntries(texts), placeOf };
}

function placesInStackFile(key: string): Map<string, Place> {
  const file = join(pulumi.getRootDirectory() || process.cwd(), `Pulumi.${pulumi.getStack()}.yaml`);
  try {
    return (existsSync(file) ? valuesFile().readValuesFile(file, ["config", key]) : undefined)?.places ?? new Map();
  } catch {
    // It only serves to name a place; what is wrong with the file is the engine's to say.
    return new Map();
  }
}
