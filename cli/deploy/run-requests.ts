/** Counts the requests of one run: processes that counted before the run began are excluded. */
import { type RequestCounts, type RequestRecord, sumCounts } from "../../provider/reporting/request-counts";

export class RunRequests {
  /** Processes of the runs before this one. */
  #earlier = new Set<number>();

  readonly #read: () => RequestRecord[];

  constructor(read: () => RequestRecord[]) {
    this.#read = read;
  }

  begin(): void {
    this.#earlier = new Set(this.#read().map(({ process }) => process));
  }

  /** By subaccount; `""` is the configured account. */
  get counts(): Record<string, RequestCounts> {
    const records = this.#read().filter(({ process }) => !this.#earlier.has(process));
    return sumCounts(new Map(records.map((record) => [record.process, record])).values());
  }
}
