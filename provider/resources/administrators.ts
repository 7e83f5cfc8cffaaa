/** Makes sure that each account keeps at least one administrator. */
import { isAdministrator } from "../../sdk/roles";
import { Failure } from "../core/failure";
import type { AccountHandle } from "../core/resource-definition";

interface Person {
  id: string;
  /** One that this version does not know may be an administrator's, and proves nothing. */
  role: string | undefined;
}

export class Administrators {
  /** Users that a deletion or update of this run takes from the administrators; in a plan, those it will take. */
  readonly #leaving = new Set<string>();
  /** Administrators that a plan adds. */
  #planned = 0;

  /** Those of an account, shared by all that changes them. */
  static of(account: AccountHandle): Administrators {
    return account.memoize("administrators", () => new Administrators());
  }

  /** Of a plan: one more, which the update has before it takes another one away. */
  addPlanned(): void {
    this.#planned++;
  }

  /** Throws if a user is the last administrator; else it is one no more. `people`: as they are now. */
  remove(id: string, people: readonly Person[]): void {
    const isLeft = (person: Person) =>
      isAdministrator(person.role) && person.id !== id && !this.#leaving.has(person.id);
    const { role = "user" } = people.find((person) => person.id === id) ?? {};
    if (role === "user") return;
    if (this.#planned === 0 && !people.some(isLeft)) throw lastAdministrator();
    this.#leaving.add(id);
  }
}

const lastAdministrator = () =>
  new Failure(
    "ESIGN1043",
    "the user is the account's last administrator, who alone can manage it; nothing was changed",
  );
