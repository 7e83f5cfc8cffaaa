/**
 * Which resource of a run declares an object. Two that declare the same one would undo each other's changes, whichever provider instance
 * each has: instances of one account are found by what their processes publish, before anything is read from those of the others.
 */
import { keyedHash } from "../../fs/machine-key";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { duplicateMessage } from "../core/duplicate-message";
import { hashOf } from "../core/hash";
import { isUnknown, type Properties } from "../core/pulumi-values";
import { type Definition, isSingleton, naturalKeyOf } from "../core/resource-definition";
import { parseUrn } from "../core/urn";
import type { Account } from "./account";
import type { RunRegistry } from "./run-registry";

type Registry = Pick<RunRegistry, "publish" | "published">;

/** An object that a resource declares, and its account as other processes know it. */
interface DeclaredObject {
  urn: string;
  /** Hash of what identifies the object in its account. */
  object: string;
  /** Hash of the company, or of the key. */
  account: string;
}

export class DeclaredObjects {
  /** By object, the URN of the resource of this provider instance. */
  readonly #own = new Map<string, string>();

  constructor(readonly registry: Registry) {}

  /**
   * Records what a resource declares. Resolves to what is wrong if another one declares the same object.
   * @param account undefined while its settings are not known: then other provider instances are not asked
   */
  async declare(
    definition: Definition,
    urn: string | undefined,
    args: Properties,
    account: Account | undefined,
  ): Promise<string | undefined> {
    const identity = [args.account, ...definition.naturalKey.map((name) => args[name])];
    if (urn === undefined || args.onExisting === "create" || identity.some(isUnknown)) return undefined;
    const key = naturalKeyOf(definition, args);
    const own = `${args.account ?? ""} ${key}`;
    const other = this.#own.get(own) ?? urn;
    this.#own.set(own, other);
    if (other !== urn) return this.#describe(definition, other, urn, false);
    if (account === undefined) return undefined;
    const declared = await declaredObject(account, urn, key);
    if (declared === undefined) return undefined;
    // Before the others' are read: of two processes at once, one sees the other.
    this.registry.publish(["declared", declared.object, declared.account, encodeURIComponent(urn)].join(" "));
    const elsewhere = await this.#find(declared, account);
    return elsewhere && this.#describe(definition, elsewhere.urn, urn, true);
  }

  /** Publishes which key a company has. It may be reached through its partner, and with that key. */
  link(account: Account, key: unknown): void {
    const { companyId, client } = account;
    if (companyId === undefined || typeof key !== "string") return;
    this.registry.publish(`same ${ofCompany(client.baseUrl, companyId)} ${ofKey(client.baseUrl, keyFingerprint(key))}`);
  }

  async #find(declared: DeclaredObject, account: Account): Promise<DeclaredObject | undefined> {
    const lines = this.registry.published.map((line) => line.split(" "));
    const others = lines.flatMap(([word, object, name, urn]): DeclaredObject[] =>
      word === "declared" && object === declared.object && decodeURIComponent(urn!) !== declared.urn
        ? [{ object, account: name!, urn: decodeURIComponent(urn!) }]
        : [],
    );
    if (others.length === 0) return undefined;
    const names = new Set([declared.account]);
    for (const [word, company, key] of lines) {
      if (word !== "same") continue;
      if (names.has(company!)) names.add(key!);
      else if (names.has(key!)) names.add(company!);
    }
    const find = () => others.find((each) => names.has(each.account));
    if (find() !== undefined || account.companyId === undefined) return find();
    // Only now, as it may be a request. A company that no longer exists has no key.
    const fingerprint = await account.client.keyFingerprint().catch(() => undefined);
    if (fingerprint === undefined) return undefined;
    names.add(ofKey(account.client.baseUrl, fingerprint));
    return find();
  }

  #describe(definition: Definition, other: string, urn: string, isElsewhere: boolean): string {
    const names = [parseUrn(other).name, parseUrn(urn).name] as const;
    return duplicateMessage(definition.kind, names, !isSingleton(definition), isElsewhere);
  }
}

/** Undefined where this machine keeps no key: a name may have a short secret in it, such as that of a webhook's URL, so its hash is keyed. */
async function declaredObject(
  { companyId, client }: Account,
  urn: string,
  naturalKey: string,
): Promise<DeclaredObject | undefined> {
  const { baseUrl } = client;
  const account =
    companyId === undefined ? ofKey(baseUrl, await client.keyFingerprint()) : ofCompany(baseUrl, companyId);
  try {
    return { urn, object: keyedHash("declared", naturalKey), account };
  } catch {
    return undefined;
  }
}

const ofCompany = (baseUrl: string, companyId: string): string => hashOf(`${baseUrl} company ${companyId}`);
const ofKey = (baseUrl: string, fingerprint: string): string => hashOf(`${baseUrl} key ${fingerprint}`);
