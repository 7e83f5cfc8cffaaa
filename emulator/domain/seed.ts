/** Where the data begins: plain configuration in, the service's data out. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { colour, email, formatTimestamp, openEnum, parseTimestamp, text, timestamp, url } from "../../sdk/api/scalars";
import { defaultEmails } from "./default-emails";
import { emailTypes, eventTypes } from "./enums";
import type { Account, Data, Template } from "./schema";

const day = 24 * 3600_000;
const SEEDED = "2024-01-15T09:00:00+0000";

/** A time in any notation that can be read; answers hold it in the service's own. */
const anyTimestamp = timestamp.transform((given) => formatTimestamp(parseTimestamp(given)));

const seedTemplate = z.strictObject({
  fingerprint: text.optional(),
  title: text,
  pages: z.number().int().positive().default(1),
  /** Titles of the parties who sign, in their order; their ids are 1, 2, … */
  parties: z.array(text).min(1).default(["Signer"]),
  /** Fields that can be filled at creation. `party` is a party's id. */
  mergeFields: z
    .array(z.strictObject({ id: z.number().int(), title: text, party: z.number().int().default(1) }))
    .default([]),
});

const seedEnvelope = z.strictObject({
  title: text,
  /** State in which it begins. */
  status: z.enum(["draft", "sent", "signed", "cancelled", "expired", "failed"]).default("sent"),
  parties: z
    .array(z.strictObject({ name: text, email }))
    .min(1)
    .default([{ name: "Sam Signer", email: "sam@example.com" }]),
  created: anyTimestamp.optional(),
  meta: z.json().optional(),
});

const seedAccount = z.strictObject({
  id: z
    .string()
    .regex(/^[1-9]\d*$/)
    .optional(),
  name: text.optional(),
  email: email.optional(),
  /** Its key. Default: a random one. */
  key: z
    .string()
    .regex(/^[\x21-\x39\x3b-\x7e]+$/, "must be printable and without a colon")
    .optional(),
  /** A second key, whose writes change nothing. */
  testKey: z
    .string()
    .regex(/^[\x21-\x39\x3b-\x7e]+$/, "must be printable and without a colon")
    .optional(),
  user: z.strictObject({ name: text, email }).optional(),
  created: anyTimestamp.optional(),
  suspended: z.boolean().optional(),
  withoutApi: z.boolean().optional(),
  branding: z.strictObject({ logo: url.optional(), colour: colour.optional() }).optional(),
  /** Texts that differ from the standard ones. */
  emails: z
    .partialRecord(
      z.enum(emailTypes),
      z.strictObject({
        subject: z.string().optional(),
        content: z.string().optional(),
        contentPlain: z.string().optional(),
      }),
    )
    .default({}),
  webhooks: z.array(z.strictObject({ type: openEnum(eventTypes), url })).default([]),
  templates: z.array(seedTemplate).default([]),
  envelopes: z.array(seedEnvelope).default([]),
});

export const seed = z.strictObject({
  /** The account with a partner-enabled key. */
  partner: seedAccount.prefault({}),
  /** The partner's subaccounts. */
  companies: z.array(seedAccount).default([]),
  /** An ordinary account beside it. */
  account: seedAccount.prefault({}),
});
/** What the service holds when its data begins. Everything has a default: a partner and an ordinary account. */
export type Seed = z.input<typeof seed>;

const standardTemplate = {
  fingerprint: "template-agreement",
  title: "Service agreement",
  pages: 2,
  parties: ["Client", "Provider"],
  mergeFields: [
    { id: 1, title: "Client's name", party: 1 },
    { id: 2, title: "Start date", party: 1 },
  ],
};

/** Where ids and secrets come from: so many random bytes. */
type ByteSource = (size: number) => Buffer;

/** A source that gives the same bytes again to whoever has its start. */
function reproducibleSource(start: Buffer): ByteSource {
  let n = 0;
  return (size) => createHmac("sha256", start).update(String(n++)).digest().subarray(0, size);
}

const LOWEST_ID = 10_000_000;
const IDS = 1_990_000_000;

/** A random positive integer that is not taken. */
export function newId(taken: (id: string) => boolean, source: ByteSource = randomBytes): string {
  for (;;) {
    const id = String(LOWEST_ID + (source(6).readUIntBE(0, 6) % IDS));
    if (!taken(id)) return id;
  }
}

/** A random key or fingerprint. */
export function newSecret(prefix: string, source: ByteSource = randomBytes): string {
  return `${prefix}${source(20).toString("hex")}`;
}

/** Path and query of a copied logo: one name per source, the time of the copy in the query. */
export function hostedLogo(account: string, source: string, when: Date): string {
  const name = createHash("sha256").update(source).digest("hex").slice(0, 12);
  return `/logos/${account}-${name}.png?${Math.floor(when.getTime() / 1000)}`;
}

