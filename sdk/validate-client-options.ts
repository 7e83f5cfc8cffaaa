/** Validates the options of a client, and adds the default of each that is missing. */
import { z } from "zod";
import { validateApiKey, validateBaseUrl } from "./auth/validate-key-and-url";
import { warnOfNewValues, warnOfTestKey } from "./default-warnings";
import { editions } from "./edition";
import { InputError } from "./errors";
import type { ConnectOptions } from "./options";
import type { Settings } from "./request/api-call";
import { milliseconds, toInputIssues } from "./request/validate-input";

const positive = "must be a positive integer";
const natural = z.number(positive).int(positive).positive(positive);
const optionsSchema = z.strictObject({
  baseUrl: z.string("must be the service's base URL").superRefine((value, ctx) => {
    const message = validateBaseUrl(value);
    if (message !== undefined) ctx.addIssue({ code: "custom", message });
  }),
  apiKey: z.unknown().superRefine((value, ctx) => {
    const message = typeof value === "function" ? undefined : validateApiKey(value);
    if (message !== undefined) ctx.addIssue({ code: "custom", message });
  }),
  maxConcurrency: natural.default(8),
  requestsPerSecond: z.number("must be a positive number").positive("must be a positive number").optional(),
  timeout: milliseconds.default(30_000),
  pageSize: natural.default(50),
  retries: z.number("must be 0 or more").int("must be an integer").nonnegative("must be 0 or more").default(5),
  edition: z.enum(editions, "must be specification or current").default("specification"),
  allowUnknownValues: z.boolean("must be true or false").default(false),
  onRequest: z.custom<ConnectOptions["onRequest"]>((f) => typeof f === "function", "must be a function").optional(),
  onResponse: z.custom<ConnectOptions["onResponse"]>((f) => typeof f === "function", "must be a function").optional(),
  waitForTurn: z.custom<ConnectOptions["waitForTurn"]>((f) => typeof f === "function", "must be a function").optional(),
  refuseWrite: z.custom<ConnectOptions["refuseWrite"]>((f) => typeof f === "function", "must be a function").optional(),
  knownCompanies: z
    .custom<ConnectOptions["knownCompanies"]>((f) => typeof f === "function", "must be a function")
    .optional(),
  isListedLater: z
    .custom<ConnectOptions["isListedLater"]>((f) => typeof f === "function", "must be a function")
    .optional(),
  onTestKey: z.custom<ConnectOptions["onTestKey"]>((f) => typeof f === "function", "must be a function").optional(),
  onNewValue: z.custom<ConnectOptions["onNewValue"]>((f) => typeof f === "function", "must be a function").optional(),
  onWait: z.custom<ConnectOptions["onWait"]>((f) => typeof f === "function", "must be a function").optional(),
});

/** @throws InputError when an option is not valid; contains all issues. */
export function validateOptions(options: ConnectOptions): Settings {
  const result = optionsSchema.safeParse(options);
  if (!result.success) throw new InputError({ operation: "connect" }, toInputIssues(result.error, options));
  return { onTestKey: warnOfTestKey(), onNewValue: warnOfNewValues(), ...result.data } as Settings;
}
