/**
 * The right account. When the key is another than the one that the state was made with, it may have been rotated, or it
 * may be somebody else's: the first write waits for evidence that it is the same account.
 */
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { Settings } from "./settings";

/** Resolves to true when an object is in the account as the state knows it. */
export type Probe = () => Promise<boolean>;

/**
 * What proves it: an object by its id, which no other account has, or a text, which the same program may have written to others. So
 * texts serve only where there are no ids.
 */
export type ProbeKind = "id" | "text";

/** How many objects are asked for with a new key, at most, of each kind. */
const maxProbes = 5;

/** The account that is written to now. */
interface CurrentAccount {
  readonly clock: Clock;
  readonly settings: Pick<Settings, "expectAccount">;
  /** Fingerprint of the configured key. */
  fingerprint(): Promise<string>;
}

export class AccountVerifier {
  readonly #probes = new Map<string, Record<ProbeKind, Probe[]>>();
  readonly #verifications = new Map<string, Promise<void>>();

  constructor(readonly session: CurrentAccount) {}

  /** Notes that an object of the state was made with a key, and how to find out whether it is there. */
  addProbe(recorded: string | undefined, kind: ProbeKind, probe: Probe): void {
    if (recorded === undefined) return;
    const known = this.#probes.get(recorded) ?? { id: [], text: [] };
    if (known[kind].length < maxProbes) known[kind].push(probe);
    this.#probes.set(recorded, known);
  }

  /** Before a write: this is the account that the state is about, and the stack may write to it. */
  async verifyBeforeWrite(): Promise<void> {
    const { expectAccount = [] } = this.session.settings;
    const current = await this.session.fingerprint();
    if (expectAccount.length > 0 && !expectAccount.includes(current)) {
      throw new Failure(
        `the key in use (fingerprint ${current}) is none of those that this stack may write with; use the right key, or add the fingerprint to \`esign:expectAccount\``,
      );
    }
    for (const recorded of this.#probes.keys()) await this.verify(recorded);
  }

  /** The present key belongs to the account of a recorded one. */
  async verify(recorded: string | undefined): Promise<void> {
    if (recorded === undefined) return;
    let verification = this.#verifications.get(recorded);
    if (verification === undefined) {
      verification = this.#runProbes(recorded);
      this.#verifications.set(recorded, verification);
      // Resources that can prove it may come later.
      verification.catch(() => this.#verifications.delete(recorded));
    }
    return verification;
  }

  async #runProbes(recorded: string): Promise<void> {
    const current = await this.session.fingerprint();
    if (recorded === current || this.session.settings.expectAccount?.includes(current)) return;
    let unread: unknown;
    const tried = new Set<Probe>();
    for (const isLast of [false, true]) {
      // Resources that can prove it may be registered at this moment.
      if (isLast) await this.session.clock.sleep(250);
      const { id, text } = this.#probes.get(recorded) ?? { id: [], text: [] };
      for (const probe of isLast && id.length === 0 ? text : id) {
        if (tried.has(probe)) continue;
        tried.add(probe);
        try {
          if (await probe()) return;
        } catch (error) {
          unread = error;
        }
      }
    }
    // What could not be read proves nothing, neither way.
    if (unread !== undefined) throw unread;
    throw new Failure(
      `the key in use (fingerprint ${current}) is another than the recorded one (${recorded}), and what this stack has there is not found with it: this looks like another account. Use the right key; if this is the right account, set \`esign:expectAccount\` to ${current}`,
    );
  }
}
