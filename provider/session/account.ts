/**
 * One account that the provider writes to. The configured key leads to one account; the subaccounts of a partner are reached with
 * keys from the partner's list, which stay in memory.
 */
import { joinId } from "../../definitions/object-id";
import type { Client } from "../../sdk/client";
import type { AccountHandle } from "../core/resource-definition";
import type { Connection } from "./connection";

export class Account implements AccountHandle {
  readonly #memoized = new Map<string, unknown>();
  readonly #reserved = new Set<string>();

  constructor(
    readonly session: AccountHandle["session"],
    /** To the configured account. */
    readonly connection: Pick<Connection, "client">,
    readonly companyId?: string,
  ) {}

  id(key: string): string {
    return joinId({ companyId: this.companyId, key });
  }

  /** Without the client: an account of which nothing is asked needs none. */
  get baseUrl(): string {
    return this.connection.client.baseUrl;
  }

  /** Something that all calls for this account share, created on first use. */
  memoize<T>(name: string, create: () => T): T {
    if (!this.#memoized.has(name)) this.#memoized.set(name, create());
    return this.#memoized.get(name) as T;
  }

  /** The client. A subaccount's key is read from the partner's list on first use, and again when it is rejected. */
  get client(): Client {
    const { client } = this.connection;
    return this.companyId === undefined ? client : client.as(this.companyId);
  }

  /** Reserves what is declared once for one create of this process. False if another one has it. */
  reserve(naturalKey: string): boolean {
    if (this.#reserved.has(naturalKey)) return false;
    this.#reserved.add(naturalKey);
    return true;
  }

  release(naturalKey: string): void {
    this.#reserved.delete(naturalKey);
  }
}
