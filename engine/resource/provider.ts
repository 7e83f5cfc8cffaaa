/** What the engine asks of a provider, and the ways in which it fails. */
import type { ValueMap } from "./property-value";

/** Whether an update changes something. `unknown`: the engine compares the inputs itself. */
export interface DiffResponse {
  changes: "none" | "some" | "unknown";
  replaces: string[];
  deleteBeforeReplace: boolean;
}
export interface CheckResponse {
  inputs: ValueMap;
  failures: CheckFailure[];
}
export interface CheckFailure {
  property: string;
  reason: string;
}

/** The object exists, but is not what was asked for: it is recorded, and the run fails. */
export class InitError extends Error {
  constructor(
    readonly id: string,
    readonly properties: ValueMap,
    readonly reasons: string[],
  ) {
    super(reasons.join("; "));
  }
}

/** What the engine asks providers. */
export interface Provider {
  check(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse>;
  /** Rejects with {@link DiffUnavailable} while the provider's own configuration is not known. */
  diff(
    urn: string,
    id: string,
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    ignore: readonly string[],
  ): Promise<DiffResponse>;
  create(urn: string, news: ValueMap, timeout: number): Promise<{ id: string; outputs: ValueMap }>;
  read(
    urn: string,
    id: string,
    inputs: ValueMap,
    state: ValueMap,
  ): Promise<{ id: string; outputs: ValueMap; inputs: ValueMap | undefined }>;
  update(
    urn: string,
    id: string,
    old: { inputs: ValueMap; outputs: ValueMap },
    news: ValueMap,
    ignore: readonly string[],
    timeout: number,
  ): Promise<ValueMap>;
  delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void>;
  /** False while the configuration holds unknown values (only in a preview). */
  readonly isConfigured: boolean;
}

export class DiffUnavailable extends Error {}

/** The process ended, or was killed, before it answered: whether what was asked of it took place is not known. */
export class OutcomeUnknown extends Error {}
