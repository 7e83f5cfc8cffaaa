/**
 * Provider resources and the processes behind them: each instance (a URN and an id) has a process of its own, started
 * when it is first asked something. One process is started ahead, while the program is still loading.
 *
 * Serves: resources of type pulumi:providers:*.
 */
import { randomUUID } from "node:crypto";
import type { ConfigMap } from "../config/resolve";
import { secret, UNKNOWN, type ValueMap } from "../resource/property-value";
import type { Provider } from "../resource/provider";
import type { ResourceState } from "../resource/state";
import { packageOf, providerIdOf, providerUrnOf, typeOf } from "../resource/urn";
import { DynamicProvider, type ProviderEnvironment, startProviderProcess } from "./dynamic-provider";
import type { PluginProcess } from "./plugin-process";

export class ProviderRegistry {
  private readonly instances = new Map<string, Provider>();
  private readonly running = new Set<DynamicProvider>();
  private prewarmed: Promise<PluginProcess> | undefined;
  private isClosed = false;

  constructor(
    private readonly host: ProviderEnvironment,
    private readonly dryRun: boolean,
    /** What answers for stack references. */
    private readonly builtin: Provider,
  ) {}

  /** Starts a process for the first instance. */
  prewarm(): void {
    this.prewarmed ??= startProviderProcess(this.host);
    this.prewarmed.catch(() => undefined);
  }

  private start(): Promise<PluginProcess> {
    if (this.isClosed) return Promise.reject(new Error("the engine is shutting down"));
    const spare = this.prewarmed;
    this.prewarmed = undefined;
    return spare ?? startProviderProcess(this.host);
  }

  private addInstance(reference: string, config: ValueMap): void {
    if (packageOf(typeOf(providerUrnOf(reference))) === "pulumi") {
      this.instances.set(reference, this.builtin);
      return;
    }
    const provider = new DynamicProvider(this.host.sdk, () => this.start(), config);
    this.instances.set(reference, provider);
    this.running.add(provider);
  }

  /** A new instance; its id is random, and not known in a preview. */
  create(state: ResourceState): { id: string; outputs: ValueMap } {
    const id = this.dryRun ? UNKNOWN : randomUUID();
    this.addInstance(`${state.urn}::${id}`, state.inputs ?? {});
    return { id, outputs: state.inputs ?? {} };
  }

  /** An instance with the configuration it had. */
  same(state: { urn: string; id?: string; inputs?: ValueMap }): void {
    const reference = `${state.urn}::${state.id}`;
    if (!this.instances.has(reference)) this.addInstance(reference, state.inputs ?? {});
  }

  /** An instance with a new configuration; what it was before ends. */
  update(state: ResourceState, id: string): ValueMap {
    this.addInstance(`${state.urn}::${id}`, state.inputs ?? {});
    return state.inputs ?? {};
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
    const spare = this.prewarmed;
    this.prewarmed = undefined;
    await Promise.all([
      ...[...this.running].map((p) => p.close()),
      spare?.then(
        async (s) => {
          s.child.kill();
          await s.child.ended.catch(() => undefined);
        },
        () => undefined,
      ),
    ]);
  }
}

/** What the default provider of a package gets of the configuration: a dynamic one the whole, others that of their own namespace. */
export function defaultProviderInputs(pkg: string, settings: ConfigMap): ValueMap {
  const inputs: ValueMap = {};
  for (const [key, { secret: isSecret, text }] of settings) {
    const [namespace, name] = key.split(":") as [string, string];
    if (pkg !== "pulumi-nodejs" && namespace !== pkg) continue;
    inputs[pkg === "pulumi-nodejs" ? key : name] = isSecret ? secret(text) : text;
  }
  return inputs;
}
