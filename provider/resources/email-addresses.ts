/**
 * Prevents a user from getting the email address of another user of the account, which the service rejects. The other user must get a new
 * address first, but engines update resources in parallel if they do not depend on one another.
 */
import { isSameEmail } from "../../definitions/text/normalize";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { AccountHandle } from "../core/resource-definition";
import { addressWait } from "../core/time-limits";

interface Holder {
  user_id: string;
  user_email?: string | null | undefined;
}

/** The users of an account, as far as is known in this process. */
export interface UserList {
  all(): Promise<Iterable<Holder>>;
  /** True for one of the state that the plan changes. */
  isChanging(id: string): boolean;
}

export class EmailAddresses {
  /** Users who get another address in this plan. */
  readonly #leaving = new Set<string>();

  constructor(
    readonly users: UserList,
    readonly clock: Clock,
  ) {}

  /** Those of an account, shared by all that changes them. */
  static of(account: AccountHandle, users: UserList): EmailAddresses {
    return account.memoize("email addresses", () => new EmailAddresses(users, account.session.run.clock));
  }

  /** In a plan: throws if the address is another's who has not left it before. `key`: of the user; undefined for a new one. */
  async plan(key: string | undefined, email: string): Promise<void> {
    const holder = await this.#holderOf(email, key);
    // What is created although another one has the address is left to the API.
    const isTaken = holder !== undefined && (key !== undefined || this.users.isChanging(holder));
    if (isTaken && !this.#leaving.has(holder)) throw addressTaken(holder);
    if (key !== undefined) this.#leaving.add(key);
  }

  /** Before the request: waits for the update of the one who leaves the address. */
  async claim(key: string | undefined, email: string): Promise<void> {
    for (let waited = 0; ; waited += addressWait.pause) {
      const holder = await this.#holderOf(email, key);
      if (holder === undefined) return;
      const mayLeave = this.users.isChanging(holder);
      if (key === undefined && !mayLeave) return;
      if (!mayLeave || waited >= addressWait.longest) throw addressTaken(holder);
      const reason = "the update of a user who has the email address of another one";
      await this.clock.sleep(addressWait.pause, reason, addressWait.longest - waited);
    }
  }

  async #holderOf(email: string, key: string | undefined): Promise<string | undefined> {
    for (const { user_id, user_email } of await this.users.all())
      if (user_id !== key && isSameEmail(user_email ?? "", email)) return user_id;
    return undefined;
  }
}

const addressTaken = (id: string) =>
  new Failure(
    "ESIGN1044",
    `another user of the account has this email address (id ${id}); nothing was changed`,
    "If that one gets another address in the same run, declare it before this one, or add dependsOn. Two cannot swap theirs in one run: give one of them a free address, run `up`, then do the rest",
  );
