/**
 * The provider instances of a run, by the URN and ID of their provider resource. An instance is in this process, or its process starts
 * with the first call.
 *
 * Used for: resources of type pulumi:providers:*.
 */
import { randomUUID } from "node:crypto";
import type { ConfigMap } from "../config/resolve-config";
import { EngineError } from "../errors";
import { asReceived } from "../resource/as-received";
import type { InProcessHost, InProcessPackage, InProcessProviders } from "../resource/in-process-providers";
import {
  newestPlugin,
  type PluginRequest,
  pluginInputs,
  pluginOf,
  reservedOf,
  settingsOf,
} from "../resource/plugin-request";
import { secret, unwrapSecrets, type ValueMap } from "../resource/property-value";
import type { CheckResponse, DiffResponse, Provider, ProviderConfigs } from "../resource/provider-interface";
import type { ResourceState } from "../resource/resource-state";
import { UNKNOWN } from "../resource/signatures";
import { DYNAMIC_PACKAGE, packageOf, providerIdOf, providerUrnOf, typeOf } from "../resource/urn";
import type { ComponentEnvironment } from "./construct";
import { DynamicInstance } from "./dynamic-instance";
import { checkConfig, diffConfig, GrpcProvider } from "./grpc-provider";
import { InProcessDynamic, InProcessPlugin } from "./in-process-instance";
import type { Sdk } from "./node-sdk";
import { ProviderConnection } from "./provider-connection";
import type { ProviderProcesses } from "./provider-process";
import { RecordedResources } from "./recorded-resources";

/** The environment of providers in processes of their own. */
interface RemoteProviders {
  sdk: Sdk;
  processes: ProviderProcesses;
  components: ComponentEnvironment;
}

interface RegistryOptions {
  /** Undefined in a run in which no provider has a process. */
  remote: RemoteProviders | undefined;
  inProcess: InProcessProviders | undefined;
  host: InProcessHost;
  dryRun: boolean;
  /** What the state has before the run. */
  resources: readonly ResourceState[];
  /** The provider of stack references. */
  builtin: Provider;
}

export class ProviderRegistry implements ProviderConfigs {
  readonly #instances = new Map<string, Provider>();
  readonly #connections = new Set<ProviderConnection>();
  readonly #inProcess = new Set<InProcessPlugin | InProcessDynamic>();
  /** By URN, the connection that has checked the configuration and has no instance yet. */
  readonly #checked = new Map<string, ProviderConnection>();
  /** By URN, the connection of the last instance. */
  readonly #current = new Map<string, ProviderConnection>();
  #loaded: Promise<InProcessPackage> | undefined;
  #isClosed = false;

