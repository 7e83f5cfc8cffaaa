/** Compares sub accounts. */

import { isIncluded } from "../company-filter";
import { type AccountModel, type CompanyModel, emptyAccount } from "../model";
import { normalizeName } from "../text/normalize";
import { compareStrings } from "../text/sort";
import {
  compareFields,
  differentEnvironments,
  type Fields,
  isUnmanaged,
  type ResourceRef,
  unmanagedReason,
} from "./compare-fields";
import type { ComparisonContext, ResourceChange } from "./comparison";
import { take, takeEqual } from "./match";

/** Compares what two sub accounts hold, as of any two accounts. */
type CompareContent = (context: ComparisonContext, before: AccountModel, after: AccountModel) => void;

export function compareCompanies(
  context: ComparisonContext,
  before: readonly CompanyModel[] | undefined,
  after: readonly CompanyModel[] | undefined,
  compareContent: CompareContent,
): void {
  const left = [...(before ?? [])].sort(byCompany);
  const right = [...(after ?? [])].sort(byCompany);
  const nameOf = ({ name }: CompanyModel) => normalizeName(name);
  // Code may leave a company's address alone: until somebody changes it, it is that of the first user.
  const emailOf = ({ email, userEmail }: CompanyModel) => (email ?? userEmail)?.toLowerCase();
  const ownId = ({ id }: CompanyModel) => (differentEnvironments(context) ? undefined : id);
  const hasStrangers = [...left, ...right].some(({ isStub }) => isStub) && !differentEnvironments(context);
  const pairs = [
    ...(hasStrangers ? take(left, right, (a, b) => (a.isStub ?? b.isStub) === true && a.id === b.id) : []),
    ...takeEqual(left, right, (each) => each.id && JSON.stringify([each.id, nameOf(each)])),
    // A new name, which may have been another's. Of another environment the same identifier alone proves nothing: two
    // partners' numbers may coincide.
    ...takeEqual(left, right, (each) => ownId(each) && JSON.stringify([each.id, emailOf(each)])),
    ...takeEqual(left, right, (each) => JSON.stringify([nameOf(each), emailOf(each)])),
    ...takeEqual(left, right, ownId),
    ...takeEqual(left, right, nameOf),
    ...takeEqual(left, right, (each) => each.id && JSON.stringify([each.id, emailOf(each)])),
  ].sort(([a], [b]) => byCompany(a, b));
  for (const [a, b] of pairs) {
    if (!isIncluded(context.companies, a) && !isIncluded(context.companies, b)) continue;
    const id = b.id ?? a.id;
    const inside = { ...context, company: (b.isStub ? a : b).name, companyId: id };
    const place: ResourceRef = { kind: "Company", name: (a.isStub ? b : a).name, ...(id !== undefined && { id }) };
    compareFields(context, place, companyFields(a), companyFields(b));
    if (a.account && b.account) compareContent(inside, a.account, b.account);
  }
  for (const [action, list] of [
    ["remove", left],
    ["add", right],
  ] as const)
    for (const company of list)
      if (isIncluded(context.companies, company)) singleCompany(context, action, company, compareContent);
}

const byCompany = (a: CompanyModel, b: CompanyModel) =>
  compareStrings(a.name, b.name) || compareStrings(a.id ?? "", b.id ?? "");
const companyFields = ({ name, email, isStub }: CompanyModel): Fields => (isStub ? {} : { name, email });

function singleCompany(
  context: ComparisonContext,
  action: "add" | "remove",
  company: CompanyModel,
  compareContent: CompareContent,
): void {
  const side = action === "add" ? "after" : "before";
  const change: ResourceChange = {
    kind: "Company",
    name: company.name,
    action,
    ...(company.id !== undefined && { id: company.id }),
    fields: Object.entries(companyFields(company)).flatMap(([field, value]) =>
      value === undefined ? [] : [{ field, [side]: value }],
    ),
  };
  const [a, b] = action === "add" ? [undefined, company] : [company, undefined];
  if (isUnmanaged(context, a, b)) {
    context.result.unmanaged.push({ ...change, reason: unmanagedReason(context) });
    return;
  }
  context.result.changes.push(change);
  // What is in it comes or goes with it; said as well, since it is what people look for.
  const content = company.account ?? emptyAccount();
  const inside = { ...context, company: company.name, companyId: company.id };
  if (action === "add") compareContent(inside, emptyAccount(), content);
  else compareContent(inside, content, emptyAccount());
}
