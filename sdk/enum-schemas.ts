/**
 * Schemas of enums. The service adds values over time: a value that this version does not know, but that looks like the known ones, is
 * sent with a warning.
 */
import { z } from "zod";
import {
  brandingEmailTypes,
  envelopeStatuses,
  type NewValue,
  unspecifiedEmailTypes,
  unspecifiedWebhookTypes,
  webhookTypes,
} from "./known-values";
import { parseRules } from "./parse-rules";
import { isMisspelt, notOneOf } from "./text/did-you-mean";

/**
 * Accepts documented values only. For another value, the issue suggests a similar one and has the list in {@link UNKNOWN_VALUE}. {@link
 * ParseRules} may change that: accept any value, or reject those in `unspecified`, which only the edition `current` has.
 */
export function openEnum<const V extends readonly [string, ...string[]]>(
  values: V,
  unspecified: readonly V[number][] = [],
): z.ZodType<V[number], V[number]> {
  return enumOf(values, unspecified, () => false) as unknown as z.ZodType<V[number], V[number]>;
}

/** All schemas of enums, with the values that the parse in progress accepts. */
const enums = new WeakMap<z.ZodType, () => readonly string[]>();

/** The schemas of `growingEnum`, with their documented values. */
const growing = new WeakMap<z.ZodType, readonly string[]>();

/**
 * Like `openEnum`, but also accepts a new value that has the `format` of the documented ones, unless it is probably a typo (one or two
 * letters differ). The caller warns about new values: see {@link findNewValues}.
 */
function growingEnum<const V extends readonly [string, ...string[]]>(
  values: V,
  unspecified: readonly V[number][],
  format: RegExp,
): z.ZodType<V[number] | NewValue, V[number] | NewValue> {
  const isNew = (value: string) => format.test(value) && !isMisspelt(value, values);
  const schema = enumOf(values, unspecified, (value) => parseRules().allowsNewValues && isNew(value));
  growing.set(schema, values);
  return schema as unknown as z.ZodType<V[number] | NewValue, V[number] | NewValue>;
}

/** The event types of webhooks. */
export const webhookType = growingEnum(webhookTypes, unspecifiedWebhookTypes, /^[a-z\d]+(-[a-z\d]+)+$/);
/** The types of email template. */
export const emailType = growingEnum(brandingEmailTypes, unspecifiedEmailTypes, /^email(-[a-z\d]+)+$/);
/** The statuses of envelopes. The format requires an underscore: a single word is more likely a typo than a new status. */
export const envelopeStatus = growingEnum(envelopeStatuses, [], /^[a-z\d]+(_[a-z\d]+)+$/);

/** The values of `values` that are accepted although they are not documented, each with a message. `shape` has the schemas by name. */
export function findNewValues(shape: z.ZodRawShape, values: Record<string, unknown>) {
  return Object.entries(values).flatMap(([field, value]) =>
    newValuesIn(shape[field], value).map(({ written, documented }) => ({
      field,
      message: `"${written}" is new to this version, which has ${documented.join(", ")}. It is sent as it is`,
    })),
  );
}

/** The undocumented values in a value or a list of a growing enum. */
function newValuesIn(schema: unknown, value: unknown): { written: string; documented: readonly string[] }[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return newValuesIn(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((one) => newValuesIn(schema.element, one));
  const documented = growing.get(schema as z.ZodType);
  if (documented === undefined || typeof value !== "string" || documented.includes(value)) return [];
  // A value that the schema rejects has an issue already.
  if (!(schema as z.ZodType).safeParse(value).success) return [];
  return [{ written: value, documented }];
}

function enumOf(values: readonly string[], unspecified: readonly string[], isNew: (value: string) => boolean) {
  const isAccepted = (value: string) =>
    values.includes(value) && (!unspecified.includes(value) || parseRules().allowsValue(value, true));
  /** Those that the parse in progress accepts: a message must not suggest another. */
  const accepted = () => values.filter(isAccepted);
  // A number may look like one of the values.
  const error = ({ input }: { input?: unknown }) =>
    isAccepted(String(input)) ? `must be a string: one of ${accepted().join(", ")}` : notOneOf("", accepted());
  const schema = z.string({ error }).superRefine((value, ctx) => {
    if (isAccepted(value)) return;
    // A blank value is always rejected.
    if (value.trim() === "") ctx.addIssue({ code: "custom", message: notOneOf("", accepted()) });
    else if (!parseRules().allowsValue(value, values.includes(value)) && !isNew(value)) {
      ctx.addIssue({ code: "custom", message: notOneOf(value, accepted()), params: { [UNKNOWN_VALUE]: accepted() } });
    }
  });
  enums.set(schema, accepted);
  return schema;
}

/** Key in `params` of an issue of {@link openEnum}, with the documented values. */
export const UNKNOWN_VALUE = "knownValues";

/** The values of an enum, of one that may be absent, or of those in a text that is parsed as a list; undefined for another schema. */
export function knownValuesOf(schema: unknown): readonly string[] | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return knownValuesOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) {
    const { in: written, out: parsed } = schema;
    return knownValuesOf(written) ?? knownValuesOf(parsed instanceof z.ZodArray ? parsed.element : parsed);
  }
  return enums.get(schema as z.ZodType)?.();
}
