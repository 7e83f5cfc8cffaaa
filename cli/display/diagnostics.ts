/** Messages of programs, providers and the engine: lines at once, warnings and errors at the end. */
import type { Colors } from "picocolors/types";
import { readUrn } from "../../definitions/urn";
import type { EngineEvent } from "../../engine/events";
import { problemPrefix } from "../../engine/resource/urn";
import { shortType } from "./shown-step";
import { clean } from "./terminal-text";

type Diagnostic = Extract<EngineEvent, { type: "diagnostic" }>;

/** A warning or an error, without a word for its severity. */
export interface Message {
  severity: Diagnostic["severity"];
  /** Those after the first are indented. */
  lines: string[];
}

export const textOf = ({ lines }: Message): string => lines.join("\n");

/** How many different lines of a run are remembered: a program may print without end. */
const mostRemembered = 10_000;

/** Serves a preview and the run after it: what was said once is not said again. */
export class Diagnostics {
  /** What the run before this one said, and how often. */
  #before = new Map<string, number>();
  #said = new Map<string, number>();
  #gathered: Diagnostic[] = [];

  readonly #colours: Colors;
  readonly #verbose: boolean;

  constructor(colours: Colors, verbose: boolean) {
    this.#colours = colours;
    this.#verbose = verbose;
  }

  /** Another run begins. */
  begin(): void {
    [this.#before, this.#said, this.#gathered] = [this.#said, new Map(), []];
  }

  /** The lines to show now: none for what is shown at the end, or was said before. */
  add(event: Diagnostic): string[] {
    if (event.severity === "debug" && !this.#verbose) return [];
    if (event.ephemeral) return event.message === "" ? [] : this.#shown(event);
    const key = `${event.severity}\n${event.urn ?? ""}\n${event.message}`;
    const count = (this.#said.get(key) ?? 0) + 1;
    if (count > 1 || this.#said.size < mostRemembered) this.#said.set(key, count);
    // The program runs twice, for the preview and for the run: what it says counts once. Errors are never withheld. Of a list
    // that it prints, many lines may be the same: they all count.
    if (event.severity !== "error" && count <= (this.#before.get(key) ?? 0)) return [];
    if (event.severity === "warning" && count > 1) return [];
    if (event.severity === "warning" || event.severity === "error") {
      this.#gathered.push(event);
      return [];
    }
    return this.#shown(event);
  }

  /** Warnings and errors as a display shows them, with a blank line at their end. */
  lines(): string[] {
    const lines = this.messages().flatMap(({ severity, lines: [first = "", ...rest] }) => {
      const paint = severity === "error" ? this.#colours.red : this.#colours.yellow;
      return [`${paint(`${severity}:`)} ${first}`, ...rest];
    });
    return lines.length > 0 ? [...lines, ""] : [];
  }

  /** Warnings and errors, those of a resource together, in the order in which they came; equal ones are one. */
  messages(): Message[] {
    const byPlace = new Map<string, Diagnostic[]>();
    for (const event of this.#gathered) byPlace.set(event.urn ?? "", [...(byPlace.get(event.urn ?? "") ?? []), event]);
    const messages = new Map<string, { severity: Diagnostic["severity"]; text: string; names: string[] }>();
    for (const event of [...byPlace.values()].flat()) {
      const { resource, text } = split(event);
      const key = `${event.severity}\n${text}`;
      const same = messages.get(key) ?? { severity: event.severity, text, names: [] };
      if (resource !== undefined && !same.names.includes(resource)) same.names.push(resource);
      messages.set(key, same);
    }
    return [...messages.values()].map(({ severity, text, names }) => {
      const [first = "", ...rest] = this.#textLines(names.length === 1 ? `${names[0]}: ${text}` : text);
      const all = names.length > 1 ? [`${names.length} resources: ${listOf(names)}`] : [];
      return { severity, lines: [first, ...[...rest, ...all].map((line) => `  ${line}`)] };
    });
  }

  /** As it is shown when it comes. */
  #shown({ message }: Diagnostic): string[] {
    return this.#textLines(message).map((line) => this.#colours.dim("  │ ") + line);
  }

  #textLines(message: string): string[] {
    return clean(message, this.#colours.isColorSupported).trimEnd().split("\n");
  }
}

/** How many resources of one error are named. */
const mostNames = 12;

const listOf = (names: readonly string[]): string =>
  [...names.slice(0, mostNames), ...(names.length > mostNames ? [`${names.length - mostNames} more`] : [])].join(", ");

/** `Webhook "signed"`, and what is said of it: the engine and the provider each put the resource before a message, too. */
function split({ urn = "", message }: Diagnostic): { resource?: string; text: string } {
  const parts = readUrn(urn);
  if (parts === undefined) return { text: message };
  const [kind, name] = [shortType(parts.type), clean(parts.name, false)];
  const prefixes = [problemPrefix(urn), `${kind} ${name}: `, `${kind}: `];
  const text = prefixes.reduce((rest, prefix) => (rest.startsWith(prefix) ? rest.slice(prefix.length) : rest), message);
  // The first invalid resource of a program reports those of all others.
  const [, other, ofOther] = /^(\w+ "[^"]*"): (.+)$/s.exec(text) ?? [];
  return other === undefined ? { resource: `${kind} "${name}"`, text } : { resource: other, text: ofOther! };
}
