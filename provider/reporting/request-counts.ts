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

/** A line beside the effects: what a process has counted up to now. */
export interface RequestRecord {
  process: number;
  /** By subaccount; `""` is the configured account. */
  requests: Record<string, RequestCounts>;
}

export class RequestCounter {
  readonly #accounts: Record<string, RequestCounts> = {};
  #isChanged = false;

  add({ companyId = "", attempt, waited }: Pick<ResponseEvent, "companyId" | "attempt" | "waited">): void {
    this.#accounts[companyId] ??= { requests: 0, retries: 0, waited: 0 };
    const counts = this.#accounts[companyId];
    counts.requests++;
    if (attempt > 1) counts.retries++;
    counts.waited += waited;
    this.#isChanged = true;
  }

  /** The counts, if there is something new. */
  takeRecord(): RequestRecord | undefined {
    if (!this.#isChanged) return undefined;
    this.#isChanged = false;
    return { process: process.pid, requests: this.#accounts };
  }
}

/** The sum of what several processes have counted. */
export function sumCounts(records: Iterable<RequestRecord>): Record<string, RequestCounts> {
  const sum: Record<string, RequestCounts> = {};
  for (const { requests } of records)
    for (const [account, { requests: count, retries, waited }] of Object.entries(requests)) {
      sum[account] ??= { requests: 0, retries: 0, waited: 0 };
      const counts = sum[account];
      counts.requests += count;
      counts.retries += retries;
      counts.waited = Math.round(counts.waited + waited);
    }
  return sum;
}
