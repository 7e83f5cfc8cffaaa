import { company as companyDefinition } from "../../definitions/company";
import { isSameValue } from "../../definitions/field";
import { isSameEmail, normalizeName } from "../../definitions/text/normalize";
import { ApiError } from "../../sdk/errors";
import type { Properties } from "../core/pulumi-values";
import { defineResource, type Issue } from "../core/resource-definition";
import { assertUnprotected } from "../plan/deletion-protection";
import { assertNotTestKey, assertSameId, confirmsDeletion } from "./check-response";
import { readLoss } from "./company-loss";
import { type CompanyItem, companiesOf } from "./partner-companies";

const hasName = (company: CompanyItem, args: Properties) =>
  normalizeName(company.company_name ?? "") === normalizeName(args.name as string);

function matchEmail(company: CompanyItem, args: Properties): boolean {
  const { company_email } = company;
  const declared = [args.email, args.userEmail].filter((email) => typeof email === "string");
  return Boolean(company_email) && declared.some((email) => isSameEmail(email, company_email ?? undefined));
}

/** @internal */
export const company = defineResource<CompanyItem>(companyDefinition, {
  isReplaceable: (args, olds) =>
    args.deletionProtection === false && olds.deletionProtection === false && args.onExisting === "create",

  issues(args, { olds }) {
    const faults: Issue[] = [];
    for (const field of ["userName", "userEmail"]) {
      const [before, after] = [olds[field], args[field]];
      if (typeof before !== "string" || typeof after !== "string" || this.isReplaceable!(args, olds)) continue;
      if (isSameValue(companyDefinition, field, before, after)) continue;
      faults.push({
        field,
        message:
          'is fixed at creation. Restore the old value; or, to replace the company and delete its envelopes, run `up` with deletionProtection: false and onExisting: "create", then change it and run `up --replace <urn>`; what an explicit provider with its key serves needs deletedWith',
      });
    }
    return faults;
  },

  read: (account, key, age) => companiesOf(account).read(key, age),

  async update(account, key, form) {
    const response = await account.client.companies.update({ company_id: key, ...form });
    assertNotTestKey(response);
    assertSameId(response.company_id, key);
    const { company_name, company_email } = response;
    companiesOf(account).updated(key, form, { company_name, company_email });
    return { ...companiesOf(account).cached(key), company_id: key, company_name, company_email };
  },

  collection: {
    objects: companiesOf,
    createFields: ["name"],
    chosenFields: ({ userEmail }) => ({ email: userEmail as string }),
    // Not by the natural key: the API does not return the first user, whose address a company has until it gets another one.
    match(item, args) {
      if (!hasName(item, args)) return "different";
      return matchEmail(item, args) ? "same" : "ambiguous";
    },
    matchNew: (item, args) => hasName(item, args) && (!item.company_email || matchEmail(item, args)),
    isAlreadyExistsError: (error) => error instanceof ApiError && error.code === 10353,
    async create(account, args) {
      const response = await account.client.companies.create({
        company_name: args.name as string,
        user_name: args.userName as string,
        user_email: args.userEmail as string,
      });
      assertNotTestKey(response);
      account.session.reporting.addSecret(response.api_key);
      return {
        company_id: response.company_id,
        company_name: response.company_name ?? (args.name as string),
        company_email: response.company_email,
        company_api_key: response.api_key,
        company_created: response.company_added,
        user_id: response.user_id,
      };
    },
    async delete(account, key) {
      const response = await account.client.companies.delete({ company_id: key });
      return confirmsDeletion(response, response.company_id, key);
    },
    assertDeletable: (state) => assertUnprotected(state, "the company and all data in it"),
    readLoss,
  },
});
