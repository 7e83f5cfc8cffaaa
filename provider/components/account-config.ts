/**
 * The resources of a folder for one account. The layout of the folder: docs/reference/account-folder.md. Errors in it stop
 * the preview, with file, line and column.
 */
import type * as pulumi from "@pulumi/pulumi";
import { rejectMissing } from "../pulumi/program-error";
import { AccountResources } from "./account-resources";
import type { AccountConfigArgs, SubAccountArgs } from "./component-arguments";
import { accountConfigType, prepareAccountConfig } from "./declare-account";
import { declareFolder } from "./declare-folder";
import { sdkDeclarer, sdkSurroundings } from "./sdk-declarer";
import { PREPARED, SubAccount } from "./subaccount";

/** An account's configuration, and a partner's subaccounts, from a folder of files. */
export class AccountConfig extends AccountResources {
  /** The subaccounts by the names of their directories. */
  readonly companies: Readonly<Record<string, SubAccount>>;

  constructor(name: string, args: AccountConfigArgs, opts?: pulumi.ComponentResourceOptions) {
    rejectMissing("AccountConfig", name, args);
    const surroundings = sdkSurroundings();
    const { folder, values, companies } = prepareAccountConfig(surroundings, name, args);
    super(accountConfigType, name, {}, opts);
    Object.assign(this, declareFolder(sdkDeclarer(this, surroundings), name, folder, values, args, args.account));
    this.companies = Object.fromEntries(
      companies.map(({ slug, name: companyName, aliases, prepared }) => {
        const subArgs = { [PREPARED]: prepared } as unknown as SubAccountArgs;
        const options = { parent: this, aliases: aliases.map((alias) => ({ name: alias })) };
        return [slug, new SubAccount(companyName, subArgs, options)];
      }),
    );
    this.registerOutputs({});
  }
}
