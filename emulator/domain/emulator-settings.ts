/** Settings: behaviour that the specification leaves open. All can change at run time. */
import { z } from "zod";
import { allEndpoints } from "../../sdk/api/index";
import { editions } from "../../sdk/edition";
import { describeIssue } from "./describe-issue";
import { requiredVariables } from "./emails/default-emails";
import { type EmailType, emailTypes } from "./enums-by-edition";
import { fault } from "./fault";
import { clockDuration, LONGEST_SPAN, LONGEST_WAIT, milliseconds } from "./limits";
import { strictness } from "./strictness";

const optionalGroups = [...new Set(allEndpoints.flatMap(({ endpoint }) => endpoint.optional ?? []))];
const variables = z.partialRecord(z.enum(emailTypes), z.array(z.string()));

const shape = {
  /** The service of the specification, or of today. Default: specification. */
  edition: z.enum(editions).default("specification"),
  /** Bodies of requests: those of the edition (form fields by the specification, JSON today), or `any` of both. Default: edition. */
  bodyTypes: z.enum(["edition", "any"]).default("edition"),
  /** Injected faults; the first that applies decides, latencies add up. Default: none. */
  faults: z.array(fault).default([]),
  /** Seed of the generator for probabilities. Default: 1. */
  faultSeed: z.number().int().default(1),
  /** Milliseconds before every response. Default: 0. */
  latency: milliseconds.default(0),
  /** Load above which requests get a 429. Default: no limit. */
  rateLimit: z
    .strictObject({
      /** Requests per second, per key. */
      perSecond: z.number().positive().optional(),
      /** Size of a burst. Default: the requests of one second. */
      burst: z.number().int().positive().optional(),
      /** Concurrent requests, per key. */
      concurrent: z.number().int().positive().optional(),
      /** Open connections in all; more are reset. */
      connections: z.number().int().positive().optional(),
      /** Format of Retry-After. Default: seconds. */
      retryAfter: z.enum(["seconds", "date", "none"]).optional(),
    })
    .default({}),
  /** Largest `limit`; a larger one returns `fallback` records. Default: 50 and 10. */
  pageCap: z
    .strictObject({
      /** The largest page. Default: 50. */
      limit: z.number().int().positive().default(50),
      /** Records when more are requested. Default: 10. */
      fallback: z.number().int().positive().default(10),
    })
    .default({ limit: 50, fallback: 10 }),
  /** `next` on the last page; `same`: always the page itself, `foreign`: always another host. Default: absent. */
  nextStyle: z.enum(["absent", "null", "empty", "same", "foreign"]).default("absent"),
  /** IDs in responses; `mixed`: strings on create and in lists, integers otherwise. Default: mixed. */
  idStyle: z.enum(["mixed", "string", "integer"]).default("mixed"),
  /** `href` of an update: the resource's URL, or `other`, a URL that does not exist. Default: same; other for a company today. */
  hrefStyle: z.enum(["same", "other"]).optional(),
  /** `extended` adds `company`, `url` and `detail` to errors. Default: extended in the edition `current`, else plain. */
  errorShape: z.enum(["plain", "extended"]).optional(),
  /** A list without items: an empty list, or the error that some services return. Default: list. */
  emptyList: z.enum(["list", "error"]).default("list"),
  /** What comes first in lists. IDs are random, so by `id` a new object can be anywhere. Default: the newest envelope, as recorded; else the oldest. */
  listOrder: z.enum(["oldest", "newest", "id"]).optional(),
  /** Delay before writes appear in lists; reading by ID does not lag. Default: none. */
  listLag: z
    .strictObject({
      /** In milliseconds. Default: 0. */
      ms: clockDuration.default(0),
      /** In listings of the account. Default: 0. */
      lists: z.number().int().nonnegative().default(0),
    })
    .default({ ms: 0, lists: 0 }),
  /** Milliseconds before writes appear in any response to a GET, by ID and in lists, as where reads come from a replica. Default: 0. */
  readLag: clockDuration.default(0),
  /** The URL of an account's logo: the same until the logo changes, or `fresh`, another one at each read. Default: stable. */
  logoAddress: z.enum(["stable", "fresh"]).default("stable"),
  /** Bodies of email templates: stored exactly, with line ends as CRLF, or with trailing space trimmed. Default: exact. */
  textStyle: z.enum(["exact", "crlf", "trimmed"]).default("exact"),
  /** `GET /v1/companies/{id}` also returns the key and the time of creation, as it always does today. Default: false. */
  companyExtras: z.boolean().default(false),
  /**
   * Values that the specification does not list: the email template `email-send-password`, used instead of `email-send` if a password
   * is required, newer webhook types such as `bounced-envelope`, and the status `rejected` of a declined envelope. Always on in the
   * edition `current`. Default: false.
   */
  unlistedValues: z.boolean().default(false),
  /** What the account's interface lacks: these URLs do not exist. Default: nothing. */
  missing: z.array(z.enum(optionalGroups as [string, ...string[]])).default([]),
  /** Whether responses have the members that are known from no source (see [Sources](emulator/sources.md#inventions)). Default: true. */
  inventedMembers: z.boolean().default(true),
  /** Refusals that the service's documents do not have: which are on. Default: all but `webhookAnswers`. */
  strictness: strictness.default({}),
  /** Variables that the bodies of each email template must contain, by type. Default: see [Strictness](#strictness). */
  requiredVariables: variables
    .default({})
    .transform((overrides) => ({ ...requiredVariables, ...overrides }) as Record<EmailType, readonly string[]>),
  /** Milliseconds by which the emulator's clock is wrong. Default: 0. */
  clockSkew: z.number().min(-LONGEST_SPAN).max(LONGEST_SPAN).default(0),
  /** Milliseconds between an envelope's creation and its sending. Default: 200. */
  processingTime: clockDuration.default(200),
  /** Whether an envelope may have more than one document from envelope templates. Default: true. */
  multipleTemplates: z.boolean().default(true),
  /** Whether the account has embedded signing: notifications and envelopes have links to the pages on which parties sign. Default: false. */
  embeddedSigning: z.boolean().default(false),
  /** How webhooks are called. Only loopback URLs are. Default: they are called. */
  notifications: z
    .strictObject({
      /** False: no webhook is called. Default: true. */
      enabled: z.boolean().default(true),
      /** JSON with little more than IDs, instead of form fields. Only in the edition `current`. Default: false. */
      minimal: z.boolean().default(false),
      /** Each webhook that is created gets a secret, with which its notifications are signed. Only in the edition `current`. Default: false. */
      signed: z.boolean().default(false),
      /** Retries if the endpoint does not return 200. Default: 3. */
      retries: z.number().int().nonnegative().max(20).default(3),
      /** Milliseconds before the first retry; doubles each time. Default: 200. */
      backoff: milliseconds.default(200),
      /** Milliseconds until a call times out. Default: 5000. */
      timeout: z.number().positive().max(LONGEST_WAIT).default(5000),
    })
    .prefault({}),
};

export const settings = z.strictObject(shape).superRefine(({ edition, notifications }, context) => {
  if (edition === "current") return;
  for (const name of ["minimal", "signed"] as const) {
    if (!notifications[name]) continue;
    context.addIssue({ code: "custom", path: ["notifications", name], message: "needs the edition `current`" });
  }
});

/** Settings with every default filled in. */
export type Settings = z.output<typeof settings>;
/** Settings as users pass them: everything is optional. */
export type SettingsInput = z.input<typeof settings>;

/** Validates settings. The error lists each invalid member. */
export function parseSettings(input: unknown): Settings {
  const parsed = settings.safeParse(input ?? {}, { error: describeIssue });
  if (parsed.success) return parsed.data;
  throw new Error(`Settings of the emulator: ${z.prettifyError(parsed.error)}`);
}
