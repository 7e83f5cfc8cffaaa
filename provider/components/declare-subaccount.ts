/** What a SubAccount declares, wherever it runs. */

import { folderArgs, rejectUnknownArguments } from "./argument-names";
import type { FolderArgs, SubAccountArgs } from "./component-arguments";
import { declareFolder } from "./declare-folder";
import type { Declarer, Later, Surroundings } from "./declarer";
import { fill, fillPlaceholders } from "./fill-values";
import { type PreparedFolder, prepareFolder, withOwn } from "./prepare-folder";

export const subAccountType = "esign:index:SubAccount";

const subAccountArgs: Record<keyof SubAccountArgs, true> = {
  ...folderArgs,
  name: true,
  userName: true,
  userEmail: true,
  email: true,
  onExisting: true,
  deletionProtection: true,
};

/** Reads and checks the folder of a SubAccount; undefined for one without. */
export function prepareSubAccount(
  surroundings: Surroundings,
  name: string,
  args: SubAccountArgs,
): PreparedFolder | undefined {
  rejectUnknownArguments(surroundings, "SubAccount", name, args, subAccountArgs);
  if (args.folder === undefined) {
    if (args.values === undefined) return undefined;
    surroundings.fail("ESIGN1060", `SubAccount "${name}"`, "values are set, but no folder that could use them");
  }
  const withFolder: FolderArgs = { ...args, folder: args.folder, values: args.values ?? {} };
  const prepared = prepareFolder(surroundings, "SubAccount", name, withFolder);
  return { ...prepared, values: withOwn(prepared.folder, prepared.values), args: withFolder };
}

/** Declares the company of a SubAccount, and what its folder has. `own`: the arguments, which go before its company.yaml. */
export function declareSubAccount<Resource>(
  declarer: Declarer<Resource>,
  name: string,
  own: Partial<SubAccountArgs>,
  prepared: PreparedFolder | undefined,
) {
  const company = declarer.resource("Company", name, companyArguments(declarer, name, own, prepared));
  const { folder, values, args } = prepared ?? {};
  const inside = folder && declareFolder(declarer, name, folder, values!, args!, company);
  return { company, ...inside };
}

function companyArguments(
  surroundings: Surroundings,
  name: string,
  own: Partial<SubAccountArgs>,
  prepared: PreparedFolder | undefined,
): Record<string, Later> {
  const texts = prepared?.folder.company?.texts ?? {};
  const text = (key: "name" | "userName" | "userEmail" | "email"): Later => {
    const unfilled = texts[key];
    const make = (values: Parameters<typeof fillPlaceholders>[1]) => fillPlaceholders(unfilled!, values);
    return own[key] ?? (unfilled && prepared && fill([unfilled], prepared.values, make, surroundings));
  };
  const required = (key: "name" | "userName" | "userEmail"): Later => {
    const value = text(key);
    if (value !== undefined) return value;
    const place = prepared?.folder.company ? ` or in ${prepared.folder.path || "the folder"}/company.yaml` : "";
    return surroundings.fail("ESIGN1060", `SubAccount "${name}"`, `${key} is missing: set it as an argument${place}`);
  };
  const email = text("email");
  const settings = prepared?.folder.company?.file.content;
  const onExisting = own.onExisting ?? settings?.onExisting;
  const deletionProtection = own.deletionProtection ?? settings?.deletionProtection;
  return {
    name: required("name"),
    userName: required("userName"),
    userEmail: required("userEmail"),
    ...(email !== undefined && { email }),
    ...(onExisting !== undefined && { onExisting }),
    ...(deletionProtection !== undefined && { deletionProtection }),
  };
}
