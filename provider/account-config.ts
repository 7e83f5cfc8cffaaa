/**
 * Components that make the resources of a folder: `AccountConfig` for one account, `SubAccount` for a company and what is
 * in it. The layout of the folder: docs/account-folder.md. What is wrong with it stops the preview, with file, line and
 * column.
 */
import * as pulumi from "@pulumi/pulumi";
import type { AccountFolder } from "../account/folder";
import type { Template } from "../account/template";
import type { BrandingEmailType } from "../sdk/branding";
import type { WebhookType } from "../sdk/webhooks";
import { strangeArgument } from "./check";
import { type FolderArgs, type Prepared, prepare } from "./folder-reading";
import { emailTexts, type FolderValues, fill, plain } from "./folder-texts";
import type { AccountArgument, Branding, BrandingEmail, Company, CompanyArgs, Webhook } from "./index";

/** The room's classes, asked for when one is made: they and these components are of one module. */
const classes = (): typeof import("./index") => require("./index");

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
  values: FolderValues,
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

/** A sub account's values: its own come first. */
const withOwn = (folder: AccountFolder, values: FolderValues): FolderValues => ({
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
