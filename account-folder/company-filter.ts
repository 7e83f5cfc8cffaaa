/** The sub accounts that a reading or a comparison is about. */

import type { AccountModel, CompanyModel } from "./model";
import { isSameName } from "./text/normalize";

/** Which sub accounts of a partner: all, none, or those with one of these ids or names. */
export type CompanyFilter = "all" | "none" | readonly string[];

const isMatch = (company: CompanyModel, wanted: string) => company.id === wanted || isSameName(company.name, wanted);

/** Whether a sub account is among those that are chosen. */
export const isIncluded = (choice: CompanyFilter, company: CompanyModel): boolean =>
  choice === "all" || (choice !== "none" && choice.some((wanted) => isMatch(company, wanted)));

/** Chosen ids and names that no sub account of these has. */
export function unmatchedEntries(models: readonly AccountModel[], choice: CompanyFilter = "all"): string[] {
  if (choice === "all" || choice === "none") return [];
  const all = models.flatMap(({ companies = [] }) => companies);
  return choice.filter((wanted) => !all.some((company) => isMatch(company, wanted)));
}
