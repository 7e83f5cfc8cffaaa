/** Schema of the emulator's data file. The file is validated when it is read. */
import { z } from "zod";
import { timestamp, url } from "../../sdk/api/scalars";
import { emailTypes, statuses } from "./enums-by-edition";

/** Responses contain an ID as a number or as a string of digits. */
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
  /** Key that signs its notifications. */
  secret: z.string().optional(),
  /** Since when its URL has not answered with status 200. */
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
  /** True if only the signer can fill it: it is not a merge field. */
  signerOnly: z.literal(true).optional(),
  optional: z.literal(true).optional(),
  /** Format of a date field. */
  format: z.string().optional(),
  /** Page number, counted from 1. */
  page: z.number().int().positive().optional(),
  /** Position in pixels, on a page of 675 by 875 pixels. */
  place: z.object({ x: pixels, y: pixels, width: pixels, height: pixels }).optional(),
  /** What a split field accepts. */
  preset: z.string().optional(),
  /** Groups of cells of a split field. */
  runs: z.array(z.object({ cells: pixels, cellGap: pixels, runGap: pixels })).optional(),
});
export type TemplateField = z.output<typeof templateField>;

const template = z.object({
  fingerprint: z.string(),
  title: z.string(),
  pages: z.number().int().positive(),
  parties: z.array(z.object({ id: z.number().int(), title: z.string() })),
  fields: z.array(templateField),
  /** True if its parties sign with qualified signatures, which not every account has. */
  qualified: z.literal(true).optional(),
});

const document = z.object({
  fingerprint: z.string(),
  title: z.string(),
  /** Fingerprint of the template that it was made from. */
  template: z.string().optional(),
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
  /** State of a qualified signature: how far the party's identity is proven, and when the session ends. */
  qes: z
    .object({ status: z.enum(["waiting", "ready", "complete", "failed"]), expires: timestamp.optional() })
    .optional(),
  /** Number of updates. */
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
  /** When processing ends. Absent for an envelope that stays a draft. */
  ready: timestamp.optional(),
  /** True if all parties sign at the same time. */
  allAtOnce: z.literal(true).optional(),
  /** When processing ended. */
  processed: timestamp.optional(),
  expireHours: z.number().optional(),
  remindHours: z.number().optional(),
  /** When the current signer got the first email or the last reminder. */
  reminded: timestamp.optional(),
  /** The metadata. It is in `metaText` if JavaScript would round one of its numbers. */
  meta: z.unknown(),
  metaText: z.string().optional(),
  documents: z.array(document),
  /** In signing order. */
  parties: z.array(party),
  /** Newest first. */
  history: z.array(z.object({ detail: z.string(), ip: z.string(), userAgent: z.string(), date: timestamp })),
});

const account = z.object({
  id,
  name: z.string(),
  email: z.string(),
  key: z.string(),
  /** A second key. Its writes report success and change nothing. */
  testKey: z.string().optional(),
  partner: z.boolean(),
  /** ID of the partner account that created this subaccount. */
  parent: z.string().optional(),
  created: timestamp,
  suspended: z.boolean().optional(),
  /** True if the account's plan does not include the API. */
  withoutApi: z.boolean().optional(),
  /** In the order in which they were added. */
  users: z.array(user),
  /** Contacts that were added, and the parties of envelopes. */
  contacts: z.array(contact),
  /** Settings that differ from their default, by the API's names. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  branding: z.object({
    /** Path and query of the logo's URL, relative to the emulator's base URL; null for no logo. */
    logo: z.string().nullable(),
    colour: z.string(),
  }),
  /** Customized email templates by type. All others have the default content. */
  emails: z.partialRecord(z.enum(emailTypes), texts),
  webhooks: z.array(webhook),
  templates: z.array(template),
  envelopes: z.array(envelope),
  /** Number of envelopes sent, by day (`YYYY-MM-DD`): usage is computed from it. */
  sent: z.record(z.string(), z.number().int()),
});

export const formatVersion = 1;

export const data = z.object({
  version: z.literal(formatVersion),
  /** Port of the first start, or the last one that a start named. Later starts use it again, so that URLs stay valid. */
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
