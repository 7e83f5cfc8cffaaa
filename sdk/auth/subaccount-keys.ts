/** API keys of a partner's subaccounts: taken from the company list, kept in memory only. */
import { InputError } from "../errors";
import type { ConnectOptions, KnownCompany } from "../options";
import { unmaskedKey } from "./masked-key";

/** One listing of all companies, page by page. */
type ListCompanies = () => AsyncIterable<KnownCompany>;

/** Finds keys by company. Calls that search at the same time share one listing. */
export class SubaccountKeys {
  readonly #keys = new Map<string, string>();
  #listing: Promise<void> | undefined;
  #optionRead: Promise<void> | undefined;

  constructor(
    readonly list: ListCompanies,
    /** Called with every key that is found. */
    readonly onKey: (key: string) => void,
    readonly knownCompanies: ConnectOptions["knownCompanies"],
    readonly isListedLater: ConnectOptions["isListedLater"],
  ) {}

  /** The company's key; `rejected` is one that did not work. */
  async find(companyId: string, rejected?: string): Promise<string> {
    const cached = () => {
      const key = this.#keys.get(companyId);
      return key === rejected ? undefined : key;
    };
    if (cached() !== undefined) return cached()!;
    this.#optionRead ??= this.#readOption();
    await this.#optionRead;
    // A listing in progress may have started before the company or its new key existed: then the list is read again.
    await this.#listing;
    if (cached() !== undefined) return cached()!;
    do {
      this.#listing ??= this.#read();
      await this.#listing;
      const key = this.#keys.get(companyId);
      if (key !== undefined) return key;
    } while (await this.isListedLater?.(companyId));
    throw new InputError(
      { operation: "account" },
      [
        {
          path: "",
          message: `${companyId} is not in this partner's list of companies, or the list contains no key for it`,
        },
      ],
      "Use the ID of a company in the list. A company that is recreated after its deletion has another ID.",
    );
  }

  /** Collects the keys in a response, so that a company that was just created needs no listing. */
  addFrom(body: Record<string, unknown>): void {
    this.#add(body.company_id, body.api_key);
    this.#add(body.company_id, body.company_api_key);
    if (!Array.isArray(body.companies)) return;
    for (const { company_id, company_api_key } of body.companies) this.#add(company_id, company_api_key);
  }

  #add(id: unknown, text: unknown): void {
    const key = typeof text === "string" ? unmaskedKey(text) : undefined;
    if (key === undefined) return;
    this.onKey(key);
    if (typeof id === "string") this.#keys.set(id, key);
  }

  async #readOption(): Promise<void> {
    try {
      for (const { company_id, company_api_key } of (await this.knownCompanies?.()) ?? [])
        this.#add(company_id, company_api_key);
    } catch (error) {
      this.#optionRead = undefined;
      throw error;
    }
  }

  /** Each page passes {@link addFrom}; reading the list is enough. */
  async #read(): Promise<void> {
    try {
      for await (const _ of this.list());
    } finally {
      this.#listing = undefined;
    }
  }
}
