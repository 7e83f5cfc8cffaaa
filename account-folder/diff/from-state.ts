/** What a stack has deployed, as a source of a comparison: the declared values of the resources in its state. */

import { toCompany } from "../../definitions/company";
import { kindOfType, kinds } from "../../definitions/index";
import type { StateResource } from "../../definitions/kind";
import { type AccountModel, type CompanyModel, emptyAccount } from "../../definitions/model";
import type { ConfigSource } from "./comparison";

/** The account that the resources describe, with the resources of subaccounts inside their company. */
export function stateModel(resources: readonly StateResource[]): AccountModel {
  const root = emptyAccount();
  const companies = new Map<string, CompanyModel & { account: AccountModel }>();
  const accountOf = (id: unknown): AccountModel => {
    if (typeof id !== "string") return root;
    // A subaccount that another stack manages is known by its id only.
    const company = companies.get(id) ?? { id, name: `with the id ${id}`, isStub: true, account: emptyAccount() };
    companies.set(id, company);
    return company.account;
  };
  for (const resource of resources) {
    if (kindOfType(resource.type) !== kinds.Company || resource.id === undefined) continue;
    companies.set(resource.id, { ...toCompany(kinds.Company.fromState(resource)), account: emptyAccount() });
  }
  for (const resource of resources) {
    const kind = kindOfType(resource.type);
    if (kind !== undefined && kind !== kinds.Company)
      kind.add(accountOf(resource.inputs.account), kind.fromState(resource));
  }
  return companies.size > 0 ? { ...root, companies: [...companies.values()] } : root;
}

/** A stack as a source. */
export function stackSource(resources: readonly StateResource[], label: string, environment: string): ConfigSource {
  return { model: stateModel(resources), label, isAuthoritative: false, environment };
}
