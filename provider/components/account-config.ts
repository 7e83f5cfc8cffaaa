/**
 * Makes the resources of a folder for one account. The layout of the folder: docs/reference/account-folder.md. What is wrong with it
 * stops the preview, with file, line and column.
 */
import * as pulumi from "@pulumi/pulumi";
import type { AccountArgument } from "../pulumi/resource-class";
import type { Branding, BrandingEmail, Webhook } from "../pulumi/resources";
import { makeAccount } from "./account-resources";
import { type FolderArgs, folderArgs, type PreparedFolder, prepareFolder, rejectUnknownArguments } from "./load-folder";
import { PREPARED, SubAccount, withOwn } from "./sub-account";

export interface AccountConfigArgs extends FolderArgs {
  /** The sub account that it belongs to: a Company or its id. Default: the account of the key. */
  account?: AccountArgument;
}

const accountConfigArgs: Record<keyof AccountConfigArgs, true> = { ...folderArgs, account: true };

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
    rejectUnknownArguments("AccountConfig", name, args, accountConfigArgs);
    super("esign:index:AccountConfig", name, {}, opts);
    const { folder, values } = prepareFolder("AccountConfig", name, args);
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
        const prepared: PreparedFolder = { folder: company, values: withOwn(company, values), args };
        return [slug, new SubAccount(`${name}-${slug}`, { [PREPARED]: prepared }, { parent: this })];
      }),
    );
    this.registerOutputs({});
  }
}
