/** Makes a partner's sub account, and the resources of a folder in it. */
import * as pulumi from "@pulumi/pulumi";
import type { AccountFolder } from "../../account-folder/folder/read";
import { type Branding, type BrandingEmail, Company, type CompanyArgs, type Webhook } from "../pulumi/resources";
import { makeAccount } from "./account-resources";
import { type FolderValues, fill, fillTemplate } from "./fill-values";
import { type FolderArgs, folderArgs, type PreparedFolder, prepareFolder, rejectUnknownArguments } from "./load-folder";

const subAccountArgs: Record<keyof SubAccountArgs, true> = {
  ...folderArgs,
  name: true,
  userName: true,
  userEmail: true,
  email: true,
  onExisting: true,
  deletionProtection: true,
};

export interface SubAccountArgs
  extends Omit<FolderArgs, "folder">,
    Partial<Pick<CompanyArgs, "name" | "userName" | "userEmail" | "email">>,
    Pick<CompanyArgs, "onExisting" | "deletionProtection"> {
  /** Path of its folder. What its company.yaml says need not be said here; what is said here comes first. */
  folder?: string;
}

/** How an AccountConfig hands a folder on that it has read. */
export const PREPARED = Symbol("prepared");

/** A partner's sub account: the company, and its branding, e-mails and webhooks from a folder of files. */
export class SubAccount extends pulumi.ComponentResource {
  readonly company: Company;
  /** Logo and colour; undefined when the folder says neither. */
  readonly branding: Branding | undefined;
  /** The e-mails by their type. */
  readonly emails: Readonly<Record<string, BrandingEmail>>;
  /** The webhooks by their names in account.yaml. */
  readonly webhooks: Readonly<Record<string, Webhook>>;

  constructor(
    name: string,
    args: SubAccountArgs | { [PREPARED]: PreparedFolder },
    opts?: pulumi.ComponentResourceOptions,
  ) {
    rejectUnknownArguments("SubAccount", name, args, subAccountArgs);
    super("esign:index:SubAccount", name, {}, opts);
    const own: SubAccountArgs = PREPARED in args ? {} : args;
    const prepared = PREPARED in args ? args[PREPARED] : prepareSub(name, args);
    const texts = prepared?.folder.company?.texts ?? {};
    const text = (key: "name" | "userName" | "userEmail" | "email") => {
      const template = texts[key];
      return own[key] ?? (template && prepared && fill([template], prepared.values, (v) => fillTemplate(template, v)));
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
    this.company = new Company(
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

/** A sub account's values: its own come first. */
export const withOwn = (folder: AccountFolder, values: FolderValues): FolderValues => ({
  ...values,
  ...folder.company?.settings.settings?.values,
});

function prepareSub(name: string, args: SubAccountArgs): PreparedFolder | undefined {
  if (args.folder === undefined) {
    if (args.values === undefined) return undefined;
    throw new pulumi.RunError(`SubAccount "${name}": values are given, but no folder that could use them`);
  }
  const withFolder: FolderArgs = { ...args, folder: args.folder, values: args.values ?? {} };
  const prepared = prepareFolder("SubAccount", name, withFolder);
  return { ...prepared, values: withOwn(prepared.folder, prepared.values), args: withFolder };
}
