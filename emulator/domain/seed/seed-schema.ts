/** What a seed may say: accounts with their objects, everything with a default. */
import { z } from "zod";
import { colour, email, formatTimestamp, parseTimestamp, text, timestamp, url } from "../../../sdk/api/scalars";
import { settingName } from "../../../sdk/api/settings";
import { openEnum } from "../../../sdk/enum-schemas";
import { roleIds, webhookTypes } from "../../../sdk/known-values";
import { emailTypes } from "../enums-by-edition";

/** A time in any format that can be parsed; stored in the API's own. */
const anyTimestamp = timestamp.transform((value) => formatTimestamp(parseTimestamp(value)));

const pixels = z.number().int().nonnegative();

/** A field that the signer fills. */
const seedField = z.strictObject({
  id: z.number().int(),
  title: text,
  /** Its kind: `signature`, `text`, `date`, `date-signed`, `check`, `upload`, `split`, or any other. */
  type: text.default("text"),
  party: z.number().int().default(1),
  /** Whether it can be filled when an envelope is created as well. */
  merge: z.boolean().default(false),
  required: z.boolean().default(true),
  /** Of a date: `dd/mm/yyyy` unless set. */
  format: text.optional(),
  page: z.number().int().positive().optional(),
  /** On a page of 675 by 875 pixels. */
  place: z.strictObject({ x: pixels, y: pixels, width: pixels, height: pixels }).optional(),
  /** Of a split field: what its cells accept, such as `numeric`. */
  preset: text.optional(),
  /** Of a split field: 1 to 20 groups of 1 to 25 cells. */
  runs: z
    .array(
      z.strictObject({
        cells: z.number().int().min(1).max(25),
        cellGap: pixels.default(0),
        runGap: pixels.default(0),
      }),
    )
    .min(1)
    .max(20)
    .optional(),
});

export type SeedField = z.output<typeof seedField>;

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
  /** Fields of every kind, which the signer fills. */
  fields: z.array(seedField).default([]),
  /** Whether its parties sign with qualified signatures: edition `current`, in accounts with the setting `setting_qes_enabled`. */
  qualified: z.boolean().default(false),
});

export type SeedTemplate = z.output<typeof seedTemplate>;

const fingerprint = z.string().regex(/^[\w-]+$/, "must be letters, digits, _ and -");

/** A document of an envelope. */
const seedDocument = z.strictObject({
  title: text,
  /** Default: random. */
  fingerprint: fingerprint.optional(),
  pages: z.number().int().positive().default(1),
  /** Fields with their values. `party` is the number of a party of the envelope. */
  fields: z
    .array(
      z.strictObject({
        id: z.number().int(),
        title: text,
        type: text.default("text"),
        value: z.string().default(""),
        party: z.number().int().positive().default(1),
        merge: z.boolean().default(false),
      }),
    )
    .default([]),
});

export type SeedDocument = z.output<typeof seedDocument>;

const seedEnvelope = z.strictObject({
  title: text,
  /** Default: random. */
  fingerprint: fingerprint.optional(),
  /** Initial status. */
  status: z.enum(["draft", "sent", "signed", "cancelled", "expired", "failed"]).default("sent"),
  parties: z
    .array(z.strictObject({ name: text, email, role: z.enum(["signer", "copy"]).default("signer") }))
    .min(1)
    .default([{ name: "Sam Signer", email: "sam@example.com", role: "signer" }]),
  created: anyTimestamp.optional(),
  meta: z.json().optional(),
  /** Default: one with the envelope's title. */
  documents: z.array(seedDocument).min(1).optional(),
  /** URL to which the signer is redirected. */
  redirectUrl: url.optional(),
  /** Whether signing requires a password. */
  password: text.optional(),
});

export type SeedEnvelope = z.output<typeof seedEnvelope>;

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

export type SeedAccount = z.output<typeof seedAccount>;

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