/** An account as it is on its first day. */
export function newAccount(
  base: Pick<Account, "id" | "name" | "email" | "created" | "user"> & Partial<Account>,
): Account {
  const seconds = Math.floor(parseTimestamp(base.created).getTime() / 1000);
  // The order of the members is the order in the file.
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

/** The data of a service that begins. With the same start it has the same ids and keys again. */
export function fromSeed(input: unknown, now: Date, start: Buffer): Data {
  const source = reproducibleSource(start);
  const freeId = () => newId(() => false, source);
  const secret = (prefix: string) => newSecret(prefix, source);
  const parsed = seed.safeParse(input ?? {});
  if (!parsed.success) throw new Error(`Seed of the local service: ${z.prettifyError(parsed.error)}`);
  const accounts: Account[] = [];
  const partner = seeded(parsed.data.partner, {
    name: "Northwind Partners",
    user: "Nora North",
    host: "northwind.example",
  });
  partner.partner = true;
  partner.testKey ??= secret("test_");
  accounts.push(partner);
  parsed.data.companies.forEach((company, i) => {
    const account = seeded(company, {
      name: `Customer ${i + 1}`,
      user: `User ${i + 1}`,
      host: `customer${i + 1}.example`,
    });
    accounts.push({ ...account, parent: partner.id });
  });
  accounts.push(seeded(parsed.data.account, { name: "Acme Contracts", user: "Ada Acme", host: "acme.example" }));
  const users = accounts.map((a) => a.user.email.toLowerCase());
  const twice = users.find((user, i) => users.indexOf(user) !== i);
  if (twice) throw new Error(`Seed of the local service: two users have the e-mail address ${twice}`);
  const keys = accounts.flatMap((a) => [a.key, a.testKey].filter((key) => key !== undefined));
  if (new Set(keys).size < keys.length) throw new Error("Seed of the local service: two accounts have the same key");
  return { version: 1, accounts };

  function seeded(
    input: z.output<typeof seedAccount>,
    standard: { name: string; user: string; host: string },
  ): Account {
    const id = input.id ?? newId((id) => accounts.some((a) => a.id === id), source);
    if (accounts.some((a) => a.id === id)) throw new Error(`Seed of the local service: two accounts have the id ${id}`);
    const created = input.created ?? SEEDED;
    const began = parseTimestamp(created);
    const user = input.user ?? {
      name: standard.user,
      email: `${standard.user.split(" ")[0]!.toLowerCase()}@${standard.host}`,
    };
    const account = newAccount({
      id,
      name: input.name ?? standard.name,
      email: input.email ?? user.email,
      created,
      key: input.key ?? secret("key_"),
      user: { id: freeId(), ...user },
    });
    if (input.testKey) account.testKey = input.testKey;
    if (input.suspended) account.suspended = true;
    if (input.withoutApi) account.withoutApi = true;
    if (input.branding?.logo) account.branding.logo = hostedLogo(id, input.branding.logo, began);
    if (input.branding?.colour) account.branding.colour = input.branding.colour.toUpperCase();
    for (const [type, texts] of Object.entries(input.emails)) {
      const key = type as keyof typeof defaultEmails;
      account.emails[key] = { ...defaultEmails[key], ...omitUndefined(texts), updated: created };
    }
    account.webhooks = input.webhooks.map((w) => ({ id: freeId(), ...w, created }));
    const templates = input.templates.length > 0 ? input.templates : [{ ...standardTemplate }];
    account.templates = templates.map((one) => template(one, secret));
    account.envelopes = input.envelopes.map((envelope) => {
      const made = envelope.created ?? formatTimestamp(new Date(now.getTime() - day));
      const sent = envelope.status !== "draft" && envelope.status !== "failed";
      if (sent) account.sent[made.slice(0, 10)] = (account.sent[made.slice(0, 10)] ?? 0) + 1;
      return {
        fingerprint: secret(""),
        title: envelope.title,
        status: envelope.status,
        user: account.user.id,
        created: made,
        ...(sent ? { sent: made } : {}),
        meta: envelope.meta ?? null,
        documents: [{ fingerprint: secret(""), title: envelope.title, pages: 1, fields: [] }],
        parties: envelope.parties.map((party, i) => ({
          id: freeId(),
          ...party,
          role: "signer" as const,
          contact: freeId(),
          status:
            envelope.status === "signed"
              ? ("signed" as const)
              : sent && i === 0
                ? ("in progress" as const)
                : ("waiting" as const),
        })),
        history: [{ detail: "Envelope created", ip: "127.0.0.1", userAgent: "seed", date: made }],
      };
    });
    return account;
  }
}

function template(given: z.output<typeof seedTemplate>, secret: (prefix: string) => string): Template {
  return {
    fingerprint: given.fingerprint ?? secret(""),
    title: given.title,
    pages: given.pages,
    parties: given.parties.map((title, i) => ({ id: i + 1, title })),
    fields: given.mergeFields.map((field) => ({ ...field, type: "text" })),
  };
}

/** Without the members that are undefined. */
function omitUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as never;
}
