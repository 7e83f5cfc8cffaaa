/**
 * Provider resources and the processes behind them: each instance (a URN and an id) has a process of its own, which it gets
 * when it is first asked something.
 *
 * Serves: resources of type pulumi:providers:*.
 */
import { randomUUID } from "node:crypto";
import type { ConfigMap } from "../config/resolve";
import { type PluginRequest, pluginInputs, pluginOf, reservedOf, settingsOf } from "../resource/plugin-request";
import { secret, UNKNOWN, type ValueMap } from "../resource/property-value";
import type { CheckResponse, DiffResponse, Provider, ProviderConfigs } from "../resource/provider";
import type { ResourceState } from "../resource/state";
import { DYNAMIC_PACKAGE, packageOf, providerIdOf, providerUrnOf, typeOf } from "../resource/urn";
import type { ComponentEnvironment } from "./construct";
import { checkConfig, diffConfig, GrpcProvider } from "./grpc-provider";
import type { Sdk } from "./node-sdk";
import { ProviderConnection } from "./provider-connection";
import type { ProviderProcesses } from "./provider-process";

export class ProviderRegistry implements ProviderConfigs {
  private readonly instances = new Map<string, Provider>();
  private readonly connections = new Set<ProviderConnection>();
  /** By URN: what has checked the configuration, and belongs to no instance yet. */
  private readonly checked = new Map<string, ProviderConnection>();
  /** By URN: that of the last instance. */
  private readonly current = new Map<string, ProviderConnection>();
  private isClosed = false;

  constructor(
    private readonly sdk: Sdk,
    private readonly processes: ProviderProcesses,
    private readonly components: ComponentEnvironment,
    /** What answers for stack references. */
    private readonly builtin: Provider,
  ) {}

  private connect(request: PluginRequest): ProviderConnection {
    const connection = new ProviderConnection(this.sdk, () => {
      if (this.isClosed) return Promise.reject(new Error("the engine is shutting down"));
      return this.processes.take(request);
    });
    this.connections.add(connection);
    return connection;
  }

  /** Dynamic providers do not check their configuration. */
  async checkConfig(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse> {
    const pkg = packageOf(typeOf(urn));
    if (isWithoutConfig(pkg)) return { inputs: news, failures: [] };
    const connection = this.connect(pluginOf(pkg, news));
    this.checked.set(urn, connection);
    const { inputs, failures } = await checkConfig(connection, urn, settingsOf(olds), settingsOf(news));
    return { inputs: { ...inputs, ...reservedOf(news) }, failures };
  }

  /** A provider that does not compare its configuration changes when that differs from what it was created with: "unknown". */
  async diffConfig(urn: string, oldInputs: ValueMap, oldOutputs: ValueMap, news: ValueMap): Promise<DiffResponse> {
    const pkg = packageOf(typeOf(urn));
    if (isWithoutConfig(pkg)) return { changes: "unknown", replaces: [], deleteBeforeReplace: false };
    const connection = this.checked.get(urn) ?? this.current.get(urn) ?? this.connect(pluginOf(pkg, news));
    return diffConfig(connection, urn, settingsOf(oldInputs), settingsOf(oldOutputs), settingsOf(news));
  }

  private addInstance(urn: string, id: string, inputs: ValueMap): void {
    const pkg = packageOf(typeOf(urn));
    if (pkg === "pulumi") {
      this.instances.set(`${urn}::${id}`, this.builtin);
      return;
    }
    const connection = this.checked.get(urn) ?? this.connect(pluginOf(pkg, inputs));
    this.checked.delete(urn);
    this.current.set(urn, connection);
    this.instances.set(`${urn}::${id}`, new GrpcProvider(connection, { urn, id }, settingsOf(inputs), this.components));
  }

  /** A new instance; its id is random, and not known in a preview. */
  create(state: ResourceState): { id: string; outputs: ValueMap } {
    const id = this.components.dryRun ? UNKNOWN : randomUUID();
    this.addInstance(state.urn, id, state.inputs ?? {});
    return { id, outputs: settingsOf(state.inputs) };
  }

  /** An instance with the configuration it had. */
  same(state: { urn: string; id?: string; inputs?: ValueMap }): void {
    const reference = `${state.urn}::${state.id}`;
    if (!this.instances.has(reference)) this.addInstance(state.urn, state.id ?? "", state.inputs ?? {});
  }

  /** An instance with a new configuration; what it was before ends. */
  update(state: ResourceState, id: string): ValueMap {
    this.addInstance(state.urn, id, state.inputs ?? {});
    return settingsOf(state.inputs);
  }

  /** The instance; loaded from the old state if the program did not register it. */
  get(reference: string, old: readonly ResourceState[]): Provider {
    const found = this.instances.get(reference);
    if (found) return found;
    const [urn, id] = [providerUrnOf(reference), providerIdOf(reference)];
    const state = old.find((r) => r.urn === urn && r.id === id);
    if (state === undefined) throw new Error(`there is no provider ${reference}`);
    this.same(state as ResourceState & { id: string });
    return this.instances.get(reference) as Provider;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.connections].map((connection) => connection.close()));
  }
}

const isWithoutConfig = (pkg: string): boolean => pkg === "pulumi" || pkg === DYNAMIC_PACKAGE;

/** What the default provider of a package gets of the configuration: a dynamic one the whole, others that of their own namespace. */
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
