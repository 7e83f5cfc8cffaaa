/** The seed: a plain description of accounts from which the emulator's first data is built. */
import { z } from "zod";
import { colour, email, formatTimestamp, parseTimestamp, text, timestamp, url } from "../../sdk/api/scalars";
import { settingName } from "../../sdk/api/settings";
import { openEnum } from "../../sdk/enums";
import { roleIds, webhookTypes } from "../../sdk/known-values";
import { defaultEmails } from "./emails/default-emails";
import { type EmailType, emailTypes } from "./enums";
import { type ByteSource, newFingerprint, newId, newSecret, reproducibleSource } from "./identifiers";
import { hostLogo } from "./logos";
import { newAccount } from "./new-account";
import type { Account, Data, Party, Template } from "./schema";

const DAY = 24 * 3600_000;
const SEEDED = "2024-01-15T09:00:00+0000";

/** A time in any format that can be parsed; stored in the API's own. */
const anyTimestamp = timestamp.transform((value) => formatTimestamp(parseTimestamp(value)));

const seedTemplate = z.strictObject({
  fingerprint: text.optional(),
  title: text,
  pages: z.number().int().positive().default(1),
  /** Titles of the signing parties, in order; their IDs are 1, 2, … */
  parties: z.array(text).min(1).default(["Signer"]),
  /** Fields that can be filled when an envelope is created. `party` is a party's ID. */
  mergeFields: z
    .array(z.strictObject({ id: z.number().int(), title: text, party: z.number().int().default(1) }))
    .default([]),
  /** Whether its parties sign with qualified signatures: edition `current`, in accounts with the setting `setting_qes_enabled`. */
  qualified: z.boolean().default(false),
});

type SeedTemplate = z.output<typeof seedTemplate>;

const seedEnvelope = z.strictObject({
  title: text,
  /** Initial status. */
  status: z.enum(["draft", "sent", "signed", "cancelled", "expired", "failed"]).default("sent"),
  parties: z
    .array(z.strictObject({ name: text, email }))
    .min(1)
    .default([{ name: "Sam Signer", email: "sam@example.com" }]),
  created: anyTimestamp.optional(),
  meta: z.json().optional(),
});

type SeedEnvelope = z.output<typeof seedEnvelope>;

const seedAccount = z.strictObject({
  id: z
    .string()
    .regex(/^[1-9]\d*$/)
    .optional(),
  name: text.optional(),
  email: email.optional(),
  /** Default: a random key. */
  key: z
    .string()
    .regex(/^[\x21-\x39\x3b-\x7e]+$/, "must be printable and without a colon")
    .optional(),
  /** A second key, whose writes change nothing. */
  testKey: z
    .string()
    .regex(/^[\x21-\x39\x3b-\x7e]+$/, "must be printable and without a colon")
    .optional(),
  /** The first user, a super administrator. */
  user: z.strictObject({ name: text, email }).optional(),
  /** Further users. */
  users: z.array(z.strictObject({ name: text, email, role: openEnum(roleIds).default("1") })).default([]),
  contacts: z.array(z.strictObject({ name: text, email })).default([]),
  /** Settings that differ from the default ones, and those that only this account has: `setting_…`. */
  settings: z.record(z.string().regex(settingName), z.union([z.string(), z.number(), z.boolean()])).default({}),
  created: anyTimestamp.optional(),
  suspended: z.boolean().optional(),
  withoutApi: z.boolean().optional(),
  branding: z.strictObject({ logo: url.optional(), colour: colour.optional() }).optional(),
  /** Content that differs from the default templates. */
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
  webhooks: z
    .array(z.strictObject({ type: openEnum(webhookTypes), url, secret: z.string().min(1).optional() }))
    .default([]),
  templates: z.array(seedTemplate).default([]),
  envelopes: z.array(seedEnvelope).default([]),
});

type SeedAccount = z.output<typeof seedAccount>;

export const seed = z.strictObject({
  /** The partner account. */
  partner: seedAccount.prefault({}),
  /** The partner's subaccounts. */
  companies: z.array(seedAccount).default([]),
  /** An ordinary account. */
  account: seedAccount.prefault({}),
});
/** The first data. Everything has a default: a partner and an ordinary account. */
export type Seed = z.input<typeof seed>;

const standardTemplate: SeedTemplate = {
  fingerprint: "template-agreement",
  title: "Service agreement",
  pages: 2,
  parties: ["Client", "Provider"],
  mergeFields: [
    { id: 1, title: "Client's name", party: 1 },
    { id: 2, title: "Start date", party: 1 },
  ],
  qualified: false,
};

/** Names of an account whose seed does not set them. */
interface DefaultNames {
  name: string;
  user: string;
  host: string;
}

const PARTNER_NAMES: DefaultNames = { name: "Northwind Partners", user: "Nora North", host: "northwind.example" };
const ACCOUNT_NAMES: DefaultNames = { name: "Acme Contracts", user: "Ada Acme", host: "acme.example" };

const companyNames = (number: number): DefaultNames => ({
  name: `Customer ${number}`,
  user: `User ${number}`,
  host: `customer${number}.example`,
});

const seedError = (problem: string) => new Error(`Seed of the emulator: ${problem}`);

/** Builds the first data. The same `start` yields the same IDs and keys. */
export function fromSeed(input: unknown, now: Date, start: Buffer): Data {
  const parsed = seed.safeParse(input ?? {});
  if (!parsed.success) throw seedError(z.prettifyError(parsed.error));
  const builder = new SeedBuilder(now, start);
  const partner = builder.addAccount(parsed.data.partner, PARTNER_NAMES);
  partner.partner = true;
  partner.testKey ??= builder.secret("test_");
  parsed.data.companies.forEach((company, i) => {
    builder.addAccount(company, companyNames(i + 1)).parent = partner.id;
  });
  builder.addAccount(parsed.data.account, ACCOUNT_NAMES);
  requireUnique(builder.accounts);
  return { version: 1, accounts: builder.accounts };
}

