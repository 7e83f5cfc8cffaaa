/**
 * Checks that the configured account is the one in the state. A key that differs from the recorded one may have been rotated or belong to
 * another account; an address that differs may be a service that moved or another service. In both cases, no write begins until an object
 * of the state is found in the account.
 */

import { ApiError } from "../../sdk/errors";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import { moreProbesWait } from "../core/time-limits";
import type { AccountName, RecordedAccount } from "../state/metadata";
import type { Connection } from "./connection";
import type { EarlierKey } from "./earlier-key";
import { assertExpectedKey } from "./expected-key";
import type { NewAccounts } from "./new-accounts";
import type { ProviderConfig } from "./provider-config";

/** Resolves to true if an object is in the account as the state records it. */
type Probe = () => Promise<boolean>;

/**
 * What a probe compares: an id, which no other account has, or content, which the same program may have written to
 * several accounts. So content counts only where there are no ids.
 */
type ProbeKind = "id" | "content";

/**
 * How many objects must be missing before an account counts as another one that has taken the place of the recorded one: one alone may have
 * been deleted by hand.
 */
const leastMissing = 2;

/** How many objects of each kind are read in an account that is to be proved, at most. */
const maxProbes = 5;

interface AddedProbe {
  probe: Probe;
  /** True for an object of which only the state is known: the program may not declare it any more. */
  isOfState: boolean;
}

/** The connection whose account is verified. */
interface VerifiedConnection extends Pick<Connection, "client" | "currentAccount"> {
  readonly config: { readonly values: Pick<ProviderConfig, "expectAccount"> };
}

/** A recorded account by its name here. */
const nameOf = ({ keyFingerprint, address = "" }: RecordedAccount) => `${keyFingerprint} ${address}`;

export class AccountVerifier {
  /** By the account that the state records. */
  readonly #probes = new Map<string, Record<ProbeKind, Map<string, AddedProbe>> & { recorded: RecordedAccount }>();
  readonly #verifications = new Map<string, Promise<void>>();
  /** Recorded accounts that only content has proved, where there were no ids yet. */
  readonly #provedByContent = new Set<string>();
  /** Probes that have answered that the object is not there. */
  readonly #failed = new Set<Probe>();
  #key: { client: unknown; isNeeded: boolean; accepted: Promise<unknown> } | undefined;
  #unproved: Failure | undefined;
  /** Recorded accounts that this one has taken the place of. */
  readonly #replaced = new Set<string>();

  constructor(
    readonly connection: VerifiedConnection,
    readonly run: { readonly clock: Pick<Clock, "sleep">; readonly newAccounts: Pick<NewAccounts, "has"> },
    readonly earlierKey: Pick<EarlierKey, "isRejected">,
  ) {}

  /**
   * Adds an object of the state, by the account that it was recorded with. Another probe of the same object takes the place of the first, and
   * one of what the program declares that of an object of which only the state is known.
   */
  addProbe(recorded: RecordedAccount, kind: ProbeKind, object: string, added: AddedProbe): void {
    if (recorded.keyFingerprint === undefined) return;
    const name = nameOf(recorded);
    const probes = this.#probes.get(name) ?? { recorded, id: new Map(), content: new Map() };
    const ofKind = probes[kind];
    if (ofKind.size >= maxProbes && !ofKind.has(object) && !added.isOfState) {
      const spare = [...ofKind].find(([, { isOfState }]) => isOfState);
      if (spare !== undefined) ofKind.delete(spare[0]);
    }
    if (ofKind.size < maxProbes || ofKind.has(object)) ofKind.set(object, added);
    this.#probes.set(name, probes);
    if (kind === "id" && this.#provedByContent.delete(name)) this.#verifications.delete(name);
  }

  /**
   * The stack may write with this key, and the API accepts it: `read`, the one request for that, is sent once. Resolves to the
   * response, if there is one. `isNeeded`: the account must be readable, and is tried again if it was not.
   */
  verifyKey<T>(read: () => Promise<T>, isNeeded: boolean): Promise<T | undefined> {
    const { client } = this.connection;
    const before = this.#key?.client === client ? this.#key : undefined;
    if (before === undefined || (isNeeded && !before.isNeeded)) {
      const accepted = Promise.resolve(before?.accepted).then(
        (response) => response ?? this.#verifyKey(read, isNeeded),
      );
      this.#key = { client, isNeeded, accepted };
    }
    return this.#key!.accepted as Promise<T | undefined>;
  }

  async #verifyKey<T>(read: () => Promise<T>, isNeeded: boolean): Promise<T | undefined> {
    await this.#assertExpected();
    try {
      return await read();
    } catch (error) {
      // Before a write, what is only unreachable for a moment is left to its retries.
      if (isNeeded || (error instanceof ApiError && [401, 403].includes(error.status))) throw error;
      return undefined;
    }
  }

