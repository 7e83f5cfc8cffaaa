/**
 * What a user is told when something fails: which resource and field, what happened, and the way out. Hooks cannot know
 * which value is secret, so no message holds the value of an argument, and none holds a key.
 */
import { ApiError, EsignError } from "../../sdk/errors";
import { Failure, PartialFailure, WriteFailure } from "../core/failure";
import { type Properties, toJson } from "../core/pulumi-values";
import { redactValues } from "../core/redact-values";
import type { Definition, Fields } from "../core/resource-definition";

export type Verb = "diff" | "create" | "read" | "update" | "delete";

/** What was going on when something failed. */
export interface ErrorContext {
  definition: Definition;
  verb: Verb;
  /** What was declared, and what the object was like. */
  args: Properties;
  live: Fields;
  /** The sub account that the object is in. */
  companyId: string | undefined;
  /** Takes keys out of a text. */
  redact(text: string): string;
}

/** What `refresh` and `destroy` use is easily taken for the present configuration. */
const staleKey =
  "`refresh` and `destroy` use the configuration of the last `up`: after a change of the key run `up` first";
const again = "Run the same command again: it looks first, and does nothing twice";

/** The error that a hook throws: the engine prints its message (or its reasons), and keeps an object that exists. */
export function hookError(error: unknown, context: ErrorContext): Error {
  const message = context.redact(describe(error, context));
  const failure = new Failure(message);
  // The SDK prints the stack of what some hooks throw.
  failure.stack = "";
  if (!(error instanceof PartialFailure)) return failure;
  return Object.assign(failure, {
    id: error.id,
    properties: toJson(error.properties),
    // With reasons the engine does not print the message.
    reasons: [message],
  });
}

/** What happened, to which arguments; what has become of the object; the way out. */
function describe(error: unknown, context: ErrorContext): string {
  const { definition, verb, args, live } = context;
  const kept = error instanceof PartialFailure ? error : undefined;
  const failure = kept?.cause ?? error;
  const write = failure instanceof WriteFailure ? failure : undefined;
  const cause = write?.cause ?? failure;
  const about = `${definition.kind}: cannot ${verb}`;
  const isInDoubt = verb === "update" && write?.isRejected === false;
  const now =
    kept && !isInDoubt
      ? `The ${definition.kind} is in the account and in the state (id ${kept.id}); the next \`up\` does the rest`
      : undefined;
  const message = cause instanceof Error ? cause.message : "unknown failure";
  if (cause instanceof Failure) return sentences([`${about}: ${message}`, now]);
  const values = [...valuesOf(definition, args), ...Object.values(live), ...(write?.values ?? [])];
  const words = redactValues(message, values);
  if (!(cause instanceof EsignError)) return sentences([`${about}: ${words}`, now]);
  const { field, fix } = cause.advice();
  const argument = field === undefined ? undefined : argumentOf(definition, field);
  const isService = cause instanceof ApiError;
  // What is refused whatever is sent is no argument's fault.
  const isGeneral = isService && [401, 403, 404, 407, 429].includes(cause.status);
  const fields = argument !== undefined ? [argument] : isGeneral ? [] : Object.keys(write?.sent ?? {});
  return sentences([
    `${about}: ${fields.length === 0 ? "" : `${fields.join(", ")}: `}${words}`,
    now ?? outcome(cause, write, context),
    fix.replace(settingWords, "esign:$&"),
    isService && cause.status === 401 ? refusedKey(cause, context) : undefined,
    isService ? definition.hint?.(cause.code ?? 0, args as Fields, { ...write?.previous, ...live }) : undefined,
  ]);
}

/** Whose key was refused. */
function refusedKey({ operation }: EsignError, { verb, companyId }: ErrorContext): string | undefined {
  if (companyId !== undefined && !operation?.startsWith("companies.")) {
    return `The key is that of the sub account ${companyId}, as the partner's list of companies shows it`;
  }
  // In an `up` the configuration is today's.
  return verb === "read" || verb === "delete" ? staleKey : undefined;
}

/** Settings by the names that the client has for them. */
const settingWords = /\b(apiKey|baseUrl|maxConcurrency|requestsPerSecond|timeout)\b/g;

/** Whether anything was changed. */
function outcome(cause: EsignError, write: WriteFailure | undefined, { verb }: ErrorContext) {
  if (write?.isPartlyApplied) return `What was sent before it was carried out. ${again}`;
  if (!cause.mayHaveSucceeded) return verb === "read" ? undefined : "Nothing was changed";
  return again;
}

const sentences = (parts: readonly (string | undefined)[]) =>
  parts
    .filter((part) => part !== undefined)
    .map((part) => part.replace(/\.$/, ""))
    .join(". ");

/** The argument that a field of the service belongs to. */
function argumentOf(definition: Definition, wireName: string): string | undefined {
  const managed = definition.fields.find((field) => wireName in definition.toApi({ [field]: "" }));
  const sameName = wireName.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return managed ?? (sameName in definition.args.shape ? sameName : undefined);
}

/** The texts that users gave. Words of fixed lists are none, and messages need them. */
function valuesOf(definition: Definition, args: Properties): string[] {
  const words = new Set(["account", "type", ...Object.keys(definition.defaults)]);
  return Object.entries(args).flatMap(([field, value]) =>
    typeof value === "string" && !words.has(field) ? [value] : [],
  );
}
