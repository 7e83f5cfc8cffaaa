/**
 * Checks that the key belongs to the right account. If it differs from the recorded one, it may have been rotated, or it
 * may be another account's: then the first write waits until an object of the state is found with it.
 */

import { ApiError } from "../../sdk/errors";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { Settings } from "./settings";

/** Resolves to true if an object is in the account as the state records it. */
export type Probe = () => Promise<boolean>;

/**
 * What a probe compares: an id, which no other account has, or content, which the same program may have written to
 * several accounts. So content counts only where there are no ids.
 */
export type ProbeKind = "id" | "content";

/** How many objects of each kind are read with a new key, at most. */
const maxProbes = 5;
/** Milliseconds in which resources may still be registered whose objects serve as probes. */
const registrationTime = 250;

/** The account that is written to. */
interface CurrentAccount {
  readonly clock: Clock;
  readonly settings: { readonly values: Pick<Settings, "expectAccount"> };
  /** The client of the configured account. */
  readonly root: unknown;
  /** Fingerprint of the configured key. */
  fingerprint(): Promise<string>;
}

export class AccountVerifier {
  /** By the fingerprint of the key that the state was recorded with. */
  readonly #probes = new Map<string, Record<ProbeKind, Probe[]>>();
  readonly #verifications = new Map<string, Promise<void>>();
  /** Recorded fingerprints that only content has proved, where there were no ids yet. */
  readonly #provedByContent = new Set<string>();
  /** Probes that have answered that the object is not there. */
  readonly #failed = new Set<Probe>();
  #key: { root: unknown; isNeeded: boolean; accepted: Promise<unknown> } | undefined;
  #unproved: Failure | undefined;

  constructor(readonly session: CurrentAccount) {}

  /** Adds an object of the state, by the key that it was recorded with. */
  addProbe(recorded: string | undefined, kind: ProbeKind, probe: Probe): void {
    if (recorded === undefined) return;
    const probes = this.#probes.get(recorded) ?? { id: [], content: [] };
    if (probes[kind].length < maxProbes) probes[kind].push(probe);
    this.#probes.set(recorded, probes);
    if (kind === "id" && this.#provedByContent.delete(recorded)) this.#verifications.delete(recorded);
  }

  /**
   * The stack may write with this key, and the API accepts it: `read`, the one request for that, is sent once. Resolves to the
   * response, if there is one. `isNeeded`: the account must be readable, and is tried again if it was not.
   */
  verifyKey<T>(read: () => Promise<T>, isNeeded: boolean): Promise<T | undefined> {
    const { root } = this.session;
    const before = this.#key?.root === root ? this.#key : undefined;
    if (before === undefined || (isNeeded && !before.isNeeded)) {
      const accepted = Promise.resolve(before?.accepted).then(
        (response) => response ?? this.#verifyKey(read, isNeeded),
      );
      this.#key = { root, isNeeded, accepted };
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
  async verifyPlanned(isComplete: boolean): Promise<void> {
    try {
      await this.verifyBeforeWrite(isComplete);
      this.#unproved = undefined;
    } catch (error) {
      if (isComplete || !(error instanceof Failure && error.code === "ESIGN1003")) throw error;
      this.#unproved = error;
    }
  }

  get unproved(): Failure | undefined {
    return this.#unproved;
  }

  /**
   * Before a write: the stack may write with this key, and its objects are in this account. `isComplete`: false as long as
   * more objects are registered only after this.
   */
  async verifyBeforeWrite(isComplete = true): Promise<void> {
    await this.#assertExpected();
    for (const recorded of this.#probes.keys()) await this.verify(recorded, isComplete);
  }

  async #assertExpected(): Promise<void> {
    const { expectAccount = [] } = this.session.settings.values;
    const current = await this.session.fingerprint();
    if (expectAccount.length > 0 && !expectAccount.includes(current)) {
      throw new Failure(
        "ESIGN1002",
        `this key (fingerprint ${current}) is not allowed by esign:expectAccount; nothing was sent`,
        "Use the right key, or add the fingerprint to esign:expectAccount",
      );
    }
  }

  /** The current key belongs to the account of a recorded one. */
  async verify(recorded: string | undefined, isComplete = true): Promise<void> {
    if (recorded === undefined) return;
    let verification = this.#verifications.get(recorded);
    if (verification === undefined) {
      verification = this.#runProbes(recorded, isComplete);
      this.#verifications.set(recorded, verification);
      // Resources that serve as probes may come later.
      verification.catch(() => this.#verifications.delete(recorded));
    }
    return verification;
  }

  async #runProbes(recorded: string, isComplete: boolean): Promise<void> {
    const current = await this.session.fingerprint();
    if (recorded === current || this.session.settings.values.expectAccount?.includes(current)) return;
    // Before an object was recorded with this key, the others were found with it.
    if ((this.#probes.get(current)?.id.length ?? 0) > 0) return;
    // An object that cannot be read proves nothing, neither way.
    let failure: unknown = wrongAccount(current, recorded);
    const tried = new Set<Probe>();
    const anySucceeds = async (probes: readonly Probe[]) => {
      for (const probe of probes.filter((each) => !tried.has(each) && !this.#failed.has(each))) {
        tried.add(probe);
        try {
          if (await probe()) return true;
          this.#failed.add(probe);
        } catch (error) {
          failure = error;
        }
      }
      return false;
    };
    const probes = () => this.#probes.get(recorded) ?? { id: [], content: [] };
    if (await anySucceeds(probes().id)) return;
    // Objects with ids may follow.
    if (!isComplete) throw failure;
    await this.session.clock.sleep(registrationTime);
    const { id, content } = probes();
    if (id.length === 0) this.#provedByContent.add(recorded);
    if (await anySucceeds(id.length > 0 ? id : content)) return;
    throw failure;
  }
}

const wrongAccount = (current: string, recorded: string) =>
  new Failure(
    "ESIGN1003",
    `wrong account? This key (fingerprint ${current}) differs from the recorded one (${recorded}), and none of the stack's objects exist in its account`,
    `Another account needs a stack of its own (\`stack init <name>\`): this state belongs to one. Else use the right key; after a key rotation set esign:expectAccount to ${current}`,
  );
