/** The seed: a plain description of accounts from which the emulator's first data is built. */
import { z } from "zod";
import { formatTimestamp, parseTimestamp } from "../../../sdk/api/scalars";
import type { Account, Data, Document, Party, Template, TemplateField } from "../data-schema";
import { describeIssue } from "../describe-issue";
import { defaultEmails } from "../emails/default-emails";
import type { EmailType } from "../enums-by-edition";
import { type ByteSource, newFingerprint, newId, newSecret, reproducibleSource } from "../identifiers";
import { hostLogo } from "../logos";
import { newAccount } from "../new-account";
import {
  type SeedAccount,
  type SeedDocument,
  type SeedEnvelope,
  type SeedField,
  type SeedTemplate,
  seed,
} from "./seed-schema";

const DAY = 24 * 3600_000;
const SEEDED = "2024-01-15T09:00:00+0000";

const standardTemplate: SeedTemplate = {
  fingerprint: "template-agreement",
  title: "Service agreement",
  pages: 2,
  parties: ["Client", "Provider"],
  mergeFields: [
    { id: 1, title: "Client's name", party: 1 },
    { id: 2, title: "Start date", party: 1 },
  ],
  fields: [],
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
const refuseSeed = (problem: string): never => {
  throw seedError(problem);
};

/** Builds the first data. The same `start` yields the same IDs and keys. */
export function fromSeed(input: unknown, now: Date, start: Buffer): Data {
  const parsed = seed.safeParse(input ?? {}, { error: describeIssue });
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
  const fingerprints = accounts.flatMap(({ envelopes }) => envelopes.map((envelope) => envelope.fingerprint));
  if (new Set(fingerprints).size < fingerprints.length) throw seedError("two envelopes have the same fingerprint");
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
    const names = templates.flatMap(({ fingerprint }) => fingerprint ?? []);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) refuseSeed(`two templates of an account have the fingerprint ${twice}`);
    for (const template of templates) checkFields(template);
    return (templates.length > 0 ? templates : [standardTemplate]).map((template) => ({
      fingerprint: template.fingerprint ?? newFingerprint(this.#source),
      title: template.title,
      pages: template.pages,
      parties: template.parties.map((title, i) => ({ id: i + 1, title })),
      fields: [
        ...template.mergeFields.map((field) => ({ ...field, type: "text" })),
        ...template.fields.map(templateField),
      ],
      ...(template.qualified && { qualified: true as const }),
    }));
  }

  #addContact({ contacts }: Account, name: string, email: string, created: string): string {
    const id = this.#id();
    contacts.push({ id, name, email, created });
    return id;
  }

  #document(
    { title, fingerprint, pages, fields }: SeedDocument,
    envelope: SeedEnvelope,
    parties: readonly Pick<Party, "id">[],
  ): Document {
    return {
      fingerprint: fingerprint ?? newFingerprint(this.#source),
      title,
      pages,
      fields: fields.map(({ party, merge, ...field }) => ({
        ...field,
        party:
          parties[party - 1]?.id ??
          refuseSeed(`the envelope "${envelope.title}" has no party ${party}, which a field names`),
        merge: merge ? field.title : null,
      })),
    };
  }

  #addEnvelope(account: Account, input: SeedEnvelope): void {
    const created = input.created ?? formatTimestamp(new Date(this.#now.getTime() - DAY));
    const isSent = input.status !== "draft" && input.status !== "failed";
    if (isSent) {
      const day = created.slice(0, 10);
      account.sent[day] = (account.sent[day] ?? 0) + 1;
    }
    const firstSigner = input.parties.findIndex(({ role }) => role === "signer");
    const parties = input.parties.map((party, i) => ({
      id: this.#id(),
      ...party,
      contact:
        account.contacts.find(({ email }) => email === party.email)?.id ??
        this.#addContact(account, party.name, party.email, created),
      status: party.role === "copy" ? ("copy" as const) : partyStatus(input.status, i === firstSigner),
    }));
    const documents: SeedDocument[] = input.documents ?? [{ title: input.title, pages: 1, fields: [] }];
    account.envelopes.push({
      fingerprint: input.fingerprint ?? newFingerprint(this.#source),
      title: input.title,
      status: input.status,
      user: account.users[0]!.id,
      ...(input.password !== undefined && { password: input.password }),
      ...(input.redirectUrl !== undefined && { redirectUrl: input.redirectUrl }),
      created,
      ...(isSent ? { sent: created } : {}),
      ...(isSent && input.status !== "sent" ? { processed: created } : {}),
      meta: input.meta ?? null,
      documents: documents.map((document) => this.#document(document, input, parties)),
      parties,
      history: [{ detail: "Envelope created", ip: "127.0.0.1", userAgent: "seed", date: created }],
    });
  }
}

/** A field of no party would be in no response, and of two with one ID only the first can be filled. */
function checkFields({ title, parties, mergeFields, fields }: SeedTemplate): void {
  const ids = new Set<number>();
  for (const { id, party } of [...mergeFields, ...fields]) {
    if (party < 1 || party > parties.length)
      refuseSeed(`the template "${title}" has no party ${party}, which a field names`);
    if (ids.has(id)) refuseSeed(`the template "${title}" has two fields with the ID ${id}`);
    ids.add(id);
  }
}

function templateField({ merge, required, ...field }: SeedField): TemplateField {
  return {
    ...omitUndefined(field),
    ...(!merge && { signerOnly: true as const }),
    ...(!required && { optional: true as const }),
  };
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
function partyStatus(status: SeedEnvelope["status"], isFirst: boolean): Party["status"] {
  if (status === "signed") return "signed";
  const isSent = status !== "draft" && status !== "failed";
  return isSent && isFirst ? "in progress" : "waiting";
}

/** Without the members that are undefined. */
function omitUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}
