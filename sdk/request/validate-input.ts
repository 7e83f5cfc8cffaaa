/** Validates the input of a call by its endpoint's schemas before anything is sent. Reports all issues at once, never a value. */
import { z } from "zod";
import { type Endpoint, encodeForm, fillPath, hasBody, pageQuery } from "../api/endpoint";
import { namesBeyond, needsCurrent } from "../edition";
import { type CallContext, InputError, type InputIssue } from "../errors";
import type { WithDefaults } from "../options";
import { anyUnknown, parseWith } from "../parse-rules";
import { closeMatch } from "../text/did-you-mean";
import { isWellFormed } from "../text/well-formed";

/** Path with query, and the fields of the body, if it has one. */
interface BuiltRequest {
  path: string;
  fields: Record<string, unknown> | undefined;
}

/** The options that decide how input is checked. */
export type InputOptions = WithDefaults<"edition" | "allowUnknownValues">;

/** An endpoint, prepared for calls. */
export interface CompiledEndpoint {
  /** `webhooks.create` */
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Parameters and fields that a caller may set. */
  readonly shape: z.ZodRawShape;
  readonly names: ReadonlySet<string>;
  /** Query of a list. */
  readonly query: z.ZodObject | undefined;
  readonly hasParams: boolean;
}

/** Prepares an endpoint. */
export function compileEndpoint(name: string, endpoint: Endpoint): CompiledEndpoint {
  const { params, list } = endpoint;
  // The schema that all share is compiled once.
  const query = list && (list.filters === undefined ? pageQuery : pageQuery.extend(list.filters.shape));
  const shape = { ...params.shape, ...(endpoint.form as z.ZodObject).shape, ...query?.shape };
  const hasParams = Object.keys(params.shape).length > 0;
  return { name, endpoint, shape, names: new Set(Object.keys(shape)), query, hasParams };
}

/** A duration; may be Infinity. */
export const milliseconds = z.custom<number>(
  (value) => typeof value === "number" && value > 0,
  "must be milliseconds, above 0",
);

/** An abort signal, recognized by its members: programs bring their own implementations. */
export const signal = z.custom<AbortSignal>((value) => {
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>;
  return typeof aborted === "boolean" && typeof addEventListener === "function";
}, "must be an AbortSignal, such as the signal of an AbortController");

/** Options of every call. */
export const callOptions = z.strictObject(
  { signal: signal.optional(), timeout: milliseconds.optional() },
  "must be an object with signal or timeout",
);

/** Issues of the options of a function. */
export function validateOptions(schema: z.ZodObject, options: unknown): InputIssue[] {
  const result = schema.safeParse(options);
  return result.success ? [] : toInputIssues(result.error, options, "options");
}

/** Validates the input and builds the request. Throws an {@link InputError} with all issues. */
export function buildRequest(
  op: CompiledEndpoint,
  input: Record<string, unknown>,
  { edition, allowUnknownValues }: InputOptions,
  options: unknown = {},
): BuiltRequest {
  const { endpoint } = op;
  const context: CallContext = { operation: op.name, method: endpoint.method, path: endpoint.path };
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new InputError(context, [{ path: "", message: "needs an object with the fields by name" }]);
  }
  const issues = validateOptions(callOptions, options);
  const beyond = allowUnknownValues ? [] : namesBeyond(edition, op.shape);
  for (const name of Object.keys(input)) {
    if (!op.names.has(name) && endpoint.otherFields?.test(name) !== true)
      issues.push({ path: name, message: unknownFieldMessage(name, op.names) });
    else if (beyond.includes(name) && input[name] !== undefined) issues.push({ path: name, message: needsCurrent });
    else if (typeof input[name] === "string" && !isWellFormed(input[name])) {
      issues.push({ path: name, message: "contains half of a surrogate pair, which cannot be encoded" });
    } else if (name in endpoint.params.shape && /^\.{1,2}$/.test(String(input[name]))) {
      issues.push({ path: name, message: "must not be dots, which lead to another URL" });
    }
  }
  const parse = <S extends z.ZodType>(schema: S): z.output<S> => {
    const result = parseWith({ edition, ...(allowUnknownValues && anyUnknown) }, () => schema.safeParse(input));
    if (!result.success) issues.push(...toInputIssues(result.error, input));
    return result.data as z.output<S>;
  };
  const params = op.hasParams ? parse(endpoint.params) : {};
  const query = op.query && encodeForm(parse(op.query) ?? {});
  const fields = hasBody(endpoint.method) ? (parse(endpoint.form) as Record<string, unknown>) : undefined;
  if (issues.length > 0) throw new InputError(context, issues);
  return {
    path: (op.hasParams ? fillPath(endpoint, params) : endpoint.path) + (query ? `?${query}` : ""),
    fields,
  };
}

/** Converts zod's issues. `input` shows whether a value is missing or not valid; `name` precedes all paths. */
export function toInputIssues(error: z.ZodError, input: unknown, name?: string): InputIssue[] {
  const pathOf = (steps: readonly PropertyKey[]) => formatPath(name === undefined ? steps : [name, ...steps]);
  const reported = new Set(error.issues.map((issue) => (issue.code === "unrecognized_keys" ? "" : pathOf(issue.path))));
  return error.issues.flatMap((issue): InputIssue[] => {
    if (issue.code === "unrecognized_keys") {
      // Some schemas report an unknown member themselves, with more detail.
      return issue.keys
        .map((key) => ({ path: pathOf([...issue.path, key]), message: "is unknown" }))
        .filter(({ path }) => !reported.has(path));
    }
    const value = valueAt(input, issue.path);
    // A message of zod itself: the schema has none.
    const rule = issue.message.startsWith("Invalid ") ? "must be of another type" : issue.message;
    const message = value === undefined && issue.code !== "custom" ? requiredMessage(issue.message) : rule;
    return [{ path: pathOf(issue.path), message }];
  });
}

/** For a missing value, `must be a URL` becomes `is required and must be a URL`. */
function requiredMessage(rule: string): string {
  return rule.startsWith("must ") ? `is required and ${rule}` : "is required";
}

function unknownFieldMessage(name: string, names: ReadonlySet<string>): string {
  const near = closeMatch(name, [...names]);
  const list = names.size === 0 ? "it has none" : `allowed: ${[...names].join(", ")}`;
  return `is not a field of this call${near === undefined ? "" : ` (did you mean ${near}?)`}; ${list}`;
}

/** `["envelope_parties", 1, "party_email"]` as `envelope_parties[1].party_email`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : `${i === 0 ? "" : "."}${String(step)}`))
    .join("");
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    // Structured members may be JSON text.
    if (typeof value === "string") {
      try {
        value = JSON.parse(value);
      } catch {
        return undefined;
      }
    }
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
