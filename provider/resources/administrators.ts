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

  /** @param isSubaccount whether they are a subaccount's, which has one user */
  constructor(readonly isSubaccount = false) {}

  /** Those of an account, shared by all that changes them. */
  static of(account: AccountHandle): Administrators {
    return account.memoize("administrators", () => new Administrators(account.companyId !== undefined));
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
    if (this.#planned === 0 && !people.some(isLeft)) throw lastAdministrator(this.isSubaccount);
    this.#leaving.add(id);
  }
}

/** In a subaccount no other user can take the role. */
const ofSubaccount =
  "A subaccount has one user. Keep the role; or, to delete the user with the company, set the option deletedWith to that; or, to manage the user no more, retainOnDelete. Run `up` with the option first";

const lastAdministrator = (isSubaccount: boolean) =>
  new Failure(
    "ESIGN1043",
    "the user is the account's last administrator, who alone can manage it; nothing was changed",
    isSubaccount ? ofSubaccount : undefined,
  );
