/**
 * Drift of one object. The service changes what it is sent (copies a logo, upper-cases a colour, rewrites line ends), so drift
 * is a departure from what it answered, never from what was sent.
 */

import { hashOf } from "../core/hash";
import type { Properties } from "../core/pulumi-values";
import type { Definition, Fields } from "../core/resource-definition";
import type { FieldState } from "./metadata";
import type { Originals, TransferredOriginal } from "./originals-journal";

/** Hash of a value of a field in the account, whatever is known to vary in it. */
export function valueHash(definition: Definition, field: string, value: string): string {
  return hashOf(definition.normalize?.(field, value, "answered") ?? value);
}

/** True when it makes no difference which of two values of a field is declared. */
export function isEquivalent(
  definition: Definition,
  field: string,
  a: string | undefined,
  b: string | undefined,
): boolean {
  if (a === b || a === undefined || b === undefined || definition.normalize === undefined) return a === b;
  return definition.normalize(field, a, "declared") === definition.normalize(field, b, "declared");
}

/** Compares what the service answers now with what it answered. */
export class DriftDetector {
  constructor(
    readonly definition: Definition,
    /** Outputs of the last deployment or refresh. */
    readonly state: Properties,
    readonly fieldStates: Record<string, FieldState>,
  ) {}

  /** The fields that are managed: declared, or declared but now without a live value. */
  get managedFields(): string[] {
    return this.definition.fields.filter((field) => this.declared(field) !== undefined);
  }

  /** The value that was declared. */
  declared(field: string): string | undefined {
    return this.fieldStates[field]?.declared ?? (this.state[field] as string | undefined) ?? undefined;
  }

  /** With more of what was there before; a former owner's value is none, but what was there before that. */
  withOriginals(originals: Originals, handed: Record<string, TransferredOriginal> = {}): DriftDetector {
    const fieldStates = { ...this.fieldStates };
    for (const [field, original] of Object.entries(originals))
      fieldStates[field] = { original, ...this.fieldState(field) };
    for (const [field, { replacedValue, displayedHash, original }] of Object.entries(handed)) {
      const found = fieldStates[field]?.original;
      if (typeof found !== "string" || (found !== replacedValue && this.#hash(field, found) !== displayedHash))
        continue;
      fieldStates[field] = { ...fieldStates[field], original };
    }
    return new DriftDetector(this.definition, this.state, fieldStates);
  }

  /** What is remembered of a field. Without bookkeeping its echo is in the outputs, which may show another value later. */
  fieldState(field: string): FieldState {
    const answered = field in this.fieldStates ? undefined : this.definition.lastReturned?.(field, this.state);
    const declared = this.declared(field);
    if (answered === undefined || declared === undefined) return this.fieldStates[field] ?? {};
    return this.stateAfterWrite(field, declared, answered);
  }

  /** True when the live value is what the service answered to the last write. */
  matchesApplied(field: string, live: string | undefined): boolean {
    return live !== undefined && this.#hash(field, live) === this.#appliedHash(field);
  }

  /** Hash of what the state shows: the echo, or a departure from it that a refresh has found. */
  displayedHash(field: string): string | undefined {
    if (this.fieldStates[field]?.declared === undefined) return this.#appliedHash(field);
    const shown = (this.state[field] as string | undefined) ?? undefined;
    return shown === undefined ? undefined : this.#hash(field, shown);
  }

  /** True when the live value is what the state shows. */
  matchesState(field: string, live: string | undefined): boolean {
    return (live === undefined ? undefined : this.#hash(field, live)) === this.displayedHash(field);
  }

  /** What to remember of a field that was declared as `sent` and answered as `answered`. */
  stateAfterWrite(field: string, sent: string, answered: string): FieldState {
    const returnedHash = this.#hash(field, answered);
    const { original } = this.fieldStates[field] ?? {};
    return {
      ...(returnedHash !== this.#hash(field, sent) && { returnedHash }),
      ...(original !== undefined && { original }),
    };
  }

  #appliedHash(field: string): string {
    const { returnedHash } = this.fieldStates[field] ?? {};
    if (returnedHash !== undefined) return returnedHash;
    // A state without bookkeeping: its outputs are what the service answered.
    const answered = field in this.fieldStates ? undefined : this.definition.lastReturned?.(field, this.state);
    return this.#hash(field, answered ?? this.declared(field) ?? "");
  }

  #hash(field: string, value: string): string {
    return valueHash(this.definition, field, value);
  }
}

/** The live values of the fields that depart from their echo, for outputs and inputs after a refresh. */
export function detectDrift(
  detector: DriftDetector,
  live: Fields,
): { displayed: Fields; fieldStates: Record<string, FieldState>; holds: boolean } {
  const displayed: Fields = {};
  const fieldStates = { ...detector.fieldStates };
  let held = 0;
  for (const field of detector.managedFields) {
    const declared = detector.declared(field)!;
    const { declared: _, ...trace } = detector.fieldStates[field] ?? {};
    if (detector.matchesApplied(field, live[field])) {
      held++;
      displayed[field] = declared;
      fieldStates[field] = trace;
    } else {
      displayed[field] = live[field];
      fieldStates[field] = { ...detector.fieldState(field), declared: declared };
    }
  }
  return { displayed, fieldStates, holds: held > 0 || detector.managedFields.length === 0 };
}
