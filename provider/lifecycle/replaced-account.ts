/**
 * Objects of an account that was replaced by another one. They are created again in the new account, and released from the old one. The
 * key of the new account is never used for requests about the old objects.
 */
import type { Effect } from "../plan/effect";
import type { Session } from "../session/session";
import { logAbout, type ResourceContext } from "./resource-context";

const accountReplaced = "its account was replaced";

export class ReplacedAccount {
  /** The resources that are created again, by URN. */
  readonly #urns = new Set<string>();

  constructor(readonly session: Session) {}

  /** True for a resource of the replaced account: it is created again, in the account of the key. `urn`: of the resource. */
  async recreates(context: ResourceContext, urn: string | undefined): Promise<boolean> {
    const { connection, accounts } = this.session;
    if (!connection.isConfigured || connection.isOffline || !(await accounts.verifier.isReplaced(context.metadata)))
      return false;
    if (urn !== undefined) this.#urns.add(urn);
    logAbout(context, `${accountReplaced}: it is created again, in the account of the provider's key`);
    return true;
  }

  /** Whether `recreates` has said so of this resource. */
  isRecreated(urn: string | undefined): boolean {
    return urn !== undefined && this.#urns.has(urn);
  }

  /** What the deletion of an object of the replaced account does; undefined for any other object. */
  async release(context: ResourceContext): Promise<Effect | undefined> {
    const { session, account, key, metadata } = context;
    if (!(await session.accounts.verifier.isReplaced(metadata))) return undefined;
    logAbout(context, `not deleted: ${accountReplaced}`);
    await session.ledger.forget(context);
    return { effect: "release", writes: 0, id: account.id(key), detail: accountReplaced };
  }
}
