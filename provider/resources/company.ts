import { company as companyDefinition } from "../../definitions/company";
import { isSameValue } from "../../definitions/field";
import { normalizeName } from "../../definitions/text/normalize";
import { parseTimestamp } from "../../sdk/api/scalars";
import { unmaskedKey } from "../../sdk/auth/masked-key";
import type { Client } from "../../sdk/client";
import { ApiError } from "../../sdk/errors";
import { type Amount, atLeast, type Loss, sumAmounts, unknownAmount } from "../core/amount";
import type { Properties } from "../core/pulumi-values";
import { type AccountHandle, defineResource, type Issue } from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import { ObjectStore } from "../objects/object-store";
import { assertUnprotected } from "../plan/deletion-protection";
import { assertNotTestKey, assertSameId, confirmsDeletion } from "./check-response";

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
type CompanyAlone = Awaited<ReturnType<Client["companies"]["get"]>>;

/**
 * The companies of a partner, read together: only the list has their keys.
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

/** States of an open envelope: deleting its account ends it. */
const openStatuses = new Set(["draft", "processing", "sent"]);
/** Pages of envelopes that are read to count the open ones. */
const maxPages = 10;

/** A service that omits the usage, the count of a month or the months before the last twelve leaves open how many there were. */
function sentOf({ company_usage: months, company_created, contact_created }: CompanyAlone): Amount {
  if (!months) return unknownAmount;
  const created = company_created ?? contact_created;
  const isBefore = (month: string, year: string) =>
    Boolean(created) && Date.parse(`1 ${month} ${year} UTC`) <= parseTimestamp(created!).getTime();
  const isWhole = months.length < 12 || months.some(({ month, year }) => isBefore(month, year));
  return sumAmounts([...months.map(({ sent }) => sent ?? unknownAmount), isWhole ? 0 : unknownAmount]);
}

async function readLoss(account: AccountHandle, id: string): Promise<Loss | undefined> {
  const companies = companiesOf(account);
  const company = await companies.one(id);
  if (company === undefined) return undefined;
  // The list, which may lag, has the key with which the envelopes are counted.
  await companies.read(id, readMaxAge.refresh);
  let pages = 0;
  let open = 0;
  for await (const page of account.session.accounts.of(id).client.envelopes.list().pages()) {
    open += page.envelopes.filter(({ envelope_status }) => openStatuses.has(envelope_status)).length;
    if (++pages === maxPages) break;
  }
  return { sent: sentOf(company), open: pages < maxPages ? open : atLeast(open) };
}

const hasName = (company: CompanyItem, args: Properties) =>
  normalizeName(company.company_name ?? "") === normalizeName(args.name as string);

const lower = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : undefined);

function matchEmail(company: CompanyItem, args: Properties): boolean {
  const email = lower(company.company_email);
  return email !== undefined && [lower(args.email), lower(args.userEmail)].includes(email);
}

/** @internal */
export const company = defineResource<CompanyItem>(companyDefinition, {
  issues(args, { olds }) {
    const faults: Issue[] = [];
    const replaceable =
      args.deletionProtection === false && olds.deletionProtection === false && args.onExisting === "create";
    for (const field of ["userName", "userEmail"]) {
      const [before, after] = [olds[field], args[field]];
      if (typeof before !== "string" || typeof after !== "string" || replaceable) continue;
      if (isSameValue(companyDefinition, field, before, after)) continue;
      faults.push({
        field,
        message:
          'is fixed at creation. Restore the old value; or, to replace the company and delete its envelopes, run `up` with deletionProtection: false and onExisting: "create", then change it and run `up --replace <urn>`; what an explicit provider with its key serves needs deletedWith',
      });
    }
    return faults;
  },

  locate(args, { companies = [] }) {
    const declaredEmail = args.email ?? args.userEmail;
    const id = companies.find(
      ({ name, email }) => name === args.name && (email ?? args.userEmail) === declaredEmail,
    )?.id;
    return id === undefined ? undefined : { key: id, outputs: { companyId: id } };
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
