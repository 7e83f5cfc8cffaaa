/**
 * One account that hooks write to. The configured key leads to one account; the sub accounts of a partner are reached with
 * keys from the partner's list, which stay in memory.
 */
import type { Client } from "../../sdk/client";
import type { AccountHandle } from "../core/resource-definition";

/** Milliseconds for which a reading serves a refresh: one phase of the engine. */
export const refreshMaxAge = 60_000;
/** Milliseconds for which a reading counts as "just before the write". */
export const writeMaxAge = 15_000;

/** What an account needs of the session: the client of the configured account, besides what resources need. */
type AccountSession = AccountHandle["session"] & { readonly root: Client };

/** One account. Hooks ask it for the client, and keep in it what they share. */
export class Account implements AccountHandle {
  readonly #memoized = new Map<string, unknown>();
  readonly #reserved = new Set<string>();

  constructor(
    readonly session: AccountSession,
    readonly companyId?: string,
  ) {}

  /** Id of an object of this account. */
  id(key: string): string {
    return this.companyId === undefined ? key : `${this.companyId}/${key}`;
  }

  /** Something that the hooks of this account share, made when it is first asked for. */
  memoize<T>(name: string, make: () => T): T {
    if (!this.#memoized.has(name)) this.#memoized.set(name, make());
    return this.#memoized.get(name) as T;
  }

  /** The client; a sub account's key is found in the partner's list when it is first needed, and again when it is refused. */
  get client(): Client {
    const { root } = this.session;
    return this.companyId === undefined ? root : root.as(this.companyId);
  }

  /** Keeps what is declared once from being made twice in one process. False when it is taken. */
  reserve(what: string): boolean {
    if (this.#reserved.has(what)) return false;
    this.#reserved.add(what);
    return true;
  }

  release(what: string): void {
    this.#reserved.delete(what);
  }
}
