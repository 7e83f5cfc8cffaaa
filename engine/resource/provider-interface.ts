/** The interface of providers, as the engine calls it: in a process of their own, or in this one. Also how calls fail. */
import type { Goal } from "./goal";
import type { PluginRequest } from "./plugin-request";
import type { PropertyChange } from "./property-diff";
import type { ValueMap } from "./property-value";

/** The result of a diff. `unknown`: the provider does not say, so the engine compares the inputs. */
export interface DiffResponse {
  changes: "none" | "some" | "unknown";
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** The changed properties, if the provider returns them. */
  details?: PropertyChange[] | undefined;
}
/** A difference that a provider returns. The engine looks up its values. */
export interface DetailedDifference {
  /** Such as `other.items[0]`. */
  path: string;
  kind: PropertyChange["kind"];
  /** The value before is among the inputs, else among the outputs. */
  isOfInputs?: boolean;
}
export interface ReportedDiff extends Omit<DiffResponse, "details"> {
  details?: readonly DetailedDifference[];
}
export interface CheckResponse {
  inputs: ValueMap;
  failures: CheckFailure[];
}
export interface CheckFailure {
  property: string;
  reason: string;
}

/** The object was created or updated only in part. The engine records it, and the run fails. */
export class InitError extends Error {
  constructor(
    readonly id: string,
    readonly properties: ValueMap,
    readonly reasons: string[],
  ) {
    super(reasons.join("; "));
  }
}

/** A call of a package's function. `provider`: reference to an explicit provider, empty for the default one. */
export interface FunctionCall {
  token: string;
  args: ValueMap;
  plugin: PluginRequest;
  /** Empty for that of the parent, or the default one. */
  provider: string;
  /** The URN of the resource whose provider it uses; SDKs send that provider instead. */
  parent?: string;
}

export interface InvokeResponse {
  result: ValueMap;
  failures: CheckFailure[];
}

/** The result of a registration. */
export interface RegisterResult {
  urn: string;
  /** Empty if it is not known yet. */
  id: string;
  outputs: ValueMap;
  outcome: "done" | "failed" | "skipped";
  /** True if the resource was left out of the operation, so that its outputs are not known. */
  unknown?: boolean;
}

/** How the code of a component registers the component and its children. */
export interface ComponentRegistrar {
  register(goal: Goal): Promise<RegisterResult>;
  registerOutputs(urn: string, outputs: ValueMap): Promise<void>;
}

/** A component that a provider has constructed. The component and its children are registered. */
export interface Constructed {
  urn: string;
  outputs: ValueMap;
  /** The URNs of the resources on which each output depends. */
  dependencies: Record<string, string[]>;
}

/** Calls about the configuration of a provider, that is, the inputs of its provider resource. */
export interface ProviderConfigs {
  checkConfig(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse>;
  diffConfig(urn: string, oldInputs: ValueMap, oldOutputs: ValueMap, news: ValueMap): Promise<DiffResponse>;
}

/** Calls to a configured provider. */
export interface Provider {
  /**
   * `dependencies`: the URNs on which each property depends. Only providers in this process get them: the protocol has no field for them.
   */
  check(
    urn: string,
    olds: ValueMap,
    news: ValueMap,
    dependencies?: Readonly<Record<string, readonly string[]>>,
  ): Promise<CheckResponse>;
  /** Rejects with {@link DiffUnavailable} if the provider's own configuration is not known yet. */
  diff(
    urn: string,
    id: string,
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    ignore: readonly string[],
  ): Promise<DiffResponse>;
  /** In a preview, `outputs` are those that are known in advance; `id` is empty if it is not known. */
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
  /** Runs the code of a component, which registers its resources with the engine. */
  construct(goal: Goal, registrar: ComponentRegistrar): Promise<Constructed>;
  /** False if the configuration contains unknown values, which only happens in a preview. */
  readonly isConfigured: boolean;
}

/** The calls about resources, with values in the form that the provider accepts. */
export interface ResourceCalls extends Pick<Provider, "check" | "create" | "read" | "update" | "delete"> {
  diff(...args: Parameters<Provider["diff"]>): Promise<ReportedDiff>;
}

/** The provider cannot compute a diff: its own configuration is not known yet. */
export class DiffUnavailable extends Error {
  constructor() {
    super(
      "the provider of this resource has inputs that are not known before they are made: the preview may not show what an update will do",
    );
  }
}

/** The provider's process ended before it answered: the request may have been applied. */
export class OutcomeUnknown extends Error {}
