/** New accounts, and the keys of the first ones. */
import { parseTimestamp } from "../../sdk/api/scalars";
import type { Edition } from "../../sdk/edition";
import type { Account, User } from "./data-schema";
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

export const isAdministrator = ({ role }: User): boolean => role !== "1";

/** The first user, who sends what is sent with the account's key. */
export function ownerOf({ users, id, name, email }: Account): Pick<User, "id" | "name" | "email"> {
  return users[0] ?? { id, name, email };
}

const currentSettings = {
  setting_signature_more_info: true,
  setting_signature_format_default: "typed",
  setting_signature_format_accepted: "typed,drawn,upload",
  setting_email_pdf_attach: true,
  setting_email_pdf_attach_sender: true,
  setting_email_envelope_open: true,
  setting_email_main_email: true,
  setting_email_return_address_user: false,
};

/** Settings that are documented of the older edition only. */
const olderSettings = {
  setting_signing_consumer_regulations_act: false,
  setting_signing_tooltips: true,
  setting_signing_questions: true,
  setting_pdf_audit_trail_hide: false,
};

/** All settings of an account: the documented ones of an edition, and those that its seed has. */
export function settingsOf({ settings }: Account, edition: Edition): Account["settings"] {
  return { ...currentSettings, ...(edition === "specification" && olderSettings), ...settings };
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