  readonly #options: RegistryOptions;
  readonly #recorded: RecordedResources;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#recorded = new RecordedResources(options.resources);
  }

  #remoteFor(request: PluginRequest): RemoteProviders {
    if (this.#options.remote !== undefined) return this.#options.remote;
    throw new EngineError(
      `the provider of the package ${request.name}${request.version && ` ${request.version}`} is not part of this command; run with --engine pulumi to use the Pulumi CLI`,
    );
  }

  #connect(request: PluginRequest): ProviderConnection {
    const { sdk, processes } = this.#remoteFor(request);
    const connection = new ProviderConnection(sdk, () => {
      if (this.#isClosed) return Promise.reject(new Error("the engine is shutting down"));
      return processes.take(request);
    });
    this.#connections.add(connection);
    return connection;
  }

  #isInProcess(request: PluginRequest): boolean {
    return this.#options.inProcess?.serves(request) === true;
  }

  readonly #loadInProcess = (): Promise<InProcessPackage> => {
    this.#loaded ??= this.#options.inProcess!.load(this.#options.host);
    return this.#loaded;
  };

  /** Dynamic providers do not check their configuration. */
  async checkConfig(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse> {
    const pkg = packageOf(typeOf(urn));
    if (isWithoutConfig(pkg)) return { inputs: news, failures: [] };
    const request = pluginOf(pkg, news);
    const check = async (): Promise<CheckResponse> => {
      if (this.#isInProcess(request))
        return (await this.#loadInProcess()).checkConfig(urn, settingsOf(olds), settingsOf(news));
      const connection = this.#connect(request);
      this.#checked.set(urn, connection);
      return checkConfig(connection, urn, settingsOf(olds), settingsOf(news));
    };
    const { inputs, failures } = await check();
    return { inputs: { ...asReceived(inputs), ...reservedOf(news) }, failures };
  }

  /** A provider without a diff of its configuration returns "unknown" if that differs from the one that it was created with. */
  async diffConfig(urn: string, oldInputs: ValueMap, oldOutputs: ValueMap, news: ValueMap): Promise<DiffResponse> {
    const pkg = packageOf(typeOf(urn));
    if (isWithoutConfig(pkg)) return { changes: "unknown", replaces: [], deleteBeforeReplace: false };
    const settings = [settingsOf(oldInputs), settingsOf(oldOutputs), settingsOf(news)] as const;
    const request = pluginOf(pkg, news);
    if (this.#isInProcess(request)) return (await this.#loadInProcess()).diffConfig(urn, ...settings);
    const connection = this.#checked.get(urn) ?? this.#current.get(urn) ?? this.#connect(request);
    return diffConfig(connection, urn, ...settings);
  }

  #addInstance(urn: string, id: string, inputs: ValueMap): void {
    const pkg = packageOf(typeOf(urn));
    const reference = `${urn}::${id}`;
    const [request, settings] = [pluginOf(pkg, inputs), settingsOf(inputs)];
    if (pkg === "pulumi") this.#instances.set(reference, this.#options.builtin);
    else if (pkg === DYNAMIC_PACKAGE) this.#addDynamic(reference, settings);
    else if (this.#isInProcess(request)) this.#addInProcess(reference, settings);
    else {
      const connection = this.#checked.get(urn) ?? this.#connect(request);
      this.#checked.delete(urn);
      this.#current.set(urn, connection);
      this.#instances.set(reference, this.#remoteInstance(reference, settings, connection));
    }
  }

  #addInProcess(reference: string, settings: ValueMap): void {
    const plugin = new InProcessPlugin(
      async () => (await this.#loadInProcess()).open(reference, settings, this.#recorded.of(reference)),
      settings,
    );
    this.#inProcess.add(plugin);
    this.#instances.set(reference, plugin);
  }

  #addDynamic(reference: string, settings: ValueMap): void {
    const { inProcess, host } = this.#options;
    const remote = () => this.#remoteInstance(reference, settings, this.#connect(newestPlugin(DYNAMIC_PACKAGE)));
    if (inProcess?.dynamic === undefined) {
      this.#instances.set(reference, remote());
      return;
    }
    const { dynamic } = inProcess;
    const here = new InProcessDynamic(
      () => dynamic.open(host, unwrapSecrets(settings), this.#recorded.of(reference)),
      settings,
    );
    this.#inProcess.add(here);
    this.#instances.set(reference, new DynamicInstance(here, dynamic.serves, remote));
  }

  #remoteInstance(reference: string, settings: ValueMap, connection: ProviderConnection): Provider {
    const [urn, id] = [providerUrnOf(reference), providerIdOf(reference)];
    const { components } = this.#remoteFor(pluginOf(packageOf(typeOf(urn)), settings));
    return new GrpcProvider(connection, { urn, id }, settings, components);
  }

  /** A new instance; its id is random, and not known in a preview. */
  create(state: ResourceState): { id: string; outputs: ValueMap } {
    const id = this.#options.dryRun ? UNKNOWN : randomUUID();
    this.#addInstance(state.urn, id, state.inputs ?? {});
    return { id, outputs: settingsOf(state.inputs) };
  }

  /** An instance with its old configuration. */
  same(state: { urn: string; id?: string; inputs?: ValueMap }): void {
    const reference = `${state.urn}::${state.id}`;
    if (!this.#instances.has(reference)) this.#addInstance(state.urn, state.id ?? "", state.inputs ?? {});
  }

  /** An instance with a new configuration; the old instance is closed. */
  update(state: ResourceState, id: string): ValueMap {
    this.#addInstance(state.urn, id, state.inputs ?? {});
    return settingsOf(state.inputs);
  }

  /** The instance; loaded from the old state if the program did not register it. */
  get(reference: string, old: readonly ResourceState[]): Provider {
    const found = this.#instances.get(reference);
    if (found) return found;
    const [urn, id] = [providerUrnOf(reference), providerIdOf(reference)];
    const state = old.find((r) => r.urn === urn && r.id === id);
    if (state === undefined) throw new Error(`there is no provider ${reference}`);
    this.same(state as ResourceState & { id: string });
    return this.#instances.get(reference) as Provider;
  }

  /** `isSaved`: the state includes the results of all calls. */
  async close(isSaved: boolean): Promise<void> {
    this.#isClosed = true;
    // A provider that fails to close does not prevent closing the others, and does not fail the run.
    await Promise.allSettled([
      ...[...this.#connections].map((each) => each.close()),
      ...[...this.#inProcess].map((each) => each.close(isSaved)),
    ]);
  }
}

const isWithoutConfig = (pkg: string): boolean => pkg === "pulumi" || pkg === DYNAMIC_PACKAGE;

/** The configuration of a package's default provider: for dynamic ones the whole, for others that of their own namespace. */
export function defaultProviderInputs(plugin: PluginRequest, settings: ConfigMap): ValueMap {
  const pkg = plugin.name;
  const inputs: ValueMap = pluginInputs(plugin);
  for (const [key, { secret: isSecret, text }] of settings) {
    const [namespace, name] = key.split(":") as [string, string];
    if (pkg !== DYNAMIC_PACKAGE && namespace !== pkg) continue;
    inputs[pkg === DYNAMIC_PACKAGE ? key : name] = isSecret ? secret(text) : text;
  }
  return inputs;
}
