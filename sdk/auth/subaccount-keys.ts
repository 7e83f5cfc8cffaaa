/** Keys of a partner's sub accounts: found in the company list, kept in memory only. */
import { InputError } from "../errors";

/** One listing of all companies, page by page. */
type ListCompanies = () => AsyncIterable<{ company_id: string; company_api_key?: string | null | undefined }>;

/** Finds keys by company. Calls that search at the same time share one listing. */
export class CompanyKeys {
  readonly #keys = new Map<string, string>();
  #listing: Promise<void> | undefined;

  constructor(
    readonly list: ListCompanies,
    /** Told of every key that comes to light. */
    readonly onKey: (key: string) => void,
  ) {}

  /** The company's key; `refused` is one that did not work. */
  async find(companyId: string, refused?: string): Promise<string> {
    const known = this.#keys.get(companyId);
    if (known !== undefined && known !== refused) return known;
    // A listing that is under way may have begun before the company was there or its key changed: then one more is made.
    const underWay = this.#listing;
    if (underWay !== undefined) await underWay;
    const found = this.#keys.get(companyId);
    if (found !== undefined && found !== refused) return found;
    this.#listing ??= this.#read();
    await this.#listing;
    const key = this.#keys.get(companyId);
    if (key !== undefined) return key;
    throw new InputError(
      { operation: "account" },
      [{ path: "", message: "it is not in this partner's list of companies, or the list holds no key for it" }],
      "Give the id of a company that is in the list. One that was deleted comes back under another id only.",
    );
  }

  /** Takes the keys out of a reply, so that a company that was just created needs no listing. */
  learn(reply: Record<string, unknown>): void {
    this.#take(reply.company_id, reply.api_key);
    this.#take(reply.company_id, reply.company_api_key);
    if (!Array.isArray(reply.companies)) return;
    for (const { company_id, company_api_key } of reply.companies) this.#take(company_id, company_api_key);
  }

  #take(id: unknown, key: unknown): void {
    if (typeof key !== "string" || key === "") return;
    this.onKey(key);
    if (typeof id === "string") this.#keys.set(id, key);
  }

  /** The pages' replies come by {@link learn}; going through the list is all there is to do. */
  async #read(): Promise<void> {
    try {
      for await (const _ of this.list());
    } finally {
      this.#listing = undefined;
    }
  }
}