  /**
   * In a plan: as before a write, also where there is none. What proves the account may be registered later, as long as that is not complete;
   * until then, why it may be the wrong one is `unproved`.
   */
  async verifyPlanned(areAllChecked: boolean): Promise<void> {
    try {
      await this.verifyBeforeWrite(areAllChecked);
      this.#unproved = undefined;
    } catch (error) {
      if (areAllChecked || !isWrongAccount(error)) throw error;
      this.#unproved = error;
    }
  }

  get unproved(): Failure | undefined {
    return this.#unproved;
  }

  /**
   * Before a write: the stack may write with this key, and its objects are in this account. `areAllChecked`: false as long as
   * more objects are registered only after this.
   */
  async verifyBeforeWrite(areAllChecked = true): Promise<void> {
    await this.#assertExpected();
    for (const { recorded } of this.#probes.values())
      if (!(await this.isReplaced(recorded))) await this.verify(recorded, areAllChecked);
  }

  async #assertExpected(): Promise<void> {
    const { keyFingerprint } = await this.connection.currentAccount();
    assertExpectedKey(keyFingerprint, this.connection.config.values.expectAccount);
  }

  /**
   * True if the configured account has taken the place of the recorded one: this run has created it, or the key that the provider
   * instance had is rejected and nothing of the state is in here. What was recorded there is created again here.
   * @throws {Failure} if it may have, and may be the recorded one with a new key
   */
  async isReplaced(recorded: RecordedAccount): Promise<boolean> {
    const { keyFingerprint: fingerprint, address } = recorded;
    if (fingerprint === undefined) return false;
    if (this.#replaced.has(nameOf(recorded))) return true;
    const current = await this.connection.currentAccount();
    if (fingerprint === current.keyFingerprint || (address ?? current.address) !== current.address) return false;
    const isNew = this.run.newAccounts.has(current.keyFingerprint);
    if (!isNew && !((await this.earlierKey.isRejected(fingerprint)) && (await this.#isElsewhere(recorded))))
      return false;
    this.#replaced.add(nameOf(recorded));
    return true;
  }

  /**
   * True if nothing of the state is in here.
   * @throws {Failure} if so little was compared that it may be the account of the state, with a new key
   */
  async #isElsewhere(recorded: RecordedAccount): Promise<boolean> {
    try {
      await this.verify(recorded);
      return false;
    } catch (error) {
      if (!isWrongAccount(error) || (await this.#countMissing(recorded)) < leastMissing) throw error;
      return true;
    }
  }

  /** How many of the objects were compared and are not as recorded; 0 if one of them is. */
  async #countMissing(recorded: RecordedAccount): Promise<number> {
    const { id, content } = this.#probes.get(nameOf(recorded)) ?? { id: new Map(), content: new Map() };
    const missing = [...id.values()].filter(({ probe }) => this.#failed.has(probe)).length;
    if (missing >= leastMissing) return missing;
    const contents = [...content.values()].map(async ({ probe }) => !this.#failed.has(probe) && probe());
    return (await Promise.all(contents)).includes(true) ? 0 : missing + contents.length;
  }

  /** The configured account is the recorded one, or has taken its place. */
  async verify(recorded: RecordedAccount, areAllChecked = true): Promise<void> {
    if (recorded.keyFingerprint === undefined) return;
    const name = nameOf(recorded);
    if (this.#replaced.has(name)) return;
    let verification = this.#verifications.get(name);
    if (verification === undefined) {
      verification = this.#runProbes(recorded, areAllChecked);
      this.#verifications.set(name, verification);
      // Resources that serve as probes may come later.
      verification.catch(() => this.#verifications.delete(name));
    }
    return verification;
  }

  async #runProbes(recorded: RecordedAccount, areAllChecked: boolean): Promise<void> {
    const current = await this.connection.currentAccount();
    const { keyFingerprint, address } = current;
    const isMoved = recorded.address !== undefined && recorded.address !== address;
    // What names keys says nothing of a service at another address.
    const keys = [recorded.keyFingerprint, ...(this.connection.config.values.expectAccount ?? [])];
    if (!isMoved && keys.includes(keyFingerprint)) return;
    const name = nameOf(recorded);
    // Before an object was recorded with this account, the others were found in it.
    if ((this.#probes.get(nameOf(current))?.id.size ?? 0) > 0) return;
    // An object that cannot be read proves nothing, neither way.
    let failure: unknown = wrongAccount(current, recorded, isMoved);
    const tried = new Set<Probe>();
    const anySucceeds = async (probes: readonly Probe[]) => {
      for (const probe of probes.filter((each) => !tried.has(each) && !this.#failed.has(each))) {
        tried.add(probe);
        try {
          if (await probe()) return true;
          this.#failed.add(probe);
        } catch (error) {
          // An account that is no partner's does not have the company in which the object would be.
          if (error instanceof ApiError && error.isNotPartner) this.#failed.add(probe);
          else failure = error;
        }
      }
      return false;
    };
    const probes = (kind: ProbeKind) => [...(this.#probes.get(name)?.[kind].values() ?? [])].map(({ probe }) => probe);
    if (await anySucceeds(probes("id"))) return;
    // Objects with ids may follow.
    if (!areAllChecked) throw failure;
    await this.run.clock.sleep(moreProbesWait);
    const [id, content] = [probes("id"), probes("content")];
    if (id.length === 0) this.#provedByContent.add(name);
    if (await anySucceeds(id.length > 0 ? id : content)) return;
    throw failure;
  }
}

const isWrongAccount = (error: unknown): error is Failure => error instanceof Failure && error.code === "ESIGN1003";

/** None of the objects was found with a key, or at an address, that differs from the recorded one. */
function wrongAccount(current: AccountName, recorded: RecordedAccount, isMoved: boolean): Failure {
  const { keyFingerprint, address } = current;
  const differences = [
    ...(keyFingerprint === recorded.keyFingerprint
      ? []
      : [`key (fingerprint ${keyFingerprint}) differs from the recorded one (${recorded.keyFingerprint})`]),
    ...(isMoved ? [`address (${address}) differs from the recorded one (${recorded.address})`] : []),
  ];
  const remedy = isMoved
    ? "Else set esign:baseUrl (ESIGN_BASE_URL) and the key of this account. If the service has moved, and its objects are gone or have all been changed, remove them from the state (`state delete`), then run `up`"
    : `Else use the right key; after a key rotation set esign:expectAccount to ${keyFingerprint}. If the account of the stack is gone, remove its objects from the state (\`state delete\`), then run \`up\``;
  return new Failure(
    "ESIGN1003",
    `wrong account? This ${differences.join(" and this ")}, and none of the stack's objects exist in its account`,
    `Another account needs a stack of its own (\`stack init <name>\`): this state belongs to one. ${remedy}`,
  );
}
