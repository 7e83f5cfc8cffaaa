/** Counts the requests of one run: what was counted before it began is excluded. */
import { type RequestRecord, sumCounts } from "../../provider/reporting/request-counts";

export class RunRequests {
  /** Number of the records of the runs before this one. */
  #earlier = 0;

  readonly #read: () => RequestRecord[];

  constructor(read: () => RequestRecord[]) {
    this.#read = read;
  }

  begin(): void {
    this.#earlier = this.#read().length;
  }

  /** By subaccount; `""` is the configured account. */
  get counts(): RequestRecord {
    return sumCounts(this.#read().slice(this.#earlier));
  }
}
