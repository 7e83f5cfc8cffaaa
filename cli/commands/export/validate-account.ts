/** Removes from an account what the resources reject, with notes on it. */

import { companyName } from "../../../definitions/company";
import { accountKinds } from "../../../definitions/index";
import { displayName, type KindDefinition } from "../../../definitions/kind";
import type { AccountModel, Item } from "../../../definitions/model";
import { checkArguments } from "../../../provider/lifecycle/check";
import { definitions, handlerOf } from "../../../provider/resources/index";
import { findNewValues } from "../../../sdk/enum-schemas";

export interface Validated<T> {
  value: T;
  /** What was left out, and why. */
  notes: string[];
  /** True when a value needs the setting of that name. */
  allowUnknownValues: boolean;
}

/** Validates an account by the rules of the resources, offline. */
export function validate(account: AccountModel): Validated<AccountModel> {
  const notes: string[] = [];
  let allowUnknownValues = false;
  const isValid = (kind: KindDefinition, item: Item, what: string): boolean => {
    const definition = definitions[handlerOf(kind.kind)];
    const inputs = kind.toInputs(item);
    const issues = checkArguments(definition, {}, inputs, { allowUnknownValues: false, edition: "current" });
    if (issues.length === 0 && findNewValues(definition.args.shape, inputs).length === 0) return true;
    const faults = checkArguments(definition, {}, inputs, { allowUnknownValues: true, edition: "current" });
    if (faults.length === 0) allowUnknownValues = true;
    else notes.push(`${what} is left out: it ${faults.map((fault) => fault.message).join("; ")}`);
    return faults.length === 0;
  };
  const value: AccountModel = account.Company ? { Company: account.Company } : {};
  for (const kind of accountKinds) {
    for (const item of kind.items(account)) {
      const name = displayName(kind, kind.nameOf(item)) + (item.id === undefined ? "" : ` (id ${item.id})`);
      if (kind.isCreatable) {
        if (isValid(kind, item, name)) kind.add(value, item);
        continue;
      }
      // Each field is valid or not by itself.
      const fields = Object.entries(item.fields).filter(([field, text]) =>
        isValid(kind, { ...item, fields: { [field]: text } }, `the ${field} of ${name}`),
      );
      if (fields.length > 0) kind.add(value, { ...item, fields: Object.fromEntries(fields) });
    }
  }
  return { value, notes, allowUnknownValues };
}

/** The same for a subaccount. */
export function validateCompany(company: Item): Validated<Item> {
  if (!company.account) return { value: company, notes: [], allowUnknownValues: false };
  const { value: account, notes, allowUnknownValues } = validate(company.account);
  return {
    value: { ...company, account },
    notes: notes.map((note) => `subaccount ${companyName(company)}: ${note}`),
    allowUnknownValues,
  };
}
