/** Schemas of enums. The service adds values: one that this version does not know, in the form of the others, is sent with a warning. */
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
 * One of the values that are documented. The issue about any other value suggests one, and has the list in {@link UNKNOWN_VALUE}. `unspecified`: those of the values that the specification lacks and the current edition of the service has.
 * {@link ParseRules} may accept other values, and reject those.
 */
export function openEnum<const V extends readonly [string, ...string[]]>(
  values: V,
  unspecified: readonly V[number][] = [],
): z.ZodType<V[number], V[number]> {
  return enumOf(values, unspecified, () => false) as unknown as z.ZodType<V[number], V[number]>;
}

/** The documented values of growing enums, by their schemas. */
const growing = new WeakMap<z.ZodType, readonly string[]>();

/**
 * The same, for an enum to which the service adds values: one in the format of the documented ones is accepted, unless it is one of
 * them but for one or two letters. Who writes it warns: see {@link findNewValues}.
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
/** The statuses of envelopes. A single word is more likely a mistake than a new status. */
export const envelopeStatus = growingEnum(envelopeStatuses, [], /^[a-z\d]+(_[a-z\d]+)+$/);

/** Values by the names of a shape that growing enums accept although they are not documented, each with a message about it. */
export function findNewValues(shape: z.ZodRawShape, values: Record<string, unknown>) {
  return Object.entries(values).flatMap(([field, value]) =>
    newValuesIn(shape[field], value).map(({ written, documented }) => ({
      field,
      message: `"${written}" is new to this version (known: ${documented.join(", ")}). It is sent as it is`,
    })),
  );
}

/** The values of growing enums that are not documented, also in lists. */
function newValuesIn(schema: unknown, value: unknown): { written: string; documented: readonly string[] }[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return newValuesIn(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((one) => newValuesIn(schema.element, one));
  const documented = growing.get(schema as z.ZodType);
  if (documented === undefined || typeof value !== "string" || documented.includes(value)) return [];
  // What is refused is no new value.
  if (!(schema as z.ZodType).safeParse(value).success) return [];
  return [{ written: value, documented }];
}

function enumOf(values: readonly string[], unspecified: readonly string[], isNew: (value: string) => boolean) {
  const message = notOneOf("", values);
  return z.string(message).superRefine((value, ctx) => {
    const isListed = values.includes(value);
    if (isListed && !unspecified.includes(value)) return;
    // A blank value is always rejected.
    if (value.trim() === "") ctx.addIssue({ code: "custom", message });
    else if (!parseRules().allowsValue(value, isListed) && !isNew(value)) {
      ctx.addIssue({ code: "custom", message: notOneOf(value, values), params: { [UNKNOWN_VALUE]: values } });
    }
  });
}

/** Key in the `params` of an issue of {@link openEnum}: the known values. */
export const UNKNOWN_VALUE = "knownValues";

/** The values of an enum; undefined for another schema. */
export function knownValuesOf(schema: z.ZodType): readonly string[] | undefined {
  const issue = schema.safeParse("\u0000").error?.issues[0];
  return issue?.code === "custom" ? (issue.params?.[UNKNOWN_VALUE] as readonly string[] | undefined) : undefined;
}
