/** A partner's subaccount, and the resources of a folder in it. */
import type * as pulumi from "@pulumi/pulumi";
import { rejectMissing } from "../pulumi/program-error";
import type { Company } from "../pulumi/resources";
import { AccountResources } from "./account-resources";
import type { SubAccountArgs } from "./component-arguments";
import { declareSubAccount, prepareSubAccount, subAccountType } from "./declare-subaccount";
import type { PreparedFolder } from "./prepare-folder";
import { sdkDeclarer, sdkSurroundings } from "./sdk-declarer";

/** How an AccountConfig passes a folder that it has read. */
export const PREPARED = Symbol("prepared");

/** A partner's subaccount: the company, and its configuration from a folder of files. */
export class SubAccount extends AccountResources {
  /** The subaccount itself, with its key. */
  declare readonly company: Company;

  constructor(name: string, args: SubAccountArgs, opts?: pulumi.ComponentResourceOptions);
  constructor(
    name: string,
    args: SubAccountArgs | { [PREPARED]: PreparedFolder },
    opts?: pulumi.ComponentResourceOptions,
  ) {
    rejectMissing("SubAccount", name, args);
    const surroundings = sdkSurroundings();
    const own: Partial<SubAccountArgs> = PREPARED in args ? {} : args;
    const prepared = PREPARED in args ? args[PREPARED] : prepareSubAccount(surroundings, name, args as SubAccountArgs);
    super(subAccountType, name, {}, opts);
    Object.assign(this, declareSubAccount(sdkDeclarer(this, surroundings), name, own, prepared));
    this.registerOutputs({});
  }

  /** Identifier of the company. */
  get companyId(): pulumi.Output<string> {
    return this.company.companyId;
  }

  /** The company's own key. Secret. */
  get apiKey(): pulumi.Output<string> {
    return this.company.apiKey;
  }
}
