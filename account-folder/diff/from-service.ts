/** Reads an account's configuration from the API: three requests for each account, and a list of subaccounts for a partner. */

import { companyName } from "../../definitions/company";
import { accountKinds, kinds } from "../../definitions/index";
import type { KindDefinition } from "../../definitions/kind";
import type { AccountModel, Item } from "../../definitions/model";
import { byText } from "../../definitions/text/sort";
import { ApiError, type Client } from "../../sdk";
import { AccountInputError } from "../account-input-error";
import { type CompanyFilter, isIncluded, unmatchedEntries } from "../company-filter";
import { mapConcurrently } from "../map-concurrently";

interface ReadOptions {
  /** Kinds to read of those that are read on request (default: none). */
  include?: readonly KindDefinition[];
  /** Default: `"all"`; an account that is no partner has none. */
  companies?: CompanyFilter;
  /** Subaccounts to read at the same time (default: 8). The client limits its requests besides. */
  parallel?: number;
  /** Called where the service refuses the list of subaccounts otherwise than with its code for an account that is no partner. */
  onRefusedList?: (error: ApiError) => void;
  /** Called after each subaccount, in the order of completion. */
  onCompany?: (company: Item, done: number, total: number) => void | Promise<void>;
}

/**
 * Reads an account, for a partner with the subaccounts that the filter includes.
 * Rejects with the client's errors, and with {@link UnknownCompany} for an entry of the filter that no subaccount has.
 */
export async function readAccount(client: Client, options: ReadOptions = {}): Promise<AccountModel> {
  const account = await readOwnAccount(client, options.include);
  const companies = await listCompanies(client, options.companies ?? "all", options.onRefusedList);
  if (!companies) return account;
  return { ...account, Company: await readCompanies(client, companies, options) };
}

/** Reads the account that the key belongs to, without its subaccounts. What its interface does not have is left out. */
export async function readOwnAccount(client: Client, include: readonly KindDefinition[] = []): Promise<AccountModel> {
  const account: AccountModel = {};
  const kindsToRead = accountKinds.filter((kind) => !kind.isOnRequest || include.includes(kind));
  const lists = await Promise.all(
    kindsToRead.map((kind) =>
      kind.read(client).catch((error): Item[] => {
        if (error instanceof ApiError && error.missing !== undefined) return [];
        throw error;
      }),
    ),
  );
  for (const [i, kind] of kindsToRead.entries()) for (const item of lists[i]!) kind.add(account, item);
  return account;
}

/** No subaccount has the id or name that was asked for. */
export class UnknownCompany extends AccountInputError {
  override readonly name = "UnknownCompany";
}

/**
 * The subaccounts that the filter includes, by name, their configuration not read; undefined for an account that is no
 * partner, or for the filter `"none"`.
 */
export async function listCompanies(
  client: Client,
  filter: CompanyFilter,
  onRefused: ReadOptions["onRefusedList"] = () => undefined,
): Promise<Item[] | undefined> {
  if (filter === "none") return undefined;
  let all: Item[];
  try {
    all = await kinds.Company.read(client);
  } catch (error) {
    // 404: the interface has no subaccounts.
    const hasNone = error instanceof ApiError && (error.isNotPartner || error.status === 404);
    if (filter !== "all" || !hasNone) throw error;
    if (error.isKeyAccepted) onRefused(error);
    return undefined;
  }
  all.sort(byText(({ id = "", fields: { name, email = "" } }) => [name, email, id.padStart(20, "0")].join("\n")));
  if (filter === "all") return all;
  const unmatched = unmatchedEntries([{ Company: all }], filter);
  if (unmatched.length > 0) {
    const names = unmatched.map((entry) => `"${entry}"`).join(", ");
    throw new UnknownCompany(`no subaccount has the id or name ${names}; list them with: esign companies list`);
  }
  return all.filter((company) => isIncluded(filter, company));
}

/** Reads the configuration of subaccounts, some at a time; the result has their order. */
export async function readCompanies(
  client: Client,
  companies: readonly Item[],
  options: Pick<ReadOptions, "include" | "parallel" | "onCompany"> = {},
): Promise<Item[]> {
  let done = 0;
  return mapConcurrently(companies, options.parallel ?? 8, async (company) => {
    const read = { ...company, account: await readCompany(client, company, options.include) };
    await options.onCompany?.(read, ++done, companies.length);
    return read;
  });
}

async function readCompany(
  client: Client,
  company: Item,
  include: readonly KindDefinition[] = [],
): Promise<AccountModel> {
  try {
    return await readOwnAccount(client.as(company.id ?? ""), include);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`subaccount "${companyName(company)}" (${company.id}) could not be read: ${why}`, { cause });
  }
}
