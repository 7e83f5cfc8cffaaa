/** How the service behaves where the specification leaves it open, and what goes wrong on demand. All of it can change at run time. */
import { z } from "zod";
import { allEndpoints } from "../../sdk/api/index";
import { requiredVariables } from "./default-emails";
import { type EmailType, emailTypes } from "./enums";
import { isCode } from "./errors";

/** Timers of Node know no longer wait: a longer one would be over at once. */
export const LONGEST_WAIT = 2 ** 31 - 1;
/** A century. The service's notation of a time has room for years of four digits. */
export const LONGEST_SPAN = 100 * 365.25 * 24 * 3600_000;

/** Milliseconds that something really takes. */
const milliseconds = z.number().nonnegative().max(LONGEST_WAIT);
/** Milliseconds by the service's clock. */
const clockDuration = z.number().nonnegative().max(LONGEST_SPAN);
const operations = allEndpoints.map(({ group, operation }) => `${group}.${operation}`);

/** Which requests a fault meets. Everything that is given must hold; nothing given means every request. */
const matchers = {
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  method: z.enum(["GET", "POST", "PUT", "DELETE"]).optional(),
  /** Path below the base address, `*` for anything: `/v1/webhooks/*`. */
  path: z.string().startsWith("/").optional(),
  /** The endpoint: `webhooks.create`. */
  operation: z.enum(operations as [string, ...string[]]).optional(),
  /** Form fields of the request, with `*` for anything: `{ "webhook_url": "*.invalid/*" }`. */
  form: z.record(z.string(), z.string()).optional(),
  /** Only requests of this account, by its id, which answers hold in both notations. */
  account: z.union([z.string(), z.number().int()]).transform(String).optional(),
};

/** Which of the met requests it strikes. Nothing given means each of them. */
const occurrence = {
  /** Share of the requests, drawn from the generator that `faultSeed` starts: 0 to 1. */
  probability: z.number().min(0).max(1).optional(),
  /** Only the n-th met request, counted from 1. */
  nth: z.union([z.number().int().positive(), z.array(z.number().int().positive())]).optional(),
  /** From the n-th met request on. */
  from: z.number().int().positive().optional(),
  /** At most so many times. */
  times: z.number().int().positive().optional(),
};

const when = { ...matchers, ...occurrence };

/** Whether the request is carried out although its answer is spoilt. Default: true. */
const commit = z.boolean().optional();

export const fault = z.discriminatedUnion("kind", [
  z.strictObject({
    ...when,
    /** Answers later. */
    kind: z.literal("latency"),
    ms: milliseconds,
    /** A random part on top, up to so many milliseconds. */
    jitter: milliseconds.optional(),
  }),
  z.strictObject({
    ...when,
    /** Answers with an HTTP status and does nothing. */
    kind: z.literal("status"),
    status: z.number().int().min(400).max(599),
    /** Seconds for the header Retry-After, sent as seconds or as a date. */
    retryAfter: z
      .number()
      .nonnegative()
      .max(LONGEST_SPAN / 1000)
      .optional(),
    retryAfterStyle: z.enum(["seconds", "date"]).optional(),
    /** What the body is. Default: the service's JSON error. */
    body: z.enum(["json", "html", "empty"]).optional(),
  }),
  z.strictObject({
    ...when,
    /** Answers with one of the service's own errors and does nothing, e.g. 10004 (suspended) or 10309 (unreachable). */
    kind: z.literal("error"),
    code: z.number().refine(isCode, "is not a code of the service"),
    message: z.string().optional(),
    /** HTTP status, instead of the code's own. With 200 the error is in the body's `http` only. */
    status: z.number().int().min(200).max(599).optional(),
  }),
  z.strictObject({
    ...when,
    /** Cuts the connection before anything is done. */
    kind: z.literal("cut-before"),
  }),
  z.strictObject({
    ...when,
    /** Carries the request out, then cuts the connection without an answer. */
    kind: z.literal("cut-after"),
  }),
  z.strictObject({
    ...when,
    /** Never answers. */
    kind: z.literal("hang"),
    commit,
  }),
  z.strictObject({
    ...when,
    /** An HTML page, as from a proxy. */
    kind: z.literal("html"),
    status: z.number().int().min(200).max(599).optional(),
    commit,
  }),
  z.strictObject({
    ...when,
    /** Half the body, then the connection is cut. */
    kind: z.literal("truncated"),
    commit,
  }),
  z.strictObject({
    ...when,
    /** Status 200 without a body. */
    kind: z.literal("empty"),
    commit,
  }),
  z.strictObject({
    ...when,
    /** Members of the body have wrong types. */
    kind: z.literal("wrong-types"),
    commit,
  }),
  z.strictObject({
    ...when,
    /** The body comes in pieces over so many milliseconds. */
    kind: z.literal("slow"),
    ms: milliseconds,
  }),
  z.strictObject({
    ...when,
    /** Answers with the ids of other objects. */
    kind: z.literal("other-ids"),
  }),
  z.strictObject({
    ...when,
    /** As with a test key: success, `"test": true`, nothing changed. */
    kind: z.literal("test"),
  }),
]);

