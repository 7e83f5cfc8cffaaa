/**
 * The right account. When the key is another than the one that the state was made with, it may have been rotated, or it
 * may be somebody else's: the first write waits for evidence that it is the same account.
 */
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { Settings } from "./settings";

/** Resolves to true when an object is in the account as the state knows it. */
export type Evidence = () => Promise<boolean>;

/**
 * What proves it: an object by its id, which no other account has, or a text, which the same program may have written to others. So
 * texts serve only where there are no ids.
 */
export type Proof = "id" | "text";

/** How many objects are asked for with a new key, at most, of each kind. */
const mostEvidence = 5;

/** The account that is written to now. */
interface Present {
  readonly clock: Clock;
  readonly settings: Pick<Settings, "expectAccount">;
  /** Fingerprint of the configured key. */
  fingerprint(): Promise<string>;
}

export class Assurance {
  readonly #evidence = new Map<string, Record<Proof, Evidence[]>>();
  readonly #accepted = new Map<string, Promise<void>>();

  constructor(readonly session: Present) {}

  /** Notes that an object of the state was made with a key, and how to find out whether it is there. */
  note(recorded: string | undefined, proof: Proof, evidence: Evidence): void {
    if (recorded === undefined) return;
    const known = this.#evidence.get(recorded) ?? { id: [], text: [] };
    if (known[proof].length < mostEvidence) known[proof].push(evidence);
    this.#evidence.set(recorded, known);
  }

  /** Before a write: this is the account that the state is about, and the stack may write to it. */
  async beforeWrite(): Promise<void> {
    const { expectAccount = [] } = this.session.settings;
    const present = await this.session.fingerprint();
    if (expectAccount.length > 0 && !expectAccount.includes(present)) {
      throw new Failure(
        `the key in use (fingerprint ${present}) is none of those that this stack may write with; use the right key, or add the fingerprint to \`esign:expectAccount\``,
      );
    }
    for (const recorded of this.#evidence.keys()) await this.accept(recorded);
  }

  /** The present key belongs to the account of a recorded one. */
  async accept(recorded: string | undefined): Promise<void> {
    if (recorded === undefined) return;
    let accepted = this.#accepted.get(recorded);
    if (accepted === undefined) {
      accepted = this.#prove(recorded);
      this.#accepted.set(recorded, accepted);
      // Resources that can prove it may come later.
      accepted.catch(() => this.#accepted.delete(recorded));
    }
    return accepted;
  }

  async #prove(recorded: string): Promise<void> {
    const present = await this.session.fingerprint();
    if (recorded === present || this.session.settings.expectAccount?.includes(present)) return;
    let unread: unknown;
    const tried = new Set<Evidence>();
    for (const isLast of [false, true]) {
      // Resources that can prove it may be registered at this moment.
      if (isLast) await this.session.clock.sleep(250);
      const { id, text } = this.#evidence.get(recorded) ?? { id: [], text: [] };
      for (const evidence of isLast && id.length === 0 ? text : id) {
        if (tried.has(evidence)) continue;
        tried.add(evidence);
        try {
          if (await evidence()) return;
        } catch (error) {
          unread = error;
        }
      }
    }
    // What could not be read proves nothing, neither way.
    if (unread !== undefined) throw unread;
    throw new Failure(
      `the key in use (fingerprint ${present}) is another than the recorded one (${recorded}), and what this stack has there is not found with it: this looks like another account. Use the right key; if this is the right account, set \`esign:expectAccount\` to ${present}`,
    );
  }
}
