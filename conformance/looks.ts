/** What values look like, without what they say: all that a report contains of them. */

/** The first that fits is the look of a string. */
const textLooks: readonly (readonly [look: string, pattern: RegExp])[] = [
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

/** Whether it is the look of a string of some format. */
export const isTextLook = (look: string): boolean => textLooks.some(([one]) => one === look);

export const looks: readonly string[] = [
  ...textLooks.map(([look]) => look),
  ...["string", "integer", "other number", "boolean", "null", "object", "list", missing],
];

/** What a value looks like. Of a string that may contain anything, only that it is one: its look would say what it is about. */
export function lookOf(value: unknown, isFreeText: boolean): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "other number";
  if (typeof value === "string") return isFreeText ? "string" : lookOfText(value);
  return typeof value === "boolean" ? "boolean" : "object";
}

const lookOfText = (text: string): string => textLooks.find(([, pattern]) => pattern.test(text))?.[0] ?? "string";
