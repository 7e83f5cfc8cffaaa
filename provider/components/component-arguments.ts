/** The types of the components' arguments, as programs and editors see them: without what reads folders, like those of the resources. */
import type * as pulumi from "@pulumi/pulumi";
import type { AccountArgument } from "../pulumi/resource-types";
import type { CompanyArgs } from "../pulumi/resources";

/** What is wrong with an argument that the component needs before it can declare anything. */
export const notPlainProblem = (name: string): string =>
  `${name} must be a plain value: neither secret nor an output of a resource`;
export const unknownNamesProblem = "the names of values are not known yet: pass a map, with outputs as its members";

/** The arguments of both components. */
export interface FolderArgs {
  /** Path of the folder, from the program's directory. */
  folder: string;
  /**
   * Values for `${name}` in the folder. Default for AccountConfig: the object `values` of the stack's configuration,
   * `<project>:values`. A missing value and an unused one are errors at preview.
   */
  values?: Record<string, pulumi.Input<string>>;
  /** What the rules of `esign lint` do at preview: `warning` shows their findings, `error` stops on errors, `off` leaves them out. Default: warning. */
  lint?: "error" | "warning" | "off";
  /** What a deletion does to branding, settings and email templates: `restore` restores the original values, `keep` leaves the current ones. Default: restore. */
  onDelete?: "restore" | "keep";
  /** Accept email types and variables that this version does not know. Default: `esign:allowUnknownValues`, which their resources need, too. */
  allowUnknownValues?: boolean;
}

export interface AccountConfigArgs extends FolderArgs {
  /** The subaccount that it belongs to: a Company or its id. Default: the key's own account. */
  account?: AccountArgument;
}

export interface SubAccountArgs
  extends Omit<FolderArgs, "folder">,
    Partial<Pick<CompanyArgs, "name" | "userName" | "userEmail" | "email">>,
    Pick<CompanyArgs, "onExisting" | "deletionProtection"> {
  /** Path of its folder. Arguments take precedence over its company.yaml. */
  folder?: string;
}
