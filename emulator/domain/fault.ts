/** Faults that the emulator can inject: what happens, to which requests and how often. */
import { z } from "zod";
import { httpMethods } from "../../sdk/api/endpoint";
import { allEndpoints } from "../../sdk/api/index";
import { isCode } from "./api-errors";
import { LONGEST_SPAN, milliseconds } from "./limits";

const operations = allEndpoints.map(({ group, operation }) => `${group}.${operation}`);

/** Which requests a fault matches. All members must match; without any, it matches every request. */
const matchers = {
  /** `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. */
  method: z.enum(httpMethods).optional(),
  /** Path below the base URL, `*` for anything: `/v1/webhooks/*`. */
  path: z.string().startsWith("/").optional(),
  /** The endpoint: `webhooks.create`. */
  operation: z.enum(operations as [string, ...string[]]).optional(),
  /** Form fields, with `*` for anything: `{ "webhook_url": "*.invalid/*" }`. */
  form: z.record(z.string(), z.string()).optional(),
  /** The account's ID, as a string or a number. */
  account: z.union([z.string(), z.number().int()]).transform(String).optional(),
};

/** Which of the matching requests it affects. Default: all of them. */
const occurrence = {
  /** 0 to 1, drawn from the generator that starts with `faultSeed`. */
  probability: z.number().min(0).max(1).optional(),
  /** Only the n-th matching request, counted from 1; or a list of such numbers. */
  nth: z.union([z.number().int().positive(), z.array(z.number().int().positive())]).optional(),
  /** From the n-th matching request on. */
  from: z.number().int().positive().optional(),
  /** At most this many times. */
  times: z.number().int().positive().optional(),
};

const when = { ...matchers, ...occurrence };

/** Whether the operation runs before the response is corrupted. Default: true. */
const commit = z.boolean().optional();

export const fault = z.discriminatedUnion("kind", [
  z.strictObject({
    ...when,
    /** Delays the response. */
    kind: z.literal("latency"),
    ms: milliseconds,
    /** Up to this many random milliseconds on top. */
    jitter: milliseconds.optional(),
  }),
  z.strictObject({
    ...when,
    /** Returns an HTTP status and does nothing. */
    kind: z.literal("status"),
    status: z.number().int().min(400).max(599),
    /** Seconds for the Retry-After header. */
    retryAfter: z
      .number()
      .nonnegative()
      .max(LONGEST_SPAN / 1000)
      .optional(),
    retryAfterStyle: z.enum(["seconds", "date"]).optional(),
    /** Default: `json`, an API error. */
    body: z.enum(["json", "html", "empty"]).optional(),
  }),
  z.strictObject({
    ...when,
    /** Returns an API error and does nothing, e.g. 10004 (suspended) or 10309 (unreachable). */
    kind: z.literal("error"),
    code: z.number().refine(isCode, "is not an API error code"),
    message: z.string().optional(),
    /** HTTP status instead of the code's own. With 200 only the body shows the error. */
    status: z.number().int().min(200).max(599).optional(),
  }),
  z.strictObject({
    ...when,
    /** Resets the connection and does nothing. */
    kind: z.literal("cut-before"),
  }),
  z.strictObject({
    ...when,
    /** Runs the operation, then resets the connection without a response. */
    kind: z.literal("cut-after"),
  }),
  z.strictObject({
    ...when,
    /** Never responds. */
    kind: z.literal("hang"),
    commit,
  }),
  z.strictObject({
    ...when,
    /** Returns an HTML page, as from a proxy. */
    kind: z.literal("html"),
    status: z.number().int().min(200).max(599).optional(),
    commit,
  }),
  z.strictObject({
    ...when,
    /** Sends half the body, then resets the connection. */
    kind: z.literal("truncated"),
    commit,
  }),
  z.strictObject({
    ...when,
    /** Returns status 200 without a body. */
    kind: z.literal("empty"),
    commit,
  }),
  z.strictObject({
    ...when,
    /** Changes the types of the body's members. */
    kind: z.literal("wrong-types"),
    commit,
  }),
  z.strictObject({
    ...when,
    /** Sends the body in pieces over this many milliseconds. */
    kind: z.literal("slow"),
    ms: milliseconds,
  }),
  z.strictObject({
    ...when,
    /** Responds to a GET with another object. */
    kind: z.literal("other-ids"),
  }),
  z.strictObject({
    ...when,
    /** Returns success with `"test": true` and changes nothing, as with a test key. */
    kind: z.literal("test"),
  }),
]);

export const faultKinds: readonly string[] = fault.options.map(({ shape }) => shape.kind.value);

/** A fault: what happens, to which requests and how often. */
export type Fault = z.output<typeof fault>;
