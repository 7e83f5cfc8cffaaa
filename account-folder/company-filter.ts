/** Selects the subaccounts that a command is about. */
import { companyName } from "../definitions/company";
import type { AccountModel, Item } from "../definitions/model";
import { isSameName } from "../definitions/text/normalize";

/** Which subaccounts of a partner: all, none, or those with one of these ids or names. */
export type CompanyFilter = "all" | "none" | readonly string[];

const isMatch = (company: Item, wanted: string) => company.id === wanted || isSameName(companyName(company), wanted);

/** Whether the filter includes a subaccount. */
export const isIncluded = (choice: CompanyFilter, company: Item): boolean =>
  choice === "all" || (choice !== "none" && choice.some((wanted) => isMatch(company, wanted)));

/** The ids and names in a filter that no subaccount of these accounts has. */
export function unmatchedEntries(models: readonly AccountModel[], choice: CompanyFilter = "all"): string[] {
  if (choice === "all" || choice === "none") return [];
  const all = models.flatMap(({ Company = [] }) => Company);
  return choice.filter((wanted) => !all.some((company) => isMatch(company, wanted)));
}
