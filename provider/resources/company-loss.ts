/** What the deletion of a company loses: the envelopes that it has sent, and those that are open, which end with it. */
import { parseTimestamp } from "../../sdk/api/scalars";
import { isFinal } from "../../sdk/envelopes/final-statuses";
import { type Amount, atLeast, type Loss, sumAmounts, unknownAmount } from "../core/amount";
import { Failure } from "../core/failure";
import type { AccountHandle } from "../core/resource-definition";
import { readMaxAge } from "../core/time-limits";
import { type CompanyAlone, companiesOf } from "./partner-companies";

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

/** @internal */
export async function readLoss(account: AccountHandle, id: string): Promise<Loss | undefined> {
  const companies = companiesOf(account);
  const company = await companies.one(id);
  if (company === undefined) return undefined;
  // The list, which may lag, has the key with which the envelopes are counted.
  await companies.read(id, readMaxAge.refresh);
  let pages = 0;
  let open = 0;
  for await (const page of account.session.accounts.of(id).client.envelopes.list().pages()) {
    if (pages++ === maxPages) return { sent: sentOf(company), open: atLeast(open) };
    open += page.envelopes.filter(({ envelope_status }) => !isFinal(envelope_status)).length;
  }
  return { sent: sentOf(company), open };
}

/**
 * Why an object is not deleted of which cannot be read what goes with it; undefined if it is deleted all the same.
 * @internal
 */
export function refusalOfUnreadable(problem: string, onUnreadable: "fail" | "delete" | undefined): Failure | undefined {
  if (onUnreadable === "delete") return undefined;
  return new Failure("ESIGN1041", `not deleted: its envelopes could not be counted (${problem})`);
}
