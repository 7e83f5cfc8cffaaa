/** What a stack has deployed, as a source of a comparison: the declared values of the resources in its state. */

import { kindOfType, kinds } from "../../definitions/index";
import type { StateResource } from "../../definitions/kind";
import type { AccountModel, Item } from "../../definitions/model";
import type { ConfigSource } from "./comparison";

/** The account that the resources describe, with the resources of subaccounts inside their company. */
export function stateModel(resources: readonly StateResource[]): AccountModel {
  const root: AccountModel = {};
  const companies = new Map<string, Item & { account: AccountModel }>();
  const accountOf = (id: unknown): AccountModel => {
    if (typeof id !== "string") return root;
    // A subaccount that another stack manages is known by its id only.
    const company = companies.get(id) ?? { id, fields: {}, account: {} };
    companies.set(id, company);
    return company.account;
  };
  for (const resource of resources) {
    if (kindOfType(resource.type) !== kinds.Company || resource.id === undefined) continue;
    companies.set(resource.id, { ...kinds.Company.fromState(resource), account: {} });
  }
  for (const resource of resources) {
    const kind = kindOfType(resource.type);
    if (kind !== undefined && kind !== kinds.Company)
      kind.add(accountOf(resource.inputs.account), kind.fromState(resource));
  }
  return companies.size > 0 ? { ...root, Company: [...companies.values()] } : root;
}

/** A stack as a source. */
export function stackSource(resources: readonly StateResource[], label: string, environment: string): ConfigSource {
  return { model: stateModel(resources), label, isAuthoritative: false, environment };
}
