/** `esign fleet usage`: what all customers have sent, by month, as CSV. */

import { mapConcurrently } from "../../../account-folder/map-concurrently";
import { normalizeName } from "../../../definitions/text/normalize";
import type { Client } from "../../../sdk/client";
import { ApiError } from "../../../sdk/errors";
import type { Customer } from "../../fleet/customers";
import { toCsv } from "../../output/csv";

interface UsageRow {
  id: string;
  companyId: string;
  name: string;
  year: string;
  month: string;
  /** Envelopes; undefined where the service does not say. */
  sent: number | undefined;
}

interface FleetUsage {
  rows: UsageRow[];
  /** Customers whose company was not found: there is none, or several have the name. */
  unknown: string[];
}

/** Companies are found by the customers' `companyId`, else by their `name`. */
export async function readUsage(client: Client, customers: readonly Customer[], parallel: number): Promise<FleetUsage> {
  const byName = new Map<string, string[]>();
  if (customers.some(({ values }) => values.companyId === undefined)) {
    for await (const { company_id, company_name } of client.companies.list()) {
      const name = normalizeName(company_name);
      byName.set(name, [...(byName.get(name) ?? []), company_id]);
    }
  }
  const companyOf = ({ values }: Customer): string | undefined => {
    if (values.companyId !== undefined) return String(values.companyId);
    const found = byName.get(normalizeName(String(values.name ?? ""))) ?? [];
    return found.length === 1 ? found[0] : undefined;
  };
  const found = customers.map((customer) => ({ customer, companyId: companyOf(customer) }));
  const rows = await mapConcurrently(found, parallel, async ({ customer, companyId }) => {
    const company = companyId === undefined ? undefined : await read(client, companyId);
    if (companyId === undefined || company === undefined) return undefined;
    const name = company.company_name ?? "";
    return (company.company_usage ?? []).map(
      ({ month, year, sent }): UsageRow => ({ id: customer.id, companyId, name, year, month, sent }),
    );
  });
  return {
    rows: rows.flatMap((row) => row ?? []),
    unknown: found.filter((_, index) => rows[index] === undefined).map(({ customer }) => customer.id),
  };
}

/** Undefined if there is no such company: one wrong number is not the end of the others. */
const read = (client: Client, companyId: string) =>
  client.companies.get({ company_id: companyId }).catch((error) => {
    if (error instanceof ApiError && error.isNotFound) return undefined;
    throw error;
  });

const columns = ["id", "companyId", "name", "year", "month", "sent"] as const;

export const usageCsv = (rows: readonly UsageRow[]): string =>
  toCsv([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