function requireUnique(accounts: readonly Account[]): void {
  const users = accounts.flatMap((account) => account.users.map((user) => user.email.toLowerCase()));
  const duplicate = users.find((user, i) => users.indexOf(user) !== i);
  if (duplicate) throw seedError(`two users have the email address ${duplicate}`);
  const keys = accounts.flatMap((account) => [account.key, account.testKey].filter((key) => key !== undefined));
  if (new Set(keys).size < keys.length) throw seedError("two accounts have the same key");
}

/** Builds accounts and their objects from their seeds. */
class SeedBuilder {
  readonly accounts: Account[] = [];
  readonly #now: Date;
  readonly #source: ByteSource;

  constructor(now: Date, start: Buffer) {
    this.#now = now;
    this.#source = reproducibleSource(start);
  }

  secret(prefix = ""): string {
    return newSecret(prefix, this.#source);
  }

  addAccount(input: SeedAccount, names: DefaultNames): Account {
    const created = input.created ?? SEEDED;
    const user = input.user ?? defaultUser(names);
    const id = this.#accountId(input.id);
    const account = newAccount({
      id,
      name: input.name ?? names.name,
      email: input.email ?? user.email,
      created,
      key: input.key ?? this.secret("key_"),
      users: [{ id: this.#id(), ...user, role: "3", added: created }],
      settings: input.settings,
      emails: customEmails(input, created),
      webhooks: input.webhooks.map((webhook) => ({ id: this.#id(), ...webhook, created })),
      templates: this.#templates(input),
    });
    if (input.testKey) account.testKey = input.testKey;
    if (input.suspended) account.suspended = true;
    if (input.withoutApi) account.withoutApi = true;
    const { logo, colour } = input.branding ?? {};
    if (logo) account.branding.logo = hostLogo(id, logo, parseTimestamp(created));
    if (colour) account.branding.colour = colour.toUpperCase();
    for (const { name, email, role } of input.users) {
      account.users.push({ id: this.#id(), name, email, role, added: created });
    }
    for (const { name, email } of input.contacts) this.#addContact(account, name, email, created);
    for (const envelope of input.envelopes) this.#addEnvelope(account, envelope);
    this.accounts.push(account);
    return account;
  }

  #id(): string {
    return newId(() => false, this.#source);
  }

  #accountId(id: string | undefined): string {
    const isTaken = (candidate: string) => this.accounts.some((account) => account.id === candidate);
    if (id !== undefined && isTaken(id)) throw seedError(`two accounts have the ID ${id}`);
    return id ?? newId(isTaken, this.#source);
  }

  #templates({ templates }: SeedAccount): Template[] {
    return (templates.length > 0 ? templates : [standardTemplate]).map((template) => ({
      fingerprint: template.fingerprint ?? newFingerprint(this.#source),
      title: template.title,
      pages: template.pages,
      parties: template.parties.map((title, i) => ({ id: i + 1, title })),
      fields: template.mergeFields.map((field) => ({ ...field, type: "text" })),
      ...(template.qualified && { qualified: true as const }),
    }));
  }

  #addContact({ contacts }: Account, name: string, email: string, created: string): string {
    const id = this.#id();
    contacts.push({ id, name, email, created });
    return id;
  }

  #addEnvelope(account: Account, input: SeedEnvelope): void {
    const created = input.created ?? formatTimestamp(new Date(this.#now.getTime() - DAY));
    const isSent = input.status !== "draft" && input.status !== "failed";
    if (isSent) {
      const day = created.slice(0, 10);
      account.sent[day] = (account.sent[day] ?? 0) + 1;
    }
    account.envelopes.push({
      fingerprint: newFingerprint(this.#source),
      title: input.title,
      status: input.status,
      user: account.users[0]!.id,
      created,
      ...(isSent ? { sent: created } : {}),
      meta: input.meta ?? null,
      documents: [{ fingerprint: newFingerprint(this.#source), title: input.title, pages: 1, fields: [] }],
      parties: input.parties.map((party, i) => ({
        id: this.#id(),
        ...party,
        role: "signer",
        contact:
          account.contacts.find(({ email }) => email === party.email)?.id ??
          this.#addContact(account, party.name, party.email, created),
        status: partyStatus(input.status, i),
      })),
      history: [{ detail: "Envelope created", ip: "127.0.0.1", userAgent: "seed", date: created }],
    });
  }
}

function defaultUser({ user, host }: DefaultNames): { name: string; email: string } {
  return { name: user, email: `${user.split(" ")[0]!.toLowerCase()}@${host}` };
}

function customEmails({ emails }: SeedAccount, updated: string): Account["emails"] {
  const entries = Object.entries(emails) as [EmailType, SeedAccount["emails"][EmailType]][];
  return Object.fromEntries(
    entries.map(([type, content = {}]) => [type, { ...defaultEmails[type], ...omitUndefined(content), updated }]),
  );
}

/** The first signer has the turn as soon as the envelope is sent. */
function partyStatus(status: SeedEnvelope["status"], index: number): Party["status"] {
  if (status === "signed") return "signed";
  const isSent = status !== "draft" && status !== "failed";
  return isSent && index === 0 ? "in progress" : "waiting";
}

/** Without the members that are undefined. */
function omitUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}
