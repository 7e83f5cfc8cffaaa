/** A partner's subaccount, and the resources of a folder in it. */
import type * as pulumi from "@pulumi/pulumi";
import { programError } from "../pulumi/program-error";
import { Company } from "../pulumi/resources";
import { AccountResources } from "./account-resources";
import type { FolderArgs, SubAccountArgs } from "./component-arguments";
import { createResources } from "./create-resources";
import { fill, fillTemplate } from "./fill-values";
import { folderArgs, type PreparedFolder, prepareFolder, rejectUnknownArguments, withOwn } from "./load-folder";

const subAccountArgs: Record<keyof SubAccountArgs, true> = {
  ...folderArgs,
  name: true,
  userName: true,
  userEmail: true,
  email: true,
  onExisting: true,
  deletionProtection: true,
};

/** How an AccountConfig passes a folder that it has read. */
export const PREPARED = Symbol("prepared");

/** A partner's subaccount: the company, and its configuration from a folder of files. */
export class SubAccount extends AccountResources {
  /** The subaccount itself, with its key. */
  readonly company: Company;

  constructor(name: string, args: SubAccountArgs, opts?: pulumi.ComponentResourceOptions);
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
    const required = (key: "name" | "userName" | "userEmail") => {
      const value = text(key);
      if (value !== undefined) return value;
      const place = prepared?.folder.company ? ` or in ${prepared.folder.path || "the folder"}/company.yaml` : "";
      throw programError("ESIGN1060", `SubAccount "${name}"`, `${key} is missing: set it as an argument${place}`);
    };
    const email = text("email");
    const settings = prepared?.folder.company?.settings.settings;
    const onExisting = own.onExisting ?? settings?.onExisting;
    const deletionProtection = own.deletionProtection ?? settings?.deletionProtection;
    this.company = new Company(
      name,
      {
        name: required("name"),
        userName: required("userName"),
        userEmail: required("userEmail"),
        ...(email !== undefined && { email }),
        ...(onExisting !== undefined && { onExisting }),
        ...(deletionProtection !== undefined && { deletionProtection }),
      },
      { parent: this },
    );
    if (prepared) {
      const { folder, values, args: folderArgs } = prepared;
      Object.assign(this, createResources(this, name, folder, values, folderArgs, this.company));
    }
    this.registerOutputs({});
  }
}

function prepareSub(name: string, args: SubAccountArgs): PreparedFolder | undefined {
  if (args.folder === undefined) {
    if (args.values === undefined) return undefined;
    throw programError("ESIGN1060", `SubAccount "${name}"`, "values are set, but no folder that could use them");
  }
  const withFolder: FolderArgs = { ...args, folder: args.folder, values: args.values ?? {} };
  const prepared = prepareFolder("SubAccount", name, withFolder);
  return { ...prepared, values: withOwn(prepared.folder, prepared.values), args: withFolder };
}
