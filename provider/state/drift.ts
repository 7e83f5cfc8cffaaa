/**
 * Drift of one object. The service changes what it is sent (copies a logo, upper-cases a colour, rewrites line ends), so drift
 * is a departure from what it answered, never from what was sent.
 */

import { hashOf } from "../core/hash";
import type { Properties } from "../core/pulumi-values";
import type { Definition, Fields } from "../core/resource-definition";
import type { Trace } from "./bookkeeping";
import type { Handed, Originals } from "./originals-journal";

/** Hash of a value of a field in the account, whatever is known to vary in it. */
export function markOf(definition: Definition, field: string, value: string): string {
  return hashOf(definition.canonical?.(field, value, "answered") ?? value);
}

/** True when it makes no difference which of two values of a field is declared. */
export function same(definition: Definition, field: string, a: string | undefined, b: string | undefined): boolean {
  if (a === b || a === undefined || b === undefined || definition.canonical === undefined) return a === b;
  return definition.canonical(field, a, "declared") === definition.canonical(field, b, "declared");
}

/** Compares what the service answers now with what it answered. */
export class Echo {
  constructor(
    readonly definition: Definition,
    /** Outputs of the last deployment or refresh. */
    readonly state: Properties,
    readonly traces: Record<string, Trace>,
  ) {}

  /** The fields that are managed: declared, or declared but now without a live value. */
  get managed(): string[] {
    return this.definition.managed.filter((field) => this.declared(field) !== undefined);
  }

  /** The value that was declared. */
  declared(field: string): string | undefined {
    return this.traces[field]?.sent ?? (this.state[field] as string | undefined) ?? undefined;
  }

  /** With more of what was there before; a former owner's value is none, but what was there before that. */
  withOriginals(originals: Originals, handed: Record<string, Handed> = {}): Echo {
    const traces = { ...this.traces };
    for (const [field, original] of Object.entries(originals)) traces[field] = { original, ...this.kept(field) };
    for (const [field, { instead, shown, original }] of Object.entries(handed)) {
      const found = traces[field]?.original;
      if (typeof found !== "string" || (found !== instead && this.#hash(field, found) !== shown)) continue;
      traces[field] = { ...traces[field], original };
    }
    return new Echo(this.definition, this.state, traces);
  }

  /** What is remembered of a field. Without bookkeeping its echo is in the outputs, which may show another value later. */
  kept(field: string): Trace {
    const answered = field in this.traces ? undefined : this.definition.answered?.(field, this.state);
    const declared = this.declared(field);
    if (answered === undefined || declared === undefined) return this.traces[field] ?? {};
    return this.trace(field, declared, answered);
  }

  /** True when the live value is what the service answered to the last write. */
  holds(field: string, live: string | undefined): boolean {
    return live !== undefined && this.#hash(field, live) === this.#expected(field);
  }

  /** Hash of what the state shows: the echo, or a departure from it that a refresh has found. */
  shown(field: string): string | undefined {
    if (this.traces[field]?.sent === undefined) return this.#expected(field);
    const shown = (this.state[field] as string | undefined) ?? undefined;
    return shown === undefined ? undefined : this.#hash(field, shown);
  }

  /** True when the live value is what the state shows. */
  shows(field: string, live: string | undefined): boolean {
    return (live === undefined ? undefined : this.#hash(field, live)) === this.shown(field);
  }

  /** What to remember of a field that was declared as `sent` and answered as `answered`. */
  trace(field: string, sent: string, answered: string): Trace {
    const echo = this.#hash(field, answered);
    const { original } = this.traces[field] ?? {};
    return { ...(echo !== this.#hash(field, sent) && { echo }), ...(original !== undefined && { original }) };
  }

  #expected(field: string): string {
    const { echo } = this.traces[field] ?? {};
    if (echo !== undefined) return echo;
    // A state without bookkeeping: its outputs are what the service answered.
    const answered = field in this.traces ? undefined : this.definition.answered?.(field, this.state);
    return this.#hash(field, answered ?? this.declared(field) ?? "");
  }

  #hash(field: string, value: string): string {
    return markOf(this.definition, field, value);
  }
}

/** The live values of the fields that depart from their echo, for outputs and inputs after a refresh. */
export function shownFields(
  echo: Echo,
  live: Fields,
): { shown: Fields; traces: Record<string, Trace>; holds: boolean } {
  const shown: Fields = {};
  const traces = { ...echo.traces };
  let held = 0;
  for (const field of echo.managed) {
    const declared = echo.declared(field)!;
    const { sent: _, ...trace } = echo.traces[field] ?? {};
    if (echo.holds(field, live[field])) {
      held++;
      shown[field] = declared;
      traces[field] = trace;
    } else {
      shown[field] = live[field];
      traces[field] = { ...echo.kept(field), sent: declared };
    }
  }
  return { shown, traces, holds: held > 0 || echo.managed.length === 0 };
}
