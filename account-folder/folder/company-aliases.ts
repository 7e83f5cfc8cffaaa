/** Checks the names that the directories of subaccounts had before: `aliases` in company.yaml. */
import type { Finding } from "../finding";
import type { AccountFolder, CompanyFile } from "./account-folder";

/** Two resources cannot be what one was. */
export function checkAliases({ company, companies }: AccountFolder): Finding[] {
  const names = new Set(companies.map((each) => each.company!.slug));
  const finding = ({ file }: CompanyFile, message: string, fix: string): Finding => ({
    ...file.keyPlace(["aliases"]),
    ...{ rule: "settings", severity: "error", message, fix },
  });
  if (company !== undefined && aliasesOf(company).length > 0)
    return [
      finding(company, '"aliases" is of a directory in companies/', "remove it: the program names these resources"),
    ];
  return companies.flatMap((each) =>
    aliasesOf(each.company!)
      .filter((alias) => names.has(alias) || !names.add(alias))
      .map((alias) =>
        finding(
          each.company!,
          `"aliases": ${alias} is another subaccount`,
          "name what this directory was called before",
        ),
      ),
  );
}

export const aliasesOf = ({ file }: CompanyFile): readonly string[] => file.content?.aliases ?? [];
