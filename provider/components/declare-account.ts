/** What the components declare, wherever they run. */
import { aliasesOf } from "../../account-folder/folder/company-aliases";
import { folderArgs, rejectUnknownArguments } from "./argument-names";
import type { AccountConfigArgs } from "./component-arguments";
import type { Surroundings } from "./declarer";
import { type PreparedFolder, prepareFolder, withOwn } from "./prepare-folder";

export const accountConfigType = "esign:index:AccountConfig";

const accountConfigArgs: Record<keyof AccountConfigArgs, true> = { ...folderArgs, account: true };
/** A subaccount in the folder of an account. */
interface PreparedCompany {
  slug: string;
  /** Name of its component. */
  name: string;
  /** Names that it had before. */
  aliases: string[];
  prepared: PreparedFolder;
}

/** Reads and checks the folder of an AccountConfig, before anything is declared. */
export function prepareAccountConfig(
  surroundings: Surroundings,
  name: string,
  args: AccountConfigArgs,
): PreparedFolder & { companies: PreparedCompany[] } {
  rejectUnknownArguments(surroundings, "AccountConfig", name, args, accountConfigArgs);
  const { folder, values } = prepareFolder(surroundings, "AccountConfig", name, args);
  if (args.account !== undefined && folder.companies.length > 0) {
    const slugs = folder.companies.map(({ company }) => company!.slug).join(", ");
    surroundings.fail(
      "ESIGN1060",
      `AccountConfig "${name}"`,
      `account is a subaccount, but ${args.folder}/companies (${slugs}) belong to the partner's account`,
      "Omit account, or use a folder without companies",
    );
  }
  const companies = folder.companies.map((company): PreparedCompany => {
    const { slug } = company.company!;
    return {
      slug,
      name: `${name}-${slug}`,
      // Those of what is inside follow from these.
      aliases: aliasesOf(company.company!).map((alias) => `${name}-${alias}`),
      prepared: { folder: company, values: withOwn(company, values), args },
    };
  });
  return { folder, values, args, companies };
}
