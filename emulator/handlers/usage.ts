/** Usage, computed from the number of envelopes sent on each day. */

import { formatTimestamp, parseTimestamp } from "../../sdk/api/scalars";
import type { Account } from "../domain/data-schema";
import { usageMonths } from "../domain/limits";
import type { GroupHandlers } from "./handler";

const monthName = (day: Date) => day.toLocaleString("en", { month: "long", timeZone: "UTC" });

/** Envelopes sent from one day up to, not including, another. */
function sentBetween(account: Account, from: Date, until: Date): number {
  const [first, end] = [from.toISOString().slice(0, 10), until.toISOString().slice(0, 10)];
  return Object.entries(account.sent).reduce((sum, [day, n]) => (day >= first && day < end ? sum + n : sum), 0);
}

const utc = (year: number, month: number, day = 1) => new Date(Date.UTC(year, month, day));

/** `company_usage`: the last twelve months of the account's life, newest first. */
export function monthlyUsage(account: Account, now: Date) {
  const created = parseTimestamp(account.created);
  const months: { month: string; year: string; sent: string }[] = [];
  for (let back = 0; back < usageMonths; back++) {
    const begin = utc(now.getUTCFullYear(), now.getUTCMonth() - back);
    const end = utc(now.getUTCFullYear(), now.getUTCMonth() - back + 1);
    if (end <= created && back > 0) break;
    months.push({
      month: monthName(begin),
      year: String(begin.getUTCFullYear()),
      sent: String(sentBetween(account, begin, end)),
    });
  }
  return months;
}

/**
 * Start of the current billing period (`back` = 0) or of an earlier one. The billing day is the day of the account's creation; a
 * month without it is billed on its last day.
 */
function periodStart(account: Account, now: Date, back: number): Date {
  const day = parseTimestamp(account.created).getUTCDate();
  const start = (offset: number) => {
    const lastDay = utc(now.getUTCFullYear(), now.getUTCMonth() + offset + 1, 0).getUTCDate();
    return utc(now.getUTCFullYear(), now.getUTCMonth() + offset, Math.min(day, lastDay));
  };
  return start((start(0) <= now ? 0 : -1) - back);
}

export const usage: GroupHandlers<"usage"> = {
  list: {
    run(request) {
      const { context, account: partner } = request;
      const [next, current, previous] = [-1, 0, 1].map((back) => periodStart(partner, context.now, back)) as [
        Date,
        Date,
        Date,
      ];
      const lastSecond = (end: Date) => formatTimestamp(new Date(end.getTime() - 1000));
      return {
        records: context.listVisible(partner, "companies", context.companiesOf(partner)),
        item: (company: Account) => ({
          company_id: company.id,
          company_name: company.name,
          current_usage: String(sentBetween(company, current, next)),
          previous_usage: String(sentBetween(company, previous, current)),
          company_created: company.created,
        }),
        members: {
          current_start_date: formatTimestamp(current),
          current_end_date: lastSecond(next),
          previous_start_date: formatTimestamp(previous),
          previous_end_date: lastSecond(current),
        },
      };
    },
  },
};
