/**
 * Prevents a user or contact from getting the email address of another one of the account, which the service rejects. The other one must get
 * a new address first, but engines update resources in parallel if they do not depend on one another, and delete after all updates.
 */
import { isSameEmail } from "../../definitions/text/normalize";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { AccountHandle } from "../core/resource-definition";
import { addressWait, readMaxAge } from "../core/time-limits";

/** The users or contacts of an account, as far as is known in this process. */
interface Holders<T> {
  /** All by ID. The list has the writes of this process. */
  all(maxAge: number): Promise<ReadonlyMap<string, T>>;
  /** True for one of the state that the plan changes. */
  isChanging(id: string): boolean;
}

export class EmailAddresses<T> {
  /** The IDs of those that get another address in this plan. */
  readonly #leaving = new Set<string>();

  constructor(
    /** What one of them is called: `user`. */
    readonly noun: string,
    readonly holders: Holders<T>,
    readonly emailOf: (holder: T) => string | null | undefined,
    readonly clock: Clock,
  ) {}

  /** Those of an account, shared by all that changes them. */
  static of<T>(
    account: AccountHandle,
    noun: string,
    holders: Holders<T>,
    emailOf: (holder: T) => string | null | undefined,
  ): EmailAddresses<T> {
    const addresses = () => new EmailAddresses(noun, holders, emailOf, account.session.run.clock);
    return account.memoize(`email addresses of ${noun}`, addresses);
  }

  /** Before a write or in a plan of it. `key`: undefined for a new one. */
  guard(key: string | undefined, email: string, isPreview: boolean): Promise<void> {
    return isPreview ? this.#plan(key, email) : this.claim(key, email);
  }

  /** In a plan: throws if the address is another's that has not left it before. */
  async #plan(key: string | undefined, email: string): Promise<void> {
    const holder = await this.#holderOf(email, key);
    if (holder !== undefined && !this.#leaving.has(holder)) throw this.#taken(holder);
    if (key !== undefined) this.#leaving.add(key);
  }

  /** Before the request: waits for the update of the one that leaves the address. */
  async claim(key: string | undefined, email: string): Promise<void> {
    for (let waited = 0; ; waited += addressWait.pause) {
      const holder = await this.#holderOf(email, key);
      if (holder === undefined) return;
      if (!this.holders.isChanging(holder) || waited >= addressWait.longest) throw this.#taken(holder);
      const reason = `the update of a ${this.noun} that has the email address of another one`;
      await this.clock.sleep(addressWait.pause, reason, addressWait.longest - waited);
    }
  }

  /** Of what is created, only one that the plan changes: what is created although another one has the address is left to the API. */
  async #holderOf(email: string, key: string | undefined): Promise<string | undefined> {
    for (const [id, holder] of await this.holders.all(readMaxAge.preview)) {
      const mayHold = key === undefined ? this.holders.isChanging(id) : id !== key;
      if (mayHold && isSameEmail(this.emailOf(holder) ?? "", email)) return id;
    }
    return undefined;
  }

  #taken(id: string): Failure {
    return new Failure(
      "ESIGN1044",
      `another ${this.noun} of the account has this email address (id ${id}); nothing was changed`,
    );
  }
}
