/** The schema of the data file, validated when the file is read. */
import { z } from "zod";
import { timestamp, url } from "../../sdk/api/scalars";
import { emailTypes, statuses } from "./enums";

/** Responses contain it as a number or as its digits. */
const id = z.string().regex(/^[1-9]\d*$/, "must be the digits of a positive integer");

const texts = z.object({
  subject: z.string(),
  content: z.string(),
  contentPlain: z.string(),
  updated: timestamp,
});

const webhook = z.object({
  id,
  type: z.string(),
  url,
  created: timestamp,
  updated: timestamp.optional(),
  /** Signs its notifications. */
  secret: z.string().optional(),
  /** Since when the URL has not answered 200. */
  failing: timestamp.optional(),
  /** When it was suspended. */
  suspended: timestamp.optional(),
});

const user = z.object({
  id,
  name: z.string(),
  email: z.string(),
  /** The API's number: 1 user, 2 administrator, 3 super administrator. */
  role: z.string(),
  added: timestamp,
  updated: timestamp.optional(),
});

const contact = z.object({ id, name: z.string(), email: z.string(), created: timestamp });

const pixels = z.number().int().nonnegative();

const templateField = z.object({
  id: z.number().int(),
  title: z.string(),
  type: z.string(),
  party: z.number().int(),
  /** Only the signer fills it: it is not a merge field. */
  signerOnly: z.literal(true).optional(),
  optional: z.literal(true).optional(),
  /** Of a date. */
  format: z.string().optional(),
  /** From 1. */
  page: z.number().int().positive().optional(),
  /** On a page of 675 by 875 pixels. */
  place: z.object({ x: pixels, y: pixels, width: pixels, height: pixels }).optional(),
  /** What a split field accepts. */
  preset: z.string().optional(),
  /** Of a split field: its groups of cells. */
  runs: z.array(z.object({ cells: pixels, cellGap: pixels, runGap: pixels })).optional(),
});
export type TemplateField = z.output<typeof templateField>;

const template = z.object({
  fingerprint: z.string(),
  title: z.string(),
  pages: z.number().int().positive(),
  parties: z.array(z.object({ id: z.number().int(), title: z.string() })),
  fields: z.array(templateField),
  /** Its parties sign with qualified signatures, in accounts that have them. */
  qualified: z.literal(true).optional(),
});

const document = z.object({
  fingerprint: z.string(),
  title: z.string(),
  pages: z.number().int(),
  fields: z.array(
    z.object({
      id: z.number().int(),
      title: z.string(),
      type: z.string(),
      value: z.string().nullable(),
      party: z.string(),
      merge: z.string().nullable(),
    }),
  ),
});

const party = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(["signer", "copy"]),
  contact: z.string(),
  message: z.string().optional(),
  mobile: z.string().optional(),
  inPerson: z.literal(true).optional(),
  status: z.enum(["waiting", "in progress", "signed", "rejected", "copy"]),
  /** Of a qualified signature: how far the proof is of who the party is, and until when its session lasts. */
  qes: z
    .object({ status: z.enum(["waiting", "ready", "complete", "failed"]), expires: timestamp.optional() })
    .optional(),
  /** How often it was updated. */
  updates: z.number().int().positive().optional(),
});

const envelope = z.object({
  fingerprint: z.string(),
  title: z.string(),
  status: z.enum(statuses),
  user: z.string(),
  /** Set if signing requires a password. */
  password: z.string().optional(),
  redirectUrl: z.string().optional(),
  created: timestamp,
  sent: timestamp.optional(),
  /** When processing ends; never for one that stays a draft. */
  ready: timestamp.optional(),
  /** All parties sign at once. */
  allAtOnce: z.literal(true).optional(),
  /** When it ended. */
  processed: timestamp.optional(),
  expireHours: z.number().optional(),
  remindHours: z.number().optional(),
  /** When the current signer got the last reminder or the first email. */
  reminded: timestamp.optional(),
  /** The metadata; in `metaText` if JavaScript would round one of its numbers. */
  meta: z.unknown(),
  metaText: z.string().optional(),
  documents: z.array(document),
  /** In the order in which they sign. */
  parties: z.array(party),
  /** Newest first. */
  history: z.array(z.object({ detail: z.string(), ip: z.string(), userAgent: z.string(), date: timestamp })),
});

const account = z.object({
  id,
  name: z.string(),
  email: z.string(),
  key: z.string(),
  /** A second key, whose writes change nothing. */
  testKey: z.string().optional(),
  partner: z.boolean(),
  /** ID of the partner that created this account. */
  parent: z.string().optional(),
  created: timestamp,
  suspended: z.boolean().optional(),
  /** The plan does not include the API. */
  withoutApi: z.boolean().optional(),
  /** In the order in which they were added. */
  users: z.array(user),
  /** Those that were added, and the parties of envelopes. */
  contacts: z.array(contact),
  /** Settings that differ from the default ones, by the API's names. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  branding: z.object({
    /** Path and query below the emulator's URL; null for none. */
    logo: z.string().nullable(),
    colour: z.string(),
  }),
  /** Customized templates; the others have the default content. */
  emails: z.partialRecord(z.enum(emailTypes), texts),
  webhooks: z.array(webhook),
  templates: z.array(template),
  envelopes: z.array(envelope),
  /** Envelopes sent by day (`YYYY-MM-DD`), from which usage is computed. */
  sent: z.record(z.string(), z.number().int()),
});

type OlderParty = { contact: string; name: string; email: string };
type OlderAccount = {
  created: string;
  user: object;
  envelopes?: { created: string; parties: OlderParty[] }[];
};

/** The content of a file of any version, as the newest has it. */
export function upgradeData(content: unknown): unknown {
  const { accounts } = (content ?? {}) as { accounts?: unknown };
  return Array.isArray(accounts) ? { ...(content as object), accounts: accounts.map(upgradeAccount) } : content;
}

/** An account as files had it before users, contacts and settings: with one user, and contacts in envelopes only. */
function upgradeAccount(input: unknown): unknown {
  if (typeof input !== "object" || input === null || !("user" in input)) return input;
  const { user, ...rest } = input as OlderAccount;
  const contacts = new Map(
    (rest.envelopes ?? []).flatMap(({ created, parties }) =>
      parties.map(({ contact, name, email }) => [contact, { id: contact, name, email, created }]),
    ),
  );
  const users = [{ ...user, role: "3", added: rest.created }];
  return { ...rest, users, contacts: [...contacts.values()], settings: {} };
}

export const data = z.object({
  version: z.literal(1),
  /** The port of the first start, used again so that URLs stay valid. */
  port: z.number().int().optional(),
  accounts: z.array(account),
});

export type Data = z.output<typeof data>;
export type Account = z.output<typeof account>;
export type Webhook = z.output<typeof webhook>;
export type EmailContent = z.output<typeof texts>;
export type User = z.output<typeof user>;
export type Contact = z.output<typeof contact>;
export type Template = z.output<typeof template>;
export type Envelope = z.output<typeof envelope>;
export type Party = z.output<typeof party>;
export type Document = z.output<typeof document>;
