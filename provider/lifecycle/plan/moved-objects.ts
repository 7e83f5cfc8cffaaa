/**
 * Objects of an account that was replaced by another one. They are created again in the new account, and released from the old one. The
 * key of the new account is never used for requests about the old objects.
 */
import type { Effect } from "../../plan/effect";
import type { Session } from "../../session/session";
import { logAbout, type ResourceContext } from "../resource-context";

const accountReplaced = "its account was replaced";

export class MovedObjects {
  /** By URN, what is created again in this account. */
  readonly #urns = new Set<string>();

  constructor(readonly session: Session) {}

  /** True if the resource is created again, in the account that the key leads to. `urn`: of the resource. */
  async add(context: ResourceContext, urn: string | undefined): Promise<boolean> {
    const { connection, accounts } = this.session;
    if (!connection.isConfigured || connection.isOffline || !(await accounts.verifier.isReplaced(context.metadata)))
      return false;
    if (urn !== undefined) this.#urns.add(urn);
    logAbout(context, `${accountReplaced}: it is created again, in the account of the provider's key`);
    return true;
  }

  has(urn: string | undefined): boolean {
    return urn !== undefined && this.#urns.has(urn);
  }

  /** What the deletion of such an object does; undefined for any other one. */
  async release(context: ResourceContext): Promise<Effect | undefined> {
    const { session, account, key, metadata } = context;
    if (!(await session.accounts.verifier.isReplaced(metadata))) return undefined;
    logAbout(context, `not deleted: ${accountReplaced}`);
    await session.ledger.forget(context);
    return { effect: "release", writes: 0, id: account.id(key), detail: accountReplaced };
  }
}
