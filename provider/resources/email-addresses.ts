/**
 * Prevents a user or contact from getting the email address of another one of the account, which the service rejects. The other one must get
 * a new address first, but engines update resources in parallel if they do not depend on one another, and delete after all updates.
 */
import { isSameEmail } from "../../definitions/text/normalize";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { AccountHandle } from "../core/resource-definition";
import { addressWait } from "../core/time-limits";

interface Holder {
  id: string;
  email?: string | null | undefined;
}

/** The users or contacts of an account, as far as is known in this process. */
export interface Holders {
  /** What one of them is called: `user`. */
  readonly noun: string;
  all(): Promise<Iterable<Holder>>;
  /** True for one of the state that the plan changes. */
  isChanging(id: string): boolean;
}

export class EmailAddresses {
  /** The IDs of those that get another address in this plan. */
  readonly #leaving = new Set<string>();

  constructor(
    readonly holders: Holders,
    readonly clock: Clock,
  ) {}

  /** Those of an account, shared by all that changes them. */
  static of(account: AccountHandle, holders: Holders): EmailAddresses {
    const name = `email addresses of ${holders.noun}`;
    return account.memoize(name, () => new EmailAddresses(holders, account.session.run.clock));
  }

  /** Before a write or in a plan of it. `key`: undefined for a new one. */
  guard(key: string | undefined, email: string, isPlan: boolean): Promise<void> {
    return isPlan ? this.#plan(key, email) : this.claim(key, email);
  }

  /** In a plan: throws if the address is another's that has not left it before. */
  async #plan(key: string | undefined, email: string): Promise<void> {
    const holder = await this.#holderOf(email, key);
    // What is created although another one has the address is left to the API.
    const isTaken = holder !== undefined && (key !== undefined || this.holders.isChanging(holder));
    if (isTaken && !this.#leaving.has(holder)) throw this.#taken(holder);
    if (key !== undefined) this.#leaving.add(key);
  }

  /** Before the request: waits for the update of the one that leaves the address. */
  async claim(key: string | undefined, email: string): Promise<void> {
    for (let waited = 0; ; waited += addressWait.pause) {
      const holder = await this.#holderOf(email, key);
      if (holder === undefined) return;
      const mayLeave = this.holders.isChanging(holder);
      if (key === undefined && !mayLeave) return;
      if (!mayLeave || waited >= addressWait.longest) throw this.#taken(holder);
      const reason = `the update of a ${this.holders.noun} that has the email address of another one`;
      await this.clock.sleep(addressWait.pause, reason, addressWait.longest - waited);
    }
  }

  async #holderOf(email: string, key: string | undefined): Promise<string | undefined> {
    for (const { id, email: other } of await this.holders.all())
      if (id !== key && isSameEmail(other ?? "", email)) return id;
    return undefined;
  }

  #taken(id: string): Failure {
    return new Failure(
      "ESIGN1044",
      `another ${this.holders.noun} of the account has this email address (id ${id}); nothing was changed`,
      "If that one gets another address in the same run, declare it before this one, or add dependsOn. If its resource is removed in the same run, its deletion comes last: keep the former address here, run `up`, then change it. Two cannot swap theirs in one run: give one of them a free address, run `up`, then do the rest",
    );
  }
}
