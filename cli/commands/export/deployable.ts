/** Makes what was read from an account fit for a program: what the resources refuse is left out, and told. */
import type { AccountModel, CompanyModel, EmailText } from "../../../account-folder/model";
import { checkArguments } from "../../../provider/lifecycle/check";
import { definitionOf, type HandlerName } from "../../../provider/resources/index";

export interface Validated<T> {
  value: T;
  /** What was left out, and why. */
  notes: string[];
  /** True when a value needs the setting of that name. */
  allowUnknownValues: boolean;
}

/** Holds an account against the rules of the resources, offline. */
export function validate(account: AccountModel): Validated<AccountModel> {
  const notes: string[] = [];
  let allowUnknownValues = false;
  const fits = (handler: HandlerName, args: Record<string, unknown>, what: string): boolean => {
    const definition = definitionOf(handler);
    if (checkArguments(definition, {}, args, false).length === 0) return true;
    const faults = checkArguments(definition, {}, args, true);
    if (faults.length === 0) allowUnknownValues = true;
    else notes.push(`${what} is left out: it ${faults.map((fault) => fault.message).join("; ")}`);
    return faults.length === 0;
  };
  const branding = fields(account.branding, (field, value) => fits("branding", { [field]: value }, field));
  const emails: Record<string, EmailText> = {};
  for (const [type, email] of Object.entries(account.emails)) {
    const texts = fields(email, (field, value) =>
      fits("brandingEmail", { type, [field]: value }, `the ${field} of ${type}`),
    );
    if (Object.keys(texts).length > 0) emails[type] = texts;
  }
  const webhooks = account.webhooks.filter(({ type, url, id }) =>
    fits("webhook", { type, url }, `the webhook ${id ?? ""} for ${type}`),
  );
  return { value: { ...account, branding, emails, webhooks }, notes, allowUnknownValues };
}

/** The same for a sub account. */
export function validateCompany(company: CompanyModel): Validated<CompanyModel> {
  if (!company.account) return { value: company, notes: [], allowUnknownValues: false };
  const { value: account, notes, allowUnknownValues } = validate(company.account);
  return {
    value: { ...company, account },
    notes: notes.map((note) => `sub account ${company.name}: ${note}`),
    allowUnknownValues,
  };
}

function fields<T extends object>(values: T, keep: (field: string, value: string) => boolean): T {
  return Object.fromEntries(Object.entries(values).filter(([field, value]) => keep(field, value as string))) as T;
}
