/** The argument `account`, as programs pass it: a company, its id, or an output with that. */

import * as pulumi from "@pulumi/pulumi";
import { kindNameOf } from "../../definitions/kind";
import { isSubaccount } from "../../definitions/model";
import { programError } from "./program-error";

/** True for a resource of the class Company, of whatever copy of this package. */
export const isCompany = (resource: pulumi.Resource): resource is pulumi.CustomResource =>
  isSubaccount(kindNameOf((resource as unknown as { __pulumiType?: string }).__pulumiType ?? ""));

/** The engine's id of the company: unlike its outputs, an update does not make it unknown. */
export function accountId(name: string, account: unknown): unknown {
  if (pulumi.CustomResource.isInstance(account)) {
    if (isCompany(account)) return account.id;
    throw programError("ESIGN1060", `"${name}"`, "account must be a Company or a company's id");
  }
  if (account === null || typeof account !== "object") return account;
  // An output without a value stays an argument, for `check` to reject: the key's own account is not what was meant.
  return pulumi.output(account as pulumi.Input<string>).apply((id) => id ?? "");
}
