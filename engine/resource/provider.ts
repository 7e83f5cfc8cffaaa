/** What the engine asks of a provider, and the ways in which it fails. */
import type { Goal } from "./goal";
import type { PluginRequest } from "./plugin-request";
import type { PropertyChange } from "./property-diff";
import type { ValueMap } from "./property-value";

/** Whether an update changes something. `unknown`: the engine compares the inputs itself. */
export interface DiffResponse {
  changes: "none" | "some" | "unknown";
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** What differs, of a provider that tells. */
  details?: PropertyChange[] | undefined;
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

/** A function of a package, `provider` empty for the default one. */
export interface FunctionCall {
  token: string;
  args: ValueMap;
  plugin: PluginRequest;
  provider: string;
}

export interface InvokeResponse {
  result: ValueMap;
  failures: CheckFailure[];
}

/** What a registration came to. */
export interface RegisterResult {
  urn: string;
  /** Empty when not known yet. */
  id: string;
  outputs: ValueMap;
  outcome: "done" | "failed" | "skipped";
  /** True when the resource was left out of the operation, so that its outputs are not known. */
  unknown?: boolean;
}

/** With whom the code of a component registers it, and what is in it. */
export interface ComponentRegistrar {
  register(goal: Goal): Promise<RegisterResult>;
  registerOutputs(urn: string, outputs: ValueMap): Promise<void>;
}

/** A component that a provider has constructed: it is registered, with what is in it. */
export interface Constructed {
  urn: string;
  outputs: ValueMap;
  /** By output, the URNs of the resources that it comes from. */
  dependencies: Record<string, string[]>;
}

/** What the engine asks about the configuration of providers, by the URN and the inputs of a provider resource. */
export interface ProviderConfigs {
  checkConfig(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse>;
  diffConfig(urn: string, oldInputs: ValueMap, oldOutputs: ValueMap, news: ValueMap): Promise<DiffResponse>;
}

/** What the engine asks providers. */
export interface Provider {
  /** `dependencies`: by property, the URNs of the resources that it depends on; no message has them. */
  check(
    urn: string,
    olds: ValueMap,
    news: ValueMap,
    dependencies?: Readonly<Record<string, readonly string[]>>,
  ): Promise<CheckResponse>;
  /** Rejects with {@link DiffUnavailable} while the provider's own configuration is not known. */
  diff(
    urn: string,
    id: string,
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    ignore: readonly string[],
  ): Promise<DiffResponse>;
  /** In a preview: what is known before; the id is empty unless it is known. */
  create(urn: string, news: ValueMap, timeout: number, preview: boolean): Promise<{ id: string; outputs: ValueMap }>;
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
    preview: boolean,
  ): Promise<ValueMap>;
  delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void>;
  /** Calls a function of the package. */
  invoke(token: string, args: ValueMap): Promise<InvokeResponse>;
  /** Runs the code of a component, which registers with the engine. */
  construct(goal: Goal, registrar: ComponentRegistrar): Promise<Constructed>;
  /** False while the configuration holds unknown values (only in a preview). */
  readonly isConfigured: boolean;
}

/** The provider's own configuration is not known yet. */
export class DiffUnavailable extends Error {
  constructor() {
    super(
      "the provider of this resource has inputs that are not known before they are made: the preview may not show what an update will do",
    );
  }
}

/** The process ended, or was killed, before it answered: whether what was asked of it took place is not known. */
export class OutcomeUnknown extends Error {}
