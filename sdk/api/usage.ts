/** Usage of a partner's subaccounts. */
import { z } from "zod";
import { endpoint, pageBase } from "./endpoint";
import { id, optionalCount, optionalTimestamp, total } from "./scalars";

/** Usage of one company in the current and the previous billing period. */
const usageRecord = z.looseObject({
  company_id: id,
  company_name: z.string().nullish(),
  /** Envelopes sent in the current billing period. */
  current_usage: optionalCount,
  /** Envelopes sent in the previous billing period. */
  previous_usage: optionalCount,
  company_created: optionalTimestamp,
});
export type UsageRecord = z.output<typeof usageRecord>;

export const list = endpoint({
  method: "GET",
  path: "/v1/usage",
  summary: "Lists the usage of each subaccount in the current and the previous billing period.",
  section: "4.3",
  partner: true,
  response: pageBase.extend({
    /** Total number of companies. */
    total_companies: total,
    /** The periods follow the account's billing date. */
    current_start_date: optionalTimestamp,
    current_end_date: optionalTimestamp,
    previous_start_date: optionalTimestamp,
    previous_end_date: optionalTimestamp,
    companies: z.array(usageRecord),
  }),
  list: { items: "companies", total: "total_companies", id: "company_id", emptyCode: 10360 },
});
