/**
 * The resources of a folder for one account. The layout of the folder: docs/reference/account-folder.md. Errors in it stop
 * the preview, with file, line and column.
 */
import * as pulumi from "@pulumi/pulumi";
import { programError } from "../pulumi/program-error";
import type { AccountArgument } from "../pulumi/resource-class";
import type { Branding, BrandingEmail, Contact, Settings, User, Webhook } from "../pulumi/resources";
import { createResources } from "./account-resources";
import { type FolderArgs, folderArgs, type PreparedFolder, prepareFolder, rejectUnknownArguments } from "./load-folder";
import { PREPARED, SubAccount, withOwn } from "./subaccount";

export interface AccountConfigArgs extends FolderArgs {
  /** The subaccount that it belongs to: a Company or its id. Default: the key's own account. */
  account?: AccountArgument;
}

const accountConfigArgs: Record<keyof AccountConfigArgs, true> = { ...folderArgs, account: true };

/** An account's configuration, and a partner's subaccounts, from a folder of files. */
export class AccountConfig extends pulumi.ComponentResource {
  /** Logo and colour; undefined if the folder has neither. */
  readonly branding: Branding | undefined;
  /** The email templates by type. */
  readonly emails: Readonly<Record<string, BrandingEmail>>;
  /** The webhooks by their names in account.yaml. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  /** The users by their names in account.yaml. */
  readonly users: Readonly<Record<string, User>>;
  /** The contacts by their names in account.yaml. */
  readonly contacts: Readonly<Record<string, Contact>>;
  /** The preferences; undefined if the folder has none. */
  readonly settings: Settings | undefined;
  /** The subaccounts by the names of their directories. */
  readonly companies: Readonly<Record<string, SubAccount>>;

  constructor(name: string, args: AccountConfigArgs, opts?: pulumi.ComponentResourceOptions) {
    rejectUnknownArguments("AccountConfig", name, args, accountConfigArgs);
    super("esign:index:AccountConfig", name, {}, opts);
    const { folder, values } = prepareFolder("AccountConfig", name, args);
    if (args.account !== undefined && folder.companies.length > 0) {
      const slugs = folder.companies.map(({ company }) => company!.slug).join(", ");
      throw programError(
        "ESIGN1060",
        `AccountConfig "${name}"`,
        `account is a subaccount, but ${args.folder}/companies (${slugs}) belong to the partner's account`,
        "Omit account, or use a folder without companies",
      );
    }
    const resources = createResources(this, name, folder, values, args, args.account);
    this.branding = resources.branding;
    this.emails = resources.emails;
    this.webhooks = resources.webhooks;
    this.users = resources.users;
    this.contacts = resources.contacts;
    this.settings = resources.settings;
    this.companies = Object.fromEntries(
      folder.companies.map((company) => {
        const { slug } = company.company!;
        const prepared: PreparedFolder = { folder: company, values: withOwn(company, values), args };
        return [slug, new SubAccount(`${name}-${slug}`, { [PREPARED]: prepared }, { parent: this })];
      }),
    );
    this.registerOutputs({});
  }
}
