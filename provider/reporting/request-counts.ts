/** How many requests a run has sent to each account, how many of them were retries, and how long they waited for their turn. */
import type { ResponseEvent } from "../../sdk/options";

export interface RequestCounts {
  /** Attempts that were sent. */
  requests: number;
  /** Those that repeat one. */
  retries: number;
  /** Milliseconds of waiting for the rate limit, and between two attempts; of requests that wait at the same time, the sum. */
  waited: number;
}

/** A line beside the effects: what was counted since the line before. By subaccount; `""` is the configured account. */
export type RequestRecord = Record<string, RequestCounts>;

export class RequestCounter {
  #accounts: RequestRecord = {};

  add({ companyId = "", attempt, waited }: Pick<ResponseEvent, "companyId" | "attempt" | "waited">): void {
    const counts = { requests: 1, retries: attempt > 1 ? 1 : 0, waited: Math.round(waited) };
    this.#accounts = sumCounts([this.#accounts, { [companyId]: counts }]);
  }

  /** What was counted since the last call, if anything was. */
  takeRecord(): RequestRecord | undefined {
    const record = this.#accounts;
    this.#accounts = {};
    return Object.keys(record).length > 0 ? record : undefined;
  }
}

export function sumCounts(records: readonly RequestRecord[]): RequestRecord {
  const sum: RequestRecord = {};
  for (const [account, { requests, retries, waited }] of records.flatMap(Object.entries<RequestCounts>)) {
    sum[account] ??= { requests: 0, retries: 0, waited: 0 };
    const counts = sum[account];
    counts.requests += requests;
    counts.retries += retries;
    counts.waited += waited;
  }
  return sum;
}
