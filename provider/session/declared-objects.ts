/**
 * Which resource of a run declares an object. Two that declare the same one would undo each other's changes, whichever provider instance
 * each has: those of one account are found by what the instances publish.
 */

import { naturalKeyOf } from "../../definitions/kind";
import { parseUrn } from "../../definitions/urn";
import { keyedHash } from "../../fs/machine-key";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { duplicateOf } from "../core/duplicate-error";
import type { Failure } from "../core/failure";
import { hashOf } from "../core/hash";
import { isUnknown, type Properties } from "../core/pulumi-values";
import { isSingleton, type ResourceDefinition } from "../core/resource-definition";
import type { Published, RunMember } from "../processes/run-registry";
import type { Account } from "./account";

/** An object that a resource declares, and its account as other provider instances know it. */
interface DeclaredObject {
  urn: string;
  /** Hash of what identifies the object in its account. */
  object: string;
  /** Hash of the company, or of the key. */
  account: string;
}

export class DeclaredObjects {
  /** By object, the resource of this provider instance. */
  readonly #own = new Map<string, { urn: string; isAccepted: boolean }>();

  /** By company, its key, as it was published. */
  readonly #linked = new Map<string, string>();

  constructor(readonly member: Pick<RunMember, "publish" | "published">) {}

  /**
   * Records what a resource declares.
   * @param account undefined while its settings are not known: then other provider instances are not asked
   * @throws {Failure} if another resource declares the same object
   */
  async declare(
    definition: ResourceDefinition,
    urn: string | undefined,
    args: Properties,
    account: Account | undefined,
  ): Promise<void> {
    const key = declaredKey(definition, args);
    if (urn === undefined || key === undefined) return;
    const place = `${args.account ?? ""} ${key}`;
    const own = this.#own.get(place) ?? { urn, isAccepted: false };
    this.#own.set(place, own);
    if (own.urn !== urn) throw duplicate(definition, own.urn, urn, false);
    const declared = own.isAccepted ? undefined : account && (await declaredObject(account, urn, key));
    if (declared === undefined) return;
    // Before the others' are read: of two processes at once, one sees the other.
    for (const account of [anyAccount, declared.account])
      this.member.publish(declaredIn(account, declared), encodeURIComponent(urn));
    await this.#assertOnly(definition, declared, account!);
    own.isAccepted = true;
  }

  /**
   * Before a write: another resource may have been registered since, and refused. In a company, only its partner knows of the provider
   * with that company's key.
   * @throws {Failure} if another resource declares the same object
   */
  async assertOnly(
    definition: ResourceDefinition,
    urn: string | undefined,
    args: Properties,
    account: Account,
  ): Promise<void> {
    const key = declaredKey(definition, args);
    if (urn === undefined || key === undefined) return;
    const declared = await declaredObject(account, urn, key);
    if (declared !== undefined) await this.#assertOnly(definition, declared, account);
  }

  /** Publishes which key a company has, once: it may be reached through its partner, and with that key. */
  link({ companyId, baseUrl }: Account, key: unknown): void {
    if (companyId === undefined || typeof key !== "string" || this.#linked.get(companyId) === key) return;
    this.#linked.set(companyId, key);
    const names = [ofCompany(baseUrl, companyId), ofKey(baseUrl, keyFingerprint(key))] as const;
    this.member.publish(sameAs(names[0]), names[1]);
    this.member.publish(sameAs(names[1]), names[0]);
  }

  async #assertOnly(definition: ResourceDefinition, declared: DeclaredObject, account: Account): Promise<void> {
    const other = await this.#findOther(declared, account);
    if (other !== undefined) throw duplicate(definition, other, declared.urn, true);
  }

  /** The URN of another resource that declares it. */
  async #findOther(declared: DeclaredObject, account: Account): Promise<string | undefined> {
    const { published } = this.member;
    const other = otherIn(published, declared, declared.account);
    if (other !== undefined || account.companyId === undefined) return other;
    if (urnIn(published, declared, anyAccount) === undefined) return undefined;
    // Only now, as it may be a request. A company that no longer exists has no key.
    const fingerprint = await account.client.keyFingerprint().catch(() => undefined);
    return fingerprint && otherIn(published, declared, ofKey(account.baseUrl, fingerprint));
  }
}

/** The URN of another resource that declares it in an account, whichever name the account has there. */
function otherIn(published: Published, declared: DeclaredObject, account: string): string | undefined {
  const names = new Set([account]);
  for (const name of names) {
    const urn = urnIn(published, declared, name);
    if (urn !== undefined) return urn;
    for (const [other = ""] of published.find(sameAs(name))) names.add(other);
  }
  return undefined;
}

/** The same by one name of the account. */
function urnIn(published: Published, declared: DeclaredObject, account: string): string | undefined {
  for (const [word = ""] of published.find(declaredIn(account, declared))) {
    const urn = decodeURIComponent(word);
    if (urn !== declared.urn) return urn;
  }
  return undefined;
}

const declaredIn = (account: string, { object }: DeclaredObject): string => `declared:${object}:${account}`;
const sameAs = (account: string): string => `same:${account}`;
/** In the place of an account's name: objects of that identity, whichever account they are in. */
const anyAccount = "";

/** What identifies an object in its account; undefined where others may declare the same, or that is not known yet. */
function declaredKey(definition: ResourceDefinition, args: Properties): string | undefined {
  const identity = [args.account, ...definition.naturalKey.map((name) => args[name])];
  return args.onExisting === "create" || identity.some(isUnknown) ? undefined : naturalKeyOf(definition, args);
}

function duplicate(definition: ResourceDefinition, other: string, urn: string, isElsewhere: boolean): Failure {
  const names = [parseUrn(other).name, parseUrn(urn).name] as const;
  return duplicateOf(definition.kind, names, !isSingleton(definition), isElsewhere);
}

/** Undefined where this machine keeps no key: a name may have a short secret in it, such as that of a webhook's URL, so its hash is keyed. */
async function declaredObject(
  { companyId, connection, baseUrl }: Account,
  urn: string,
  naturalKey: string,
): Promise<DeclaredObject | undefined> {
  const account =
    companyId === undefined ? ofKey(baseUrl, await connection.client.keyFingerprint()) : ofCompany(baseUrl, companyId);
  try {
    return { urn, object: keyedHash("declared", naturalKey), account };
  } catch {
    return undefined;
  }
}

const ofCompany = (baseUrl: string, companyId: string): string => hashOf(`${baseUrl} company ${companyId}`);
const ofKey = (baseUrl: string, fingerprint: string): string => hashOf(`${baseUrl} key ${fingerprint}`);
