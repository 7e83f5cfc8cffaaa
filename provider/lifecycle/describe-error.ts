/**
 * What the user reads when something fails: which resource and field, what happened, what to do. The provider cannot know which
 * value is secret, so no message holds the value of an argument, and none holds a key.
 */

import type { z } from "zod";
import { knownValuesOf } from "../../sdk/enum-schemas";
import type { Explanation } from "../../sdk/error-codes";
import { AbortedError, ApiError, EsignError } from "../../sdk/errors";
import { Failure, WriteFailure } from "../core/failure";
import { errorText } from "../core/grpc-error-text";
import { InitFailure } from "../core/init-failure";
import { PartialFailure } from "../core/partial-failure";
import { type Properties, toJson } from "../core/pulumi-values";
import { redactValues } from "../core/redact-values";
import type { Fields, ResourceDefinition } from "../core/resource-definition";
import { withConfigNames } from "../core/setting-names";

export type LifecycleVerb = "diff" | "create" | "read" | "update" | "delete";

/** What was being done. */
export interface ErrorContext {
  definition: ResourceDefinition;
  /** Name of the resource, where the engine shows the message without it. */
  name?: string | undefined;
  verb: LifecycleVerb;
  /** The declared arguments. */
  args: Properties;
  /** Whether the configuration is the current one in every operation. */
  hasCurrentConfiguration?: boolean;
  /** Removes keys from a text. */
  redact(text: string): string;
}

const staleKey =
  "refresh and destroy use the key of the last `up`. After a rotation, or if the account was deleted, run `up` without --refresh first, or add --run-program; `state delete <urn>` removes from the state what was in a deleted account";
const rerun = "Rerun the command; it checks the account first and creates nothing twice";

/** The error that a call of the provider throws: the engine prints its message (or its reasons), and keeps an object that exists. */
export function providerError(error: unknown, context: ErrorContext): Error {
  const message = errorText(context.redact(describe(error, context)));
  // With reasons the engine does not print the message.
  const result =
    error instanceof PartialFailure
      ? new InitFailure(message, error.id, toJson(error.properties), [message])
      : new Error(message);
  // The SDK prints the stack of what some handlers throw.
  result.stack = "";
  return result;
}

/** What happened, what became of the object, what to do. */
function describe(error: unknown, context: ErrorContext): string {
  const { definition, verb, args } = context;
  const partial = error instanceof PartialFailure ? error : undefined;
  const failure = partial?.cause ?? error;
  const write = failure instanceof WriteFailure ? failure : undefined;
  const cause = write?.cause ?? failure;
  const isUnknownOutcome = verb === "update" && write?.isRejected === false;
  const recorded =
    partial && !isUnknownOutcome
      ? `The ${definition.kind} is in the account and recorded (id ${partial.id})${cause instanceof Failure && cause.isLasting ? "" : ". The next `up` completes it"}`
      : undefined;
  const about = `${definition.kind}${context.name === undefined ? "" : ` "${context.name}"`}: cannot ${verb}: `;
  if (cause instanceof Failure) return joinSentences([about + cause.message, recorded]);
  const values = [...valuesOf(definition, args), ...(write?.values ?? [])];
  const summary = redactSummary(
    cause,
    values.filter((value) => value === undefined || !wordsOf(definition).has(value)),
  );
  if (!(cause instanceof EsignError)) return joinSentences([about + summary, recorded]);
  const { field, fix } = adviceOn(cause);
  const message = cause.message.slice(0, cause.message.length - cause.summary.length) + summary;
  // About no resource, and no write: in a preview, it is the first request.
  if (cause instanceof ApiError && cause.status === 401 && write === undefined)
    return joinSentences([
      `${definition.kind}: the API key is wrong: ${summary}`,
      recorded ?? outcomeOf(cause, write, verb),
      rejectedSubaccount(cause) ?? withConfigNames(fix),
      ...apiHints(cause, write, context),
    ]);
  const argument = field === undefined ? undefined : argumentOf(definition, field);
  const fields = argument === undefined ? sentFields(cause, write) : [argument];
  // What a preview and an `up` read first, before anything is created or updated.
  const isFirstRead = cause.method === "GET" && write === undefined && (verb === "create" || verb === "update");
  return joinSentences([
    isFirstRead
      ? `${about.replace(`cannot ${verb}`, "cannot read the account")}${summary}`
      : `${about}${fields.length === 0 ? "" : `${fields.join(", ")}: `}${message}`,
    recorded ?? outcomeOf(cause, write, verb),
    rejectedSubaccount(cause) ?? withConfigNames(fix),
    ...(cause instanceof ApiError ? apiHints(cause, write, context) : []),
  ]);
}

