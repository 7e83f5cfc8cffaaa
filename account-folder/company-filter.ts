/** The sub accounts that a reading or a comparison is about. */

import type { AccountModel, CompanyModel } from "./model";
import { isSameName } from "./text/normalize";

/** Which sub accounts of a partner: all, none, or those with one of these ids or names. */
export type CompanyChoice = "all" | "none" | readonly string[];

const isChosen = (company: CompanyModel, wanted: string) => company.id === wanted || isSameName(company.name, wanted);

/** Whether a sub account is among those that are chosen. */
export const isAmong = (choice: CompanyChoice, company: CompanyModel): boolean =>
  choice === "all" || (choice !== "none" && choice.some((wanted) => isChosen(company, wanted)));

/** Chosen ids and names that no sub account of these has. */
export function unknownChoices(models: readonly AccountModel[], choice: CompanyChoice = "all"): string[] {
  if (choice === "all" || choice === "none") return [];
  const all = models.flatMap(({ companies = [] }) => companies);
  return choice.filter((wanted) => !all.some((company) => isChosen(company, wanted)));
}
