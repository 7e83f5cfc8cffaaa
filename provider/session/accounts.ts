/** The configured account and its subaccounts, and whether the configured one is that of the state. */
import type { AccountHandle } from "../core/resource-definition";
import { readPause } from "../core/time-limits";
import { Account } from "./account";
import type { Connection } from "./connection";
import { EarlierKey } from "./earlier-key";
import type { Run } from "./run";
import { AccountVerifier } from "./verify-account";

export class Accounts {
  readonly verifier: AccountVerifier;
  readonly earlierKey: EarlierKey;
  readonly #session: AccountHandle["session"];
  readonly #connection: Connection;
  readonly #run: Run;
  readonly #accounts = new Map<string, Account>();

  constructor(session: AccountHandle["session"], connection: Connection, run: Run) {
    this.#session = session;
    this.#connection = connection;
    this.#run = run;
    this.earlierKey = new EarlierKey(
      (apiKey) => connection.clientWithKey(apiKey).branding.get(),
      (apiKey) => session.reporting.addSecret(apiKey),
    );
    this.verifier = new AccountVerifier(connection, run, this.earlierKey);
  }

  /** The configured account, or a subaccount of it. */
  of(companyId?: string): Account {
    const name = companyId ?? "";
    const account = this.#accounts.get(name) ?? new Account(this.#session, this.#connection, companyId);
    this.#accounts.set(name, account);
    return account;
  }

  /** Waits for a company that was made a moment ago. False if there is no reason to. */
  async isListedLater(companyId: string): Promise<boolean> {
    const { clock, recent } = this.#run;
    const left = (await recent.of(this.of(), "companies").made()).get(companyId) ?? 0;
    const what = "the partner's list, which does not show yet a company that was just created";
    if (left > 0) await clock.sleep(Math.min(readPause.longest, left), what, left);
    return left > 0;
  }
}
