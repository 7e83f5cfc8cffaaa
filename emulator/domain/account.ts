/** New accounts, and the URLs of their logos. */
import { createHash } from "node:crypto";
import { parseTimestamp } from "../../sdk/api/scalars";
import { newSecret } from "./identifiers";
import type { Account } from "./schema";

/** An account without objects, with a random key and the default branding. */
export function newAccount(
  base: Pick<Account, "id" | "name" | "email" | "created" | "user"> & Partial<Account>,
): Account {
  const seconds = Math.floor(parseTimestamp(base.created).getTime() / 1000);
  // The order of the members is their order in the data file.
  const { id, name, email, user, created, ...rest } = base;
  return {
    id,
    name,
    email,
    key: newSecret("key_"),
    partner: false,
    created,
    user,
    branding: { logo: `/logos/standard.png?${seconds}`, colour: "#1F6FEB" },
    emails: {},
    webhooks: [],
    templates: [],
    envelopes: [],
    sent: {},
    ...rest,
  };
}

/** Path and query of a copied logo: one name per source, with the time of the copy in the query. */
export function hostedLogo(account: string, source: string, copied: Date): string {
  const name = createHash("sha256").update(source).digest("hex").slice(0, 12);
  return `/logos/${account}-${name}.png?${Math.floor(copied.getTime() / 1000)}`;
}