/** The client's advice. What stopped a call is for Pulumi's users the end of a run. */
function adviceOn(cause: EsignError): Explanation {
  const advice = cause.advice();
  return cause instanceof AbortedError ? { ...advice, fix: "Rerun the command if needed" } : advice;
}

/** The fields that an error may be about; none if the API rejects whatever is sent. */
function sentFields(cause: EsignError, write: WriteFailure | undefined): string[] {
  const isGeneral = cause instanceof ApiError && [401, 403, 404, 407, 429].includes(cause.status);
  return isGeneral ? [] : Object.keys(write?.sent ?? {});
}

function apiHints(cause: ApiError, write: WriteFailure | undefined, context: ErrorContext): (string | undefined)[] {
  const { definition, verb, args } = context;
  // In an `up` the configuration is the current one.
  const mayBeStale = !context.hasCurrentConfiguration && (verb === "read" || verb === "delete");
  return [
    cause.status === 401 && cause.companyId === undefined && mayBeStale ? staleKey : undefined,
    definition.hint?.(cause.code ?? 0, args as Fields, write?.previous ?? {}),
  ];
}

/** What to do about the rejected key of a subaccount, which is not a setting. */
function rejectedSubaccount(cause: EsignError): string | undefined {
  const isRejected = cause instanceof ApiError && cause.status === 401 && cause.companyId !== undefined;
  return isRejected
    ? `The key is that of subaccount ${cause.companyId}, from the partner's list of companies. Rerun the command; it reads the list again`
    : undefined;
}

/** Whether anything was changed. */
function outcomeOf(cause: EsignError, write: WriteFailure | undefined, verb: LifecycleVerb): string | undefined {
  if (write?.isPartlyApplied) return `An earlier request was applied. ${rerun}`;
  if (cause.mayHaveSucceeded) return rerun;
  return verb === "read" ? undefined : "Nothing was changed";
}

const joinSentences = (parts: readonly (string | undefined)[]) =>
  parts
    .filter((part) => part !== undefined)
    .map((part) => part.replace(/\.$/, ""))
    .join(". ");

/** The argument that a field of the API belongs to. */
function argumentOf(definition: ResourceDefinition, apiName: string): string | undefined {
  const managed = definition.managed.find((field) => definition.fields[field]!.apiName === apiName);
  const sameName = apiName.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return managed ?? (sameName in definition.args.shape ? sameName : undefined);
}

/** What happened, without the operation. The client's own words for its call are no value of the user's, even if they are equal. */
function redactSummary(cause: unknown, values: readonly (string | undefined)[]): string {
  if (!(cause instanceof EsignError))
    return redactValues(cause instanceof Error ? cause.message : "unknown failure", values);
  const { summary, method, path = "" } = cause;
  const call = `${method} ${path.split("?")[0]}`;
  const own = summary.startsWith(call) ? call : "";
  return own + redactValues(summary.slice(own.length), values);
}

/** The values of enums and booleans, which are not secret: masking one would mask it in other words, too. */
const wordsOf = ({ args: { shape } }: ResourceDefinition): ReadonlySet<string> =>
  new Set(["true", "false", ...Object.values(shape).flatMap((schema) => knownValuesOf(schema as z.ZodType) ?? [])]);

/** The values that the user chose. Those of enums are not secret, and messages need them. */
function valuesOf({ args: { shape } }: ResourceDefinition, args: Properties): string[] {
  const isShown = (field: string) =>
    field === "account" || (Object.hasOwn(shape, field) && knownValuesOf(shape[field] as z.ZodType) !== undefined);
  return Object.entries(args).flatMap(([field, value]) =>
    typeof value === "string" && !isShown(field) ? [value] : [],
  );
}
