/**
 * The resources of a folder for one account. The layout of the folder: docs/reference/account-folder.md. Errors in it stop
 * the preview, with file, line and column.
 */
import type * as pulumi from "@pulumi/pulumi";
import { aliasesOf } from "../../account-folder/folder/aliases";
import { programError } from "../pulumi/program-error";
import { AccountResources } from "./account-resources";
import type { AccountConfigArgs, SubAccountArgs } from "./component-arguments";
import { createResources } from "./create-resources";
import { folderArgs, type PreparedFolder, prepareFolder, rejectUnknownArguments, withOwn } from "./load-folder";
import { PREPARED, SubAccount } from "./subaccount";

const accountConfigArgs: Record<keyof AccountConfigArgs, true> = { ...folderArgs, account: true };

/** An account's configuration, and a partner's subaccounts, from a folder of files. */
export class AccountConfig extends AccountResources {
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
    Object.assign(this, createResources(this, name, folder, values, args, args.account));
    this.companies = Object.fromEntries(
      folder.companies.map((company) => {
        const { slug } = company.company!;
        const prepared: PreparedFolder = { folder: company, values: withOwn(company, values), args };
        const subArgs = { [PREPARED]: prepared } as unknown as SubAccountArgs;
        // Those of what is inside follow from these.
        const aliases = aliasesOf(company.company!).map((alias) => ({ name: `${name}-${alias}` }));
        return [slug, new SubAccount(`${name}-${slug}`, subArgs, { parent: this, aliases })];
      }),
    );
    this.registerOutputs({});
  }
}
