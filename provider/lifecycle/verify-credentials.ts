/**
 * Verifies the key and the account before the first write, in the check and the diff of a resource and before its plan, so that a wrong
 * key stops a run before it has begun. The key is tried with one request in a whole run.
 */
import type { Registration } from "../core/registration";
import { readMaxAge } from "../core/time-limits";
import { branding } from "../resources/branding";
import { assertLiveKey } from "../resources/check-response";
import type { Session } from "../session/session";

export class CredentialsCheck {
  constructor(readonly session: Session) {}

  /** In the check of a resource whose arguments are valid. Throws why nothing can be written. */
  async onCheck({ isPreview }: Registration, isNew: boolean): Promise<void> {
    const { session } = this;
    if (session.connection.config.hasUnknown || !(isPreview || isNew)) return;
    await this.#verifyKey(isNew);
    await session.run.preview?.companies.settled();
  }

  /** In the diff of a resource of the state. */
  async onDiff(isUpdated: boolean): Promise<void> {
    const { session } = this;
    if (session.connection.config.hasUnknown) return;
    if (isUpdated) await this.#verifyKey(true);
    // Once, where nothing is written: by the last of the objects that might prove the account.
    if (session.run.registrations.areAllChecked) await this.#verifyAccount();
    await session.run.preview?.companies.settled();
  }

  /** Before the plan of a create or an update. */
  async beforePlan(): Promise<void> {
    await this.#verifyKey(true);
    await this.#verifyAccount();
  }

  /**
   * What it reads is the branding that the program may declare. Who is going to `write` needs a live key: where only responses to writes
   * show a test key, the first of them fails.
   */
  async #verifyKey(write: boolean): Promise<void> {
    const { session } = this;
    if (session.connection.isOffline) return;
    const read = () => branding.read(session.accounts.of(), "branding", readMaxAge.preview);
    const response = await session.accounts.verifier.verifyKey(read, session.run.preview !== undefined);
    if (write && response !== undefined) assertLiveKey(response);
    // The engine goes on to the next resource only now.
    session.run.registrations.noteCall();
  }

  /** As before a write. Without settings there is no account yet. */
  async #verifyAccount(): Promise<void> {
    const { connection, accounts, run } = this.session;
    if (connection.isConfigured && !connection.isOffline)
      await accounts.verifier.verifyPlanned(run.registrations.areAllChecked);
  }
}
