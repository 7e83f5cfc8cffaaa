/** Providers that the caller of the engine serves in its own process, without messages. */
import type { PackageSchema } from "./package-schema";
import type { PluginRequest } from "./plugin-request";
import { unwrapSecret, type ValueMap } from "./property-value";
import type { Provider, ProviderConfigs, ResourceCalls } from "./provider-interface";
import { UNKNOWN } from "./signatures";

/** The facts about the run that they serve. */
export interface InProcessHost {
  project: string;
  stack: string;
  projectDirectory: string;
  programDirectory: string;
  /** The stack's configuration, by full key. */
  config: ReadonlyMap<string, { text: string; secret: boolean }>;
  /** The environment of the run, which may differ from `process.env`. */
  env: NodeJS.ProcessEnv;
  /** Identifies the run: the same for all providers of one run, and different for each run. */
  run: string;
  /** Shows a message about the resource with the URN, or about none. `ephemeral`: until the next message, an empty one included. */
  log(severity: "info" | "warning", message: string, urn: string, ephemeral: boolean): void;
}

/** A resource in the state before the run. */
export interface RecordedResource {
  type: string;
  id: string;
  outputs: ValueMap;
}

/** The state before the run. */
export interface RecordedState {
  /** The resources of the instance that is opened, even if its ID was another one. */
  own: readonly RecordedResource[];
  /** By type, the IDs of the resources of all instances. All instances share this object. */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A dynamic provider, which supports neither secrets nor previews. */
export interface InProcessDynamicProvider extends ResourceCalls {
  /** Closes the instance. `isSaved`: the state includes the results of all calls. */
  close(isSaved: boolean): void;
}

/** A provider instance: one provider resource with its settings. */
export interface InProcessProvider extends InProcessDynamicProvider, Pick<Provider, "invoke" | "construct"> {}

/** A package in one run. */
export interface InProcessPackage extends ProviderConfigs {
  /**
   * @param reference `<urn>::<id>` of the provider resource
   * @param settings may have unknown values in a preview
   */
  open(reference: string, settings: ValueMap, recorded: RecordedState): InProcessProvider;
}

/** Dynamic providers of JavaScript programs, whose code is in the state. The caller's own are also served without a process. */
export interface InProcessDynamicProviders {
  /** Whether programs in the folder have the caller's version of it. */
  isIn(programDirectory: string): boolean;
  /** Whether this code is served. */
  serves(code: string): boolean;
  /** Loads it for an instance. `settings`: the whole configuration of the stack. */
  open(host: InProcessHost, settings: ValueMap, recorded: RecordedState): Promise<InProcessDynamicProvider>;
}

/** The code of a dynamic provider, from the first of the values that contains it; undefined if it is unknown or encrypted. */
export function codeOf(...values: (ValueMap | undefined)[]): string | undefined {
  const codes = values.map((each) => unwrapSecret(each?.__provider ?? null));
  return codes.find((code): code is string => typeof code === "string" && code !== UNKNOWN);
}

/** A package that is served without a process. */
export interface InProcessProviders {
  /** Absent if no dynamic provider is served. */
  dynamic?: InProcessDynamicProviders;
  /** Whether it serves the plugin that a resource or a function requests. */
  serves(plugin: PluginRequest): boolean;
  /** The schema, for programs without an SDK. */
  schema(): Promise<PackageSchema>;
  /** Loads it for a run. */
  load(host: InProcessHost): Promise<InProcessPackage>;
}
