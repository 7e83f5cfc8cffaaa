/**
 * Compares two configurations: what would have to change in the first for it to be like the second. Knows what is the
 * same although it is written differently (a colour's letter case, a logo's query), and what differs because two
 * environments differ and not because somebody changed something.
 */
import type { CompanyFilter } from "../company-filter";
import type { AccountModel, EmailText } from "../model";
import { compareStrings } from "../text/sort";
import { compareCompanies } from "./compare-companies";
import { compareFields, type Fields, type ResourceRef } from "./compare-fields";
import { compareWebhooks } from "./compare-webhooks";
import type { Comparison, ComparisonContext, ConfigSource } from "./comparison";

/**
 * Compares `before` with `after`. Pure; the order of the result does not depend on the order of the input.
 * @param companies - the sub accounts that it is about: those that are chosen on either side
 */
export function compare(before: ConfigSource, after: ConfigSource, companies: CompanyFilter = "all"): Comparison {
  const result: Comparison = { changes: [], environment: [], unmanaged: [] };
  compareAccounts({ before, after, companies, result }, before.model, after.model);
  return result;
}

function compareAccounts(context: ComparisonContext, before: AccountModel, after: AccountModel): void {
  compareFields(
    context,
    { kind: "Branding" },
    brandingFields(before, context.after),
    brandingFields(after, context.before),
  );
  for (const type of sortedKeys(before.emails, after.emails)) {
    const place: ResourceRef = { kind: "BrandingEmail", name: type };
    compareFields(context, place, { ...before.emails[type] }, { ...after.emails[type] });
  }
  compareWebhooks(context, before.webhooks, after.webhooks);
  compareCompanies(context, before.companies, after.companies, compareAccounts);
}

/** What is declared is held against what others declare, and what the service made of it against what an account shows. */
const brandingFields = ({ branding: { logo, ...declared } }: AccountModel, other: ConfigSource): Fields =>
  other.isAuthoritative && logo !== undefined ? { ...declared, logoUrl: logo } : declared;

function sortedKeys(...records: Record<string, EmailText>[]): string[] {
  return [...new Set(records.flatMap(Object.keys))].sort(compareStrings);
}