/** One thing that goes wrong, for which requests and how often. */
export type Fault = z.output<typeof fault>;

const variables = z.partialRecord(z.enum(emailTypes), z.array(z.string()));

export const settings = z.strictObject({
  /** Faults on demand; the first that strikes decides, latencies add up. Default: none. */
  faults: z.array(fault).default([]),
  /** Starts the generator from which probabilities are drawn. Default: 1. */
  faultSeed: z.number().int().default(1),
  /** Milliseconds before every answer. Default: 0. */
  latency: milliseconds.default(0),
  /** What the service can bear; above it answers 429. Default: no limit. */
  rateLimit: z
    .strictObject({
      /** Requests per second, per key. */
      perSecond: z.number().positive().optional(),
      /** Requests at once without waiting. Default: one second's worth. */
      burst: z.number().int().positive().optional(),
      /** Requests in flight, per key. */
      concurrent: z.number().int().positive().optional(),
      /** Open connections in all; more are cut. */
      connections: z.number().int().positive().optional(),
      /** How Retry-After is written. Default: seconds. */
      retryAfter: z.enum(["seconds", "date", "none"]).optional(),
    })
    .default({}),
  /** Largest `limit`; a larger one gives `fallback` records. Default: 50 and 10. */
  pageCap: z
    .strictObject({ limit: z.number().int().positive().default(50), fallback: z.number().int().positive().default(10) })
    .default({ limit: 50, fallback: 10 }),
  /** `next` on the last page; `same` names the same page for ever, `foreign` always another host. Default: absent. */
  nextStyle: z.enum(["absent", "null", "empty", "same", "foreign"]).default("absent"),
  /** Ids in answers; `mixed`: strings on create and in lists, integers otherwise. Default: mixed. */
  idStyle: z.enum(["mixed", "string", "integer"]).default("mixed"),
  /** `href` of an update: the resource's address, or `other`, a path that is none, as some services answer. Default: same. */
  hrefStyle: z.enum(["same", "other"]).default("same"),
  /** `extended` adds `company`, `url` and `detail` to errors. Default: plain. */
  errorShape: z.enum(["plain", "extended"]).default("plain"),
  /** A list without items: an empty list, or the error that some services answer. Default: list. */
  emptyList: z.enum(["list", "error"]).default("list"),
  /** What comes first in lists. Ids are drawn at random: by `id`, new objects turn up anywhere. Default: oldest. */
  listOrder: z.enum(["oldest", "newest", "id"]).default("oldest"),
  /** Writes show up in lists late: after so many milliseconds and so many listings. Default: at once. */
  listLag: z.strictObject({ ms: clockDuration.default(0), lists: z.number().int().nonnegative().default(0) }).default({
    ms: 0,
    lists: 0,
  }),
  /** What is done to the bodies of emails: nothing, line ends to CRLF, or spaces at the ends taken away. Default: exact. */
  textStyle: z.enum(["exact", "crlf", "trimmed"]).default("exact"),
  /** Answers of `GET /v1/companies/{id}` also hold the key and the time of creation. Default: false. */
  companyExtras: z.boolean().default(false),
  /**
   * Values beyond the specification, as newer versions know them: the email `email-send-password`, which goes out in place of
   * `email-send` where a password is asked for, the webhook type `bounced-envelope`, and `rejected` as the status of an envelope
   * that was declined. Default: false.
   */
  unlistedValues: z.boolean().default(false),
  /** Variables that the bodies of each email must hold. Types that are left out keep the standard. */
  requiredVariables: variables
    .default({})
    .transform((given) => ({ ...requiredVariables, ...given }) as Record<EmailType, readonly string[]>),
  /** Milliseconds that the service's clock is wrong by. Default: 0. */
  clockSkew: z.number().min(-LONGEST_SPAN).max(LONGEST_SPAN).default(0),
  /** Milliseconds between the creation of an envelope and its sending. Default: 200. */
  processingTime: clockDuration.default(200),
  /** Whether more than one document may come from templates. Default: true. */
  multipleTemplates: z.boolean().default(true),
  /** How registered webhooks are called. Only addresses on loopback are. */
  notifications: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** Form-encoded with JSON text in it, or a JSON body. Default: form. */
      style: z.enum(["form", "json"]).default("form"),
      /** With it, the header `Signature` holds base64(HMAC-SHA256(secret, body)). */
      secret: z.string().optional(),
      /** Repetitions when the receiver does not answer 200. Default: 3. */
      retries: z.number().int().nonnegative().max(20).default(3),
      /** Milliseconds before the first repetition; doubles each time. Default: 200. */
      backoff: milliseconds.default(200),
      /** Milliseconds that the receiver has. Default: 5000. */
      timeout: z.number().positive().max(LONGEST_WAIT).default(5000),
    })
    .prefault({}),
});

/** Settings with every default filled in. */
export type Settings = z.output<typeof settings>;
/** Settings as they are given: everything is optional. */
export type SettingsInput = z.input<typeof settings>;

/** Checks settings from outside. The error names each faulty member. */
export function parseSettings(input: unknown): Settings {
  const parsed = settings.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  throw new Error(`Settings of the local service: ${z.prettifyError(parsed.error)}`);
}
