/** The companies of a partner, read together: only the list has their keys. */
import { unmaskedKey } from "../../sdk/auth/masked-key";
import type { Client } from "../../sdk/client";
import type { AccountHandle } from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import { ObjectStore } from "../objects/object-store";
import { assertSameId } from "./check-response";

type Maybe = string | null | undefined;

/** A company as create, list and update return it, in one form. */
export interface CompanyItem {
  company_id: string;
  company_name?: Maybe;
  company_email?: Maybe;
  company_api_key?: Maybe;
  company_created?: Maybe;
  user_id?: Maybe;
}

/** A single company as the API returns it, without its key. */
export type CompanyAlone = Awaited<ReturnType<Client["companies"]["get"]>>;

/**
 * Those of an account, shared by all that reads or changes them.
 * @internal
 */
export function companiesOf(account: AccountHandle) {
  return account.memoize(
    "companies",
    () =>
      new ObjectStore<CompanyItem, CompanyAlone>(
        {
          async *list(from) {
            for await (const company of account.client.companies.list({ offset: from })) {
              account.session.reporting.addSecret(unmaskedKey(company.company_api_key));
              yield company;
            }
          },
          oneHasAllData: false,
          async one(id) {
            const response = await account.client.companies.get({ company_id: id });
            assertSameId(response.company_id, id);
            return response;
          },
          idOf: (company) => company.company_id,
          shared: account.session.connection.companies,
        },
        account.session.run,
        account.session.run.recent.of(account, "companies"),
      ),
  );
}

/**
 * False for a subaccount that the partner does not have (any more). `madeAt`: when something in it was made, which is later than itself.
 * @internal
 */
export async function accountExists({ companyId, session }: AccountHandle, madeAt?: number): Promise<boolean> {
  if (companyId === undefined) return true;
  const companies = companiesOf(session.accounts.of());
  companies.recent.note(companyId, madeAt);
  return (await companies.read(companyId, readMaxAge.refresh)) !== undefined;
}
