/**
 * Which resource has an object now. A resource with a new name, and a forced replacement, take the object over before the old one is
 * deleted: what is deleted then is the old owner, and the object stays. With a new name and another provider of the same account the
 * one is done in one process, the other in another, so the processes of a run tell one another.
 */

import { hashOf } from "../core/hash";
import type { Definition } from "../core/resource-definition";
import type { Metadata } from "../state/metadata";
import type { Account } from "./account";
import type { RunRegistry } from "./run-registry";

/** An object, and the incarnation of it that a resource of the state has. */
interface Place {
  definition: Definition;
  session: { readonly isConfigured: boolean };
  account: Account;
  key: string;
  metadata: Metadata;
}

export class Ownership {
  /** By object, the word of the incarnation that the program has now. */
  readonly #present = new Map<string, string>();

  constructor(readonly registry: RunRegistry) {}

  /** Remembers which incarnation of an object this process has created or taken over. */
  async register(place: Place): Promise<void> {
    this.#present.set(nameOf(place), place.metadata.instanceId!);
    await this.#publish(place, () => namesOf(place));
  }

  /** Remembers which incarnation of an object the program declares, unless a creation has made another of it. */
  async registerExisting(place: Place): Promise<void> {
    if (place.metadata.instanceId === undefined || this.#present.has(nameOf(place))) return;
    this.#present.set(nameOf(place), place.metadata.instanceId);
    // A plan asks for no sub account's key.
    const { companyId } = place.account;
    if (place.session.isConfigured)
      await this.#publish(place, () => (companyId === undefined ? namesOf(place) : [nameIn(place, companyId)]));
  }

  /** True when the program's present resource, or a creation of this process, has taken over the object that belongs to another resource of the state. */
  isOwnedByOtherHere(place: Place): boolean {
    const present = this.#present.get(nameOf(place));
    return present !== undefined && present !== place.metadata.instanceId;
  }

  /** The same of any process of the run. */
  async isOwnedByOther(place: Place): Promise<boolean> {
    if (this.isOwnedByOtherHere(place)) return true;
    const { published } = this.registry;
    if (published.length === 0) return false;
    const names = await namesOf(place);
    return published.some((line) => {
      const [name = "", born] = line.split(" ");
      return names.includes(name) && born !== place.metadata.instanceId;
    });
  }

  /** What this process has made is nobody else's; only what was there before can be. */
  async #publish({ definition, metadata }: Place, names: () => string[] | Promise<string[]>): Promise<void> {
    if (definition.collection !== undefined && !metadata.adopted) return;
    for (const name of await names()) this.registry.publish(`${name} ${metadata.instanceId}`);
  }
}

/** Objects of different kinds may have the same number. */
const nameOf = ({ definition, account, key }: Place) => `${definition.kind} ${account.id(key)}`;

/** The names of an object among processes: a sub account may be reached through its partner, and with its own key. */
async function namesOf(place: Place): Promise<string[]> {
  const { companyId, client } = place.account;
  // Of a company that is gone there is none.
  const fingerprint = await client.keyFingerprint().catch(() => undefined);
  return [companyId, fingerprint].flatMap((account) => (account === undefined ? [] : [nameIn(place, account)]));
}

const nameIn = (place: Place, account: string) =>
  hashOf(`${place.account.client.baseUrl} ${account} ${place.definition.kind} ${place.key}`);
