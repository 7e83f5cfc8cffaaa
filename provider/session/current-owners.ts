/**
 * Which resource manages an object now. A renamed resource, or the new one of a forced replacement, adopts the object before the old
 * resource is deleted: then that deletion must leave the object. The two steps may run in different provider instances, so the instances
 * of a run publish what they own.
 */
import { hashOf } from "../core/hash";
import type { ResourceDefinition } from "../core/resource-definition";
import type { RunMember } from "../processes/run-registry";
import type { Metadata } from "../state/metadata";
import type { Account } from "./account";

/** An object, and the instance of it that a resource of the state has. */
interface OwnedObject {
  definition: ResourceDefinition;
  session: { readonly connection: { readonly isConfigured: boolean } };
  account: Account;
  key: string;
  metadata: Metadata;
}

/** The instance that a resource has of an object, and the fields that the program declares of it. */
export type Owner = Pick<Metadata, "madeAt"> & { instanceId: string; fields: readonly string[] };

export class CurrentOwners {
  /** By object, the instance that the program has now. */
  readonly #current = new Map<string, Owner>();

  constructor(readonly member: Pick<RunMember, "publish" | "published">) {}

  /** Records an object that this process has created, or that existed before it did. */
  async register(object: OwnedObject, fields: readonly string[], isNew: boolean): Promise<void> {
    const owner = { ...object.metadata, instanceId: object.metadata.instanceId!, fields };
    this.#current.set(nameOf(object), owner);
    // What this process has created cannot be another process's.
    if (!isNew) await this.#publish(object, owner, () => namesOf(object));
  }

  /** Records an object that the program declares, unless a create has made another instance of it. */
  async registerExisting(object: OwnedObject, fields: readonly string[]): Promise<void> {
    const { instanceId } = object.metadata;
    if (instanceId === undefined || this.#current.has(nameOf(object))) return;
    const owner = { ...object.metadata, instanceId, fields };
    this.#current.set(nameOf(object), owner);
    // A plan requests no subaccount's key.
    const { companyId } = object.account;
    if (object.session.connection.isConfigured)
      await this.#publish(object, owner, () =>
        companyId === undefined ? namesOf(object) : [nameIn(object, companyId)],
      );
  }

  /** True if another resource of this process has the object now. */
  isOwnedByOtherHere(object: OwnedObject): boolean {
    const current = this.#current.get(nameOf(object));
    return current !== undefined && current.instanceId !== object.metadata.instanceId;
  }

  /** The instance that another resource of the run has of the object now; undefined if there is none. */
  async otherOwner(object: OwnedObject): Promise<Owner | undefined> {
    if (this.isOwnedByOtherHere(object)) return this.#current.get(nameOf(object));
    const { published } = this.member;
    // Their names may take a request.
    if (!published.has(nameIn(object, anyAccount))) return undefined;
    for (const name of await namesOf(object))
      for (const [instanceId = "", madeAt, fields = ""] of published.find(name))
        if (instanceId !== object.metadata.instanceId)
          return { instanceId, madeAt: madeAt ? Number(madeAt) : undefined, fields: fields.split(",") };
    return undefined;
  }

  async #publish(
    object: OwnedObject,
    { instanceId, madeAt, fields }: Owner,
    names: () => string[] | Promise<string[]>,
  ): Promise<void> {
    this.member.publish(nameIn(object, anyAccount));
    for (const name of await names()) this.member.publish(name, instanceId, madeAt ?? "", fields.join(","));
  }
}

/** Objects of different kinds may have the same number. */
const nameOf = ({ definition, account, key }: OwnedObject) => `${definition.kind} ${account.id(key)}`;

/** The names of an object across processes: a subaccount may be reached through its partner, and with its own key. */
async function namesOf(object: OwnedObject): Promise<string[]> {
  const { companyId, client } = object.account;
  // A company that no longer exists has no key.
  const fingerprint = await client.keyFingerprint().catch(() => undefined);
  return [companyId, fingerprint].flatMap((account) => (account === undefined ? [] : [nameIn(object, account)]));
}

const nameIn = (object: OwnedObject, account: string) =>
  `owner:${hashOf(`${object.account.baseUrl} ${account} ${object.definition.kind} ${object.key}`)}`;

/** In the place of an account's name: objects of its kind and key, whichever account they are in. */
const anyAccount = "";
