/**
 * What a user is told when something fails: which resource and field, what happened, and the way out. Hooks cannot know
 * which value is secret, so no message holds the value of an argument, and none holds a key.
 */
import { EsignError, ServiceError } from "../sdk/errors";
import type { Definition, Fields } from "./define";
import { normalise, type Properties } from "./unknowns";

/** Something that the user can put right. The message is complete. */
export class Failure extends Error {
  override readonly name: string = "Error";
}

/** The object exists (again), but the rest of the work failed: the engine keeps the id and the properties. */
export class PartialFailure extends Failure {
  constructor(
    readonly id: string,
    readonly properties: Properties,
    override readonly cause: unknown,
  ) {
    super("");
  }
}

export type Verb = "create" | "read" | "update" | "delete";

/** What was going on when something failed. */
export interface Circumstances {
  definition: Definition;
  verb: Verb;
  /** What was declared, and what the object was like. */
  args: Properties;
  live: Fields;
  /** Takes keys out of a text. */
  redact(text: string): string;
}

/** What `refresh` and `destroy` use is easily taken for the present configuration. */
const staleKey =
  "`refresh` and `destroy` use the configuration of the last `up`: after a change of the key run `up` first";

/** The error that a hook throws: the engine prints its message (or its reasons), and keeps an object that exists. */
export function failureOf(error: unknown, circumstances: Circumstances): Error {
  const cause = error instanceof PartialFailure ? error.cause : error;
  const message = circumstances.redact(describe(cause, circumstances));
  const failure = new Failure(message);
  // The SDK prints the stack of what some hooks throw.
  failure.stack = "";
  if (!(error instanceof PartialFailure)) return failure;
  return Object.assign(failure, {
    id: error.id,
    properties: normalise(error.properties),
    // With reasons the engine does not print the message.
    reasons: [message],
  });
}

function describe(cause: unknown, { definition, verb, args, live }: Circumstances): string {
  const about = `${definition.kind}: cannot ${verb}`;
  if (cause instanceof Failure) return `${about}: ${cause.message}`;
  const message = cause instanceof Error ? cause.message : "unknown failure";
  const words = withoutValues(message, [...valuesOf(definition, args), ...Object.values(live)]);
  if (!(cause instanceof EsignError)) return `${about}: ${words}`;
  const { field, fix } = cause.explain();
  const argument = field === undefined ? undefined : argumentOf(definition, field);
  const more = [fix];
  if (cause instanceof ServiceError) {
    if (cause.status === 401) more.push(staleKey);
    const hint = definition.hint?.(cause.code ?? 0, args as Fields, live);
    if (hint !== undefined) more.push(hint);
  }
  if (cause.perhapsDone) more.push("It may have been carried out: run the same command again, it looks first");
  return [`${about}: ${argument === undefined ? "" : `${argument}: `}${words}`, ...more]
    .map((part) => part.replace(/\.$/, ""))
    .join(". ");
}

/** The argument that a field of the service belongs to. */
function argumentOf(definition: Definition, wireName: string): string | undefined {
  const managed = definition.managed.find((field) => wireName in definition.toWire({ [field]: "" }));
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

/** The service's words may repeat what it was sent. */
function withoutValues(text: string, values: readonly (string | undefined)[]): string {
  const sent = values.filter((value) => value !== undefined && value.length > 3) as string[];
  return sent.sort((a, b) => b.length - a.length).reduce((result, value) => result.replaceAll(value, "[value]"), text);
}
