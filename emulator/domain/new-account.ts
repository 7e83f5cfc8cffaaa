/** New accounts, and the keys of the first ones. */
import { parseTimestamp } from "../../sdk/api/scalars";
import type { Account } from "./data-schema";
import { newSecret } from "./identifiers";

/** An account without objects, with a random key and the default branding. */
export function newAccount(
  base: Pick<Account, "id" | "name" | "email" | "created" | "users"> & Partial<Account>,
): Account {
  const seconds = Math.floor(parseTimestamp(base.created).getTime() / 1000);
  // The order of the members is their order in the data file.
  const { id, name, email, users, created, ...rest } = base;
  return {
    id,
    name,
    email,
    key: newSecret("key_"),
    partner: false,
    created,
    users,
    contacts: [],
    settings: {},
    branding: { logo: `/logos/standard.png?${seconds}`, colour: "#1F6FEB" },
    emails: {},
    webhooks: [],
    templates: [],
    envelopes: [],
    sent: {},
    ...rest,
  };
}

/** API keys of the first accounts. */
export interface Keys {
  /** The partner key. */
  partner: string;
  /** The ordinary account's. */
  account: string;
  /** The partner's test key, whose writes change nothing. */
  test: string;
}

export function firstKeys(accounts: readonly Account[]): Keys {
  const partner = accounts.find((account) => account.partner);
  const ordinary = accounts.find((account) => !account.partner && account.parent === undefined);
  return { partner: partner?.key ?? "", account: ordinary?.key ?? "", test: partner?.testKey ?? "" };
}

/** Gives the accounts of a seed these keys. */
export function setFirstKeys(accounts: readonly Account[], { partner, account, test }: Keys): void {
  const [first, last] = [accounts[0]!, accounts.at(-1)!];
  first.key = partner;
  first.testKey = test;
  last.key = account;
}
