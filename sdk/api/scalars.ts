/**
 * The scalars of the wire, each described once: how a caller may write a value, what goes into a form field, and what a
 * reply may hold. Form schemas take both the typed value (a caller) and its text (a form that arrived at a server).
 */
import { z } from "zod";
import { parseUrl } from "../text/url";

/** An identifier in a reply: the service answers a JSON string or a JSON integer; callers always get a string. */
export const id = z.union([z.string().min(1), z.number().int()]).transform(String);

/** An identifier in a path or form: a positive integer, as a number or as its digits. Callers and servers get the digits. */
export const idInput = z
  .union([z.string(), z.number()], "must be a positive integer")
  // Rounded already: it would be another object's.
  .refine((value) => typeof value === "string" || !(value > Number.MAX_SAFE_INTEGER), {
    message: "must be given as a text: a number does not hold so many digits",
    abort: true,
  })
  .transform(String)
  .refine((text) => /^[1-9]\d{0,18}$/.test(text), "must be a positive integer");

/** A count in a reply (§1: totals appear as strings): callers get a number. */
export const count = z.union([z.number().int().nonnegative(), z.string().regex(/^\d+$/)]).transform(Number);

/** A count that a service may leave out, or write null for, such as a sum over nothing. */
export const optionalCount = count.nullish().transform((value) => value ?? undefined);

/** How many records a list has in all, where the service says so. */
export const total = optionalCount;

/** A time in a reply: `YYYY-MM-DDTHH:MM:SS+0000`, kept as the text that came. */
export const timestamp = z
  .string()
  .refine((text) => !Number.isNaN(parseTimestamp(text).getTime()), "is not a timestamp");

/**
 * A time in a reply that may be absent; some services write an empty text for none. Nothing depends on it, so in a notation
 * that cannot be read it is taken for absent: an object must not be lost for the look of its date.
 */
export const optionalTimestamp = z
  .union([timestamp, z.literal("").transform(() => null)])
  .nullish()
  .catch(undefined);

/** Reads the service's notation of a time (a numeric offset without colon). Returns an invalid Date for anything else. */
export function parseTimestamp(text: string): Date {
  return new Date(text.replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
}

/** Writes a time in the service's notation, in UTC, to the second. */
export function formatTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+0000`;
}

/**
 * A positive whole number: `offset` and `limit`. The largest integers of other languages, which many write for "all",
 * have more digits than a number holds here: nothing is so long that they would not mean the same as the largest of ours.
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

/** A whole number, typed or as its digits. */
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

/** A number of hours that the service accepts: a whole number greater than 12. */
export const hours = integer.refine((n) => n > 12, "must be greater than 12 (hours)");

/** A flag, typed or as the text of a form field. */
export const formBoolean = z.union(
  [z.boolean(), z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1")],
  "must be true or false",
);

/** A text that must hold something. */
export const text = z.string("must be a text").refine((value) => value.trim() !== "", "must not be empty");

/** An absolute http or https address. */
export const url = z.string("must be an address").refine((value) => {
  // Addresses with another number of slashes, or with backslashes, are slips, although browsers take them.
  if (/[\s<>]/.test(value) || !/^https?:\/\/[^/\\]/i.test(value)) return false;
  return (parseUrl(value)?.hostname ?? "") !== "";
}, "must be an absolute address that begins with https:// or http://");

const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
/** What browsers take in a form, in letters of any alphabet (RFC 6531): accounts and parties have such addresses. */
const emailAddress = new RegExp(`^[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`, "u");

/** An email address. */
export const email = z.string("must be an e-mail address").regex(emailAddress, "must be an e-mail address");

const ofColour = "must be a hex colour of the form #RRGGBB";
/** A colour in hex notation, `#RGB` or `#RRGGBB`. */
export const colour = z.string(ofColour).regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, ofColour);

/**
 * One of the values that the specification lists. A value beyond them is refused, with the list and a near match in the
 * message; the issue is marked with {@link UNKNOWN_VALUE}, so that the setting `allowUnknownValues` can let it through
 * for the day the service adds one.
 */
export function openEnum<const V extends readonly [string, ...string[]]>(values: V): z.ZodType<V[number], V[number]> {
  const message = `must be one of ${values.join(", ")}`;
  return z.string(message).superRefine((value, ctx) => {
    if (values.includes(value)) return;
    // Nothing is no value of tomorrow either.
    if (value.trim() === "") ctx.addIssue({ code: "custom", message });
    else if (!letsThrough(value)) ctx.addIssue({ code: "custom", message, params: { [UNKNOWN_VALUE]: values } });
  }) as unknown as z.ZodType<V[number], V[number]>;
}

const lettingNoneThrough = () => false;
let letsThrough: (value: string) => boolean = lettingNoneThrough;

/**
 * Runs a parse in which {@link openEnum} lets unknown values through: all, or those that `which` names. Parses are synchronous, so
 * a plain switch serves.
 */
export function lettingUnknownValuesThrough<T>(parse: () => T, which: (value: string) => boolean = () => true): T {
  letsThrough = which;
  try {
    return parse();
  } finally {
    letsThrough = lettingNoneThrough;
  }
}

/** Key in the `params` of an issue that {@link openEnum} raised: holds the known values. */
export const UNKNOWN_VALUE = "knownValues";

/** A structured member that travels as JSON text inside one form field. Takes the value or its text. */
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

/** Base64, looked at piece by piece: one pattern over a file of many megabytes would exhaust the stack. */
export const base64 = z.string("must be base64").refine((value) => {
  const body = value.replace(/={1,2}$/, "");
  if (value.length % 4 !== 0 || value.length - body.length > 2) return false;
  for (let at = 0; at < body.length; at += 65_536) {
    if (!/^[A-Za-z0-9+/]*$/.test(body.slice(at, at + 65_536))) return false;
  }
  return true;
}, "must be base64");
