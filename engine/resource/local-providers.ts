/** Providers that run in the engine's own process, where the caller has them: no process, no messages. */
import type { PackageSchema } from "./package-schema";
import type { PluginRequest } from "./plugin-request";
import type { ValueMap } from "./property-value";
import type { Provider, ProviderConfigs } from "./provider";

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

/** An instance: what a provider resource is, with its settings. */
export interface LocalProvider extends Omit<Provider, "isConfigured"> {
  /** Ends what it keeps open. */
  close(): void;
}

/** A package in one run. */
export interface LocalPackage extends ProviderConfigs {
  /** `reference`: `<urn>::<id>` of the provider resource. `settings` may have unknown values in a preview. */
  open(reference: string, settings: ValueMap): LocalProvider;
}

/** A package that is served without a process. */
export interface LocalProviders {
  /** Whether it is what a resource or a function asks for. */
  serves(plugin: PluginRequest): boolean;
  /** What programs without an SDK need to know of it. */
  schema(): Promise<PackageSchema>;
  /** Loads it for a run. */
  load(host: LocalHost): Promise<LocalPackage>;
}
