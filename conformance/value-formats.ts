/** The formats of values, such as `digits` or `timestamp`, without what they say: all that a report contains of them. */

/** The first that fits is the format of a string. */
const textFormats: readonly (readonly [format: string, pattern: RegExp])[] = [
  ["empty string", /^$/],
  ["digits", /^\d+$/],
  ["true or false as string", /^(true|false)$/],
  ["timestamp", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/],
  ["time in another format", /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?( ?(Z|[+-]\d\d:?\d\d))?)?$/],
  ["URL", /^https?:\/\/\S+$/i],
];

/** Formats of strings that the API has: digits for IDs and counts. */
export type TextFormat = "digits" | "timestamp";

export const missing = "missing";

export const formats: readonly string[] = [
  ...textFormats.map(([format]) => format),
  ...["string", "integer", "other number", "boolean", "null", "object", "list", missing],
];

/** The format of a value. Of a string that may contain anything, only that it is one: its format would say what it is about. */
export function formatOf(value: unknown, isFreeText: boolean): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "other number";
  if (typeof value === "string") return isFreeText ? "string" : formatOfText(value);
  return typeof value === "boolean" ? "boolean" : "object";
}

const formatOfText = (text: string): string => textFormats.find(([, pattern]) => pattern.test(text))?.[0] ?? "string";
