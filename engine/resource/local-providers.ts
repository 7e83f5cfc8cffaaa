/** Providers that the caller of the engine serves in its own process, without messages. */
import type { PackageSchema } from "./package-schema";
import type { PluginRequest } from "./plugin-request";
import { unwrapSecret, type ValueMap } from "./property-value";
import type { Provider, ProviderConfigs } from "./provider-interface";
import { UNKNOWN } from "./signatures";

/** What they know of the run that they serve. */
export interface LocalHost {
  project: string;
  stack: string;
  projectDirectory: string;
  programDirectory: string;
  /** The stack's configuration, by full key. */
  config: ReadonlyMap<string, { text: string; secret: boolean }>;
  /** That of the run: `process.env` may be another one. */
  env: NodeJS.ProcessEnv;
  /** What the providers of one run have in common, and those of no other one. */
  run: string;
  /** Shows a message about the resource with the URN, or about none. `ephemeral`: until the next message, an empty one included. */
  log(severity: "info" | "warning", message: string, urn: string, ephemeral: boolean): void;
}

/** What the state has of a resource before the run. */
export interface RecordedResource {
  type: string;
  id: string;
  outputs: ValueMap;
}

/** What the state has before the run. */
export interface RecordedState {
  /** The resources of the instance that is opened, whatever ID that had. */
  own: readonly RecordedResource[];
  /** By type, the IDs of the resources of all instances: one object, however many instances there are. */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
}

/** An instance: what a provider resource is, with its settings. */
export interface LocalProvider extends Omit<Provider, "isConfigured"> {
  /** Ends what it keeps open. `isSaved`: the state includes what all calls have answered. */
  close(isSaved: boolean): void;
}

/** A package in one run. */
export interface LocalPackage extends ProviderConfigs {
  /**
   * @param reference `<urn>::<id>` of the provider resource
   * @param settings may have unknown values in a preview
   */
  open(reference: string, settings: ValueMap, recorded: RecordedState): LocalProvider;
}

/** A dynamic provider: it knows neither secrets nor previews, and only compares. */
export type LocalDynamicProvider = Pick<
  LocalProvider,
  "check" | "diff" | "create" | "read" | "update" | "delete" | "close"
>;

/** Dynamic providers of programs in JavaScript, which are code in the state: that of the caller is served without a process, too. */
export interface LocalDynamicProviders {
  /** Whether programs in the folder have the caller's version of it. */
  isIn(programDirectory: string): boolean;
  /** Whether it is what the code loads. */
  serves(code: string): boolean;
  /** Loads it for an instance. `settings`: the whole configuration of the stack. */
  open(host: LocalHost, settings: ValueMap, recorded: RecordedState): Promise<LocalDynamicProvider>;
}

/** The code of a dynamic provider, in the first of the values that has it; undefined where it is not known, or encrypted. */
export function codeOf(...values: (ValueMap | undefined)[]): string | undefined {
  const codes = values.map((each) => unwrapSecret(each?.__provider ?? null));
  return codes.find((code): code is string => typeof code === "string" && code !== UNKNOWN);
}

/** A package that is served without a process. */
export interface LocalProviders {
  /** Absent where nothing of it is served. */
  dynamic?: LocalDynamicProviders;
  /** Whether it is what a resource or a function asks for. */
  serves(plugin: PluginRequest): boolean;
  /** What programs without an SDK need to know of it. */
  schema(): Promise<PackageSchema>;
  /** Loads it for a run. */
  load(host: LocalHost): Promise<LocalPackage>;
}
