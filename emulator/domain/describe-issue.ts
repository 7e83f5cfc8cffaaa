/** What is wrong with a value that a user sets, and what is allowed there: the one error map of settings, options, seeds and control requests. */
import type { z } from "zod";
import { closeMatch, notOneOf } from "../../sdk/text/did-you-mean";

type Issue = z.core.$ZodRawIssue;

/** For `safeParse(value, { error: describeIssue })`. A schema's own message comes before it. Shows no text that was passed: it may be a key. */
export function describeIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `is missing; it must be ${typeNames[issue.expected] ?? issue.expected}`
        : `must be ${typeNames[issue.expected] ?? issue.expected}, not ${describeType(issue.input)}`;
    case "invalid_value":
      return oneOf(issue.input, issue.values.map(String));
    case "invalid_union":
      return describeUnion(issue);
    case "too_small":
      return bound(issue, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return bound(issue, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "unrecognized_keys":
      return issue.keys.map((key) => describeUnknown(key, namesIn(issue.inst))).join("; ");
    default:
      return undefined;
  }
}

const typeNames: Record<string, string> = {
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function describeType(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeNames[typeof value] ?? `a ${typeof value}`;
}

function oneOf(value: unknown, allowed: readonly string[]): string {
  if (typeof value === "string") return notOneOf(value, allowed);
  return value === undefined
    ? `is missing; it must be one of ${allowed.join(", ")}`
    : `must be one of ${allowed.join(", ")}`;
}

function describeUnion({ input, discriminator, options, errors }: Extract<Issue, { code: "invalid_union" }>) {
  if (typeof discriminator === "string" && Array.isArray(options))
    return oneOf((input as Record<string, unknown> | null)?.[discriminator], options.map(String));
  // Each way says what it needs; of one that fits so far, what is wrong inside.
  const inner = errors.flat().filter(({ path }) => path.length > 0);
  if (inner.length > 0) return inner.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
  const ways = errors.flatMap(([first]) => (first?.code === "invalid_type" ? [typeNames[first.expected]] : []));
  return ways.length === 0 ? undefined : `must be ${ways.join(" or ")}, not ${describeType(input)}`;
}

/** Of a number its value, of a text or a list how much it must have. */
function bound({ origin, input }: { origin?: string; input?: unknown }, how: string, limit: unknown): string {
  if (origin === "string") return `must have ${how} ${limit} characters`;
  if (origin === "array") return `must have ${how} ${limit} items`;
  return `must be ${how} ${limit}, not ${describeType(input)}`;
}

function describeUnknown(key: string, names: readonly string[]): string {
  const near = closeMatch(key, names);
  if (near !== undefined) return `"${key}" is not known here, did you mean "${near}"?`;
  return names.length === 0 ? `"${key}" is not known here` : `"${key}" is not known here; there is ${names.join(", ")}`;
}

/** The names that an object, or a record of listed keys, may have. */
function namesIn(schema: unknown): string[] {
  const { shape, keyType } = (schema as { _zod?: { def: SchemaDefinition } } | undefined)?._zod?.def ?? {};
  return Object.keys(shape ?? keyType?._zod.def.entries ?? {});
}

interface SchemaDefinition {
  shape?: object;
  keyType?: { _zod: { def: { entries?: object } } };
}
