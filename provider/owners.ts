/**
 * Which resource has an object now. A resource with a new name, and a forced replacement, take the object over before the old one is
 * deleted: what is deleted then is the old owner, and the object stays.
 */
import type { Subject } from "./life";

type Place = Pick<Subject, "definition" | "account" | "key" | "book">;

export class Owners {
  /** By object, the word of the incarnation that the program has now. */
  readonly #present = new Map<string, string>();

  /** Remembers which incarnation of an object this process has created or taken over. */
  bear(place: Place): void {
    this.#present.set(nameOf(place), place.book.born!);
  }

  /** Remembers which incarnation of an object the program declares, unless a creation has made another of it. */
  keepFor(place: Place): void {
    const { born } = place.book;
    if (born !== undefined && !this.#present.has(nameOf(place))) this.#present.set(nameOf(place), born);
  }

  /** True when the program's present resource, or a creation of this process, has taken over the object that belongs to another resource of the state. */
  isTaken(place: Place): boolean {
    const present = this.#present.get(nameOf(place));
    return present !== undefined && present !== place.book.born;
  }
}

/** Objects of different kinds may have the same number. */
const nameOf = ({ definition, account, key }: Place) => `${definition.kind} ${account.id(key)}`;
