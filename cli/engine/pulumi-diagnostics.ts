/** What the Pulumi CLI says, in the words of the built-in engine: the CLI has no codes, and each of its parts words things in its own way. */
import type { EngineEvent as LoggedEvent } from "@pulumi/pulumi/automation";
import type { EngineEvent } from "../../engine/events";
import { isUrn, problemPrefix } from "../../engine/resource/urn";
import { userFramesOnly } from "../../engine/stack-traces";
import { withoutColours } from "./pulumi-output";

type Diagnostic = Extract<EngineEvent, { type: "diagnostic" }>;
type Logged = NonNullable<LoggedEvent["diagnosticEvent"]>;

export const plain = (text: string): string => withoutColours(text).replace(/\n+$/, "");

/** The errors of an object that is created or updated only in part: the CLI prints them as a list, one too. */
const withoutListMarks = (text: string): string =>
  /^\d+ errors? occurred:\n/.test(text) ? text.replace(/^.*\n/, "").replace(/^\t\* /gm, "") : text;

/** How the CLI says that a stack has no deployment whose configuration could be restored. */
export const saysNotDeployed = ({ message }: Error): boolean => message.includes("no previous deployment");
/** How it says that there is a stack of this name. */
export const saysStackExists = ({ message }: Error): boolean => message.includes("already exists");

/** What an engine says at the end, after what has failed. */
export const isEndWord = (message: string): boolean =>
  /^(preview|update|refresh|destroy) (failed|canceled)$/.test(message);

export function ofDiagnostic(
  { urn: logged, severity, message, ephemeral }: Logged,
  run: { stack: string; project: string },
): Diagnostic[] {
  const text = plain(message);
  // What the CLI logs for those who debug it is in each log.
  if ((severity as string) === "debug" || (severity === "error" && isEndWord(text))) return [];
  const isError = severity === "info#err";
  const urn = logged && urnOf(logged, run);
  return [
    {
      type: "diagnostic",
      severity: isError ? "info" : (severity as Exclude<typeof severity, "info#err">),
      message: severity === "error" ? ofResource(userFramesOnly(withoutListMarks(text)), urn) : text,
      ...(urn && { urn }),
      ...(isError && { stderr: true }),
      ...(ephemeral && { ephemeral }),
      source: severity.startsWith("info") && !urn ? "program" : "engine",
    },
  ];
}

/** Programs in YAML, and registrations that fail, have only the type and the name. */
const urnOf = (logged: string, { stack, project }: { stack: string; project: string }): string =>
  isUrn(logged) ? logged : `urn:pulumi:${stack}::${project}::${logged}`;

const [problem, isNamed] = [/^\S+ resource '.*?' has a problem: /, /^\w+ "[^"\n]*": /];

/** An error of a resource. One without a URN, such as that of a component which is refused before it has one, may name it. */
function ofResource(message: string, urn: string | undefined): string {
  const reason = message.replace(problem, "");
  if (!urn) return isNamed.test(reason) ? reason : message;
  // That it was a preview is said at its end.
  return reason === message ? message.replace(/^Preview failed: /, "") : problemPrefix(urn) + reason;
}

/**
 * What the CLI and its programs say of the resources that they were waiting for when an error ended the run: the connections of the
 * engine are closed. Pulumi's display has it as further errors. A program in YAML says at which of its lines, and that it has said it.
 */
const consequences: readonly RegExp[] = [
  /(?:grpc: the client connection is closing|resource monitor shut down)\s*(?:\n\s*on \S+ line \d+:\n.*)?$/s,
  /^Error registering \w+ \[.*\]: no diagnostics\s*$/,
];

/** Of the errors of a run, those that are about something; all of them, where there is no other. */
export class Causes {
  readonly #consequences: Diagnostic[] = [];
  #hasCause = false;

  /** Returns what to show now. */
  take(event: Diagnostic): Diagnostic[] {
    if (event.severity !== "error") return [event];
    if (consequences.some((consequence) => consequence.test(event.message))) {
      this.#consequences.push(event);
      return [];
    }
    this.#hasCause = true;
    return [event];
  }

  /** At the end: what is to be shown of the others. */
  rest(): Diagnostic[] {
    const rest = this.#consequences.splice(0);
    return this.#hasCause ? [] : rest;
  }
}
