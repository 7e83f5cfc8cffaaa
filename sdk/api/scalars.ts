/**
 * Schemas of the API's scalar types. Schemas for forms accept the typed value, which callers pass, and its text, which a server receives.
 */
import { z } from "zod";
import { documentExtensions } from "../file-types/document-type";
import { logoEndings, otherEnding } from "../file-types/url-ending";
import { type Mistake, mistakeMessage, parseRules } from "../parse-rules";
import { parseUrl } from "../text/url";

/** An ID in a response, a JSON string or integer. Callers always get a string. */
export const id = z.union([z.string().min(1), z.number().int()]).transform(String);

/** An ID in a path or form: a positive integer, as a number or a string. The result is a string. */
export const idInput = z
  .union([z.string(), z.number()], "must be a positive integer")
  // JavaScript has rounded a larger number: it may be the ID of another object.
  .refine((value) => typeof value === "string" || !(value > Number.MAX_SAFE_INTEGER), {
    message: "must be a string: a number cannot hold that many digits",
    abort: true,
  })
  .transform(String)
  .refine((text) => /^[1-9]\d{0,18}$/.test(text), "must be a positive integer");

/** A count in a response, a JSON integer or string. Callers get a number. */
export const count = z.union([z.number().int().nonnegative(), z.string().regex(/^\d+$/)]).transform(Number);

/** A count that may be missing or null, such as the sum of an empty list. */
export const optionalCount = count.nullish().transform((value) => value ?? undefined);

/** Total number of records of a list. */
export const total = optionalCount;

/** A time in a response: `YYYY-MM-DDTHH:MM:SS+0000`, kept as a string. */
export const timestamp = z
  .string()
  .refine((text) => !Number.isNaN(parseTimestamp(text).getTime()), "is not a timestamp");

/**
 * A time that may be missing, null or an empty string. A time in an unknown format is undefined, not an error, since no code depends on
 * it.
 */
export const optionalTimestamp = z
  .union([timestamp, z.literal("").transform(() => null)])
  .nullish()
  .catch(undefined);

/** A value whose type is not documented, as text; null if there is no value. */
export const optionalValue = z
  .unknown()
  .transform((value) => (value === undefined ? undefined : value ? String(value) : null))
  .optional();

/** Parses a time of the API, whose offset has no colon. Returns an invalid Date for any other text. */
export function parseTimestamp(text: string): Date {
  return new Date(text.replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
}

/** Formats a time as the API does: in UTC, with seconds. */
export function formatTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+0000`;
}

/**
 * A positive integer, for `offset` and `limit`. A text that exceeds the largest safe integer, such as the maximum of a 64-bit integer for "all",
 * becomes the largest safe integer.
 */
export const positiveInteger = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d+$/)
        .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER)),
    ],
    "must be a positive integer",
  )
  .pipe(
    z.number("must be a positive integer").int("must be a positive integer").positive("must be a positive integer"),
  );

/** An integer, as a number or string. */
export const integer = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^-?\d+$/)
        .transform(Number),
    ],
    "must be an integer",
  )
  .pipe(z.number("must be an integer").int("must be an integer"));

/** A number of hours that the API accepts: an integer greater than 12, and in the edition `current` also 12. */
export const hours = integer.superRefine((n, ctx) => {
  const [least, message] =
    parseRules().edition === "current" ? [12, "must be at least 12 (hours)"] : [13, "must be greater than 12 (hours)"];
  if (n < least) ctx.addIssue({ code: "custom", message });
});

/** A boolean, or its text in a form field. */
export const formBoolean = z.union(
  [
    z.boolean(),
    z.literal([0, 1]).transform((value) => value === 1),
    z.literal(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1"),
  ],
  "must be true or false",
);

/** A string that is not blank. */
export const text = z
  .string("must be a string")
  .refine((value) => value.trim() !== "" || (value !== "" && parseRules().allowsMistake("blankText")), {
    error: ({ input }) => (input === "" ? "must not be empty" : mistakeMessage("blankText", "must not be empty")),
  });

/** An absolute http or https URL. */
export const url = z.string("must be a URL").refine((value) => {
  // Another number of slashes, or backslashes, is probably a typo, although browsers accept it.
  if (/[\s<>\p{Cc}]/u.test(value) || !/^https?:\/\/[^/\\]/i.test(value)) return false;
  return (parseUrl(value)?.hostname ?? "") !== "";
}, "must be an absolute URL that begins with https:// or http://");

/** The URL of a file of certain types. Only the ending of the URL is checked. */
const fileUrl = (mistake: Mistake, endings: readonly string[], rule: string) =>
  url.refine((value) => otherEnding(value, endings) === undefined || parseRules().allowsMistake(mistake), {
    error: () => mistakeMessage(mistake, rule),
  });

/** The URL of a logo. */
export const logoUrl = fileUrl("logoEnding", logoEndings, "must be a JPG or PNG file");

/** The URL of a document. */
export const documentUrl = fileUrl("documentEnding", documentExtensions, "must be a PDF, Word or Excel file");

const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
/** The addresses that browsers accept in forms, with letters of any alphabet (RFC 6531). */
const emailAddress = new RegExp(`^[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`, "u");

/** An email address. */
export const email = z.string("must be an email address").regex(emailAddress, "must be an email address");

/** A mobile number in international format. */
export const mobileNumber = z
  .string("must be a string")
  .regex(/^\+[1-9]\d{1,14}$/, "must be a mobile number such as +447700900123");

const colourRule = "must be a hex colour of the form #RRGGBB";
/** A hex colour code, `#RGB` or `#RRGGBB`. */
export const colour = z.string(colourRule).regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, colourRule);

/** A value of JSON. A type of ours, since programs name it in their own types: a package manager may hide those of zod from them. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** A structured value that one form field holds as JSON text. Accepts the value or its text. */
export function jsonText<S extends z.ZodType>(schema: S) {
  return z.preprocess((value, ctx) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value);
    } catch {
      ctx.addIssue({ code: "custom", message: "must be valid JSON" });
      return z.NEVER;
    }
  }, schema) as z.ZodType<z.output<S>, z.input<S> | string>;
}

/** Base64. Checked in chunks: a regular expression over many megabytes would exhaust the stack. */
export const base64 = z.string("must be base64").refine((value) => {
  const body = value.replace(/={1,2}$/, "");
  if (value.length % 4 !== 0 || value.length - body.length > 2) return false;
  for (let start = 0; start < body.length; start += 65_536) {
    if (!/^[A-Za-z0-9+/]*$/.test(body.slice(start, start + 65_536))) return false;
  }
  return true;
}, "must be base64");
