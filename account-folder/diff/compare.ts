/**
 * Compares two configurations: what would have to change in the first for it to be like the second. Knows what is the
 * same although it is written differently (a colour's letter case, a logo's query), and what differs because two
 * environments differ and not because somebody changed something.
 */
import type { CompanyChoice } from "../company-filter";
import type { AccountModel, EmailText } from "../model";
import { order } from "../text/sort";
import { compareCompanies } from "./compare-companies";
import { compareFields, type Fields, type Place } from "./compare-fields";
import { compareWebhooks } from "./compare-webhooks";
import type { Comparison, Context, Side } from "./comparison";

/**
 * Compares `before` with `after`. Pure; the order of the result does not depend on the order of the input.
 * @param companies - the sub accounts that it is about: those that are chosen on either side
 */
export function compare(before: Side, after: Side, companies: CompanyChoice = "all"): Comparison {
  const result: Comparison = { changes: [], environment: [], unmanaged: [] };
  compareAccounts({ before, after, companies, result }, before.model, after.model);
  return result;
}

function compareAccounts(context: Context, before: AccountModel, after: AccountModel): void {
  compareFields(
    context,
    { kind: "Branding" },
    brandingFields(before, context.after),
    brandingFields(after, context.before),
  );
  for (const type of sortedKeys(before.emails, after.emails)) {
    const place: Place = { kind: "BrandingEmail", name: type };
    compareFields(context, place, { ...before.emails[type] }, { ...after.emails[type] });
  }
  compareWebhooks(context, before.webhooks, after.webhooks);
  compareCompanies(context, before.companies, after.companies, compareAccounts);
}

/** What is declared is held against what others declare, and what the service made of it against what an account shows. */
const brandingFields = ({ branding: { logo, ...declared } }: AccountModel, other: Side): Fields =>
  other.complete && logo !== undefined ? { ...declared, logoUrl: logo } : declared;

function sortedKeys(...records: Record<string, EmailText>[]): string[] {
  return [...new Set(records.flatMap(Object.keys))].sort(order);
}
