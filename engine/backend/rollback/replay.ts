/**
 * Declares the resources of an earlier deployment in place of a program, with their inputs and options. A value that came from a resource
 * which is recreated is replaced by the new resource's value.
 *
 * Used for: RegisterResource, as a program would call it.
 */
import type { RollbackOptions } from "../../api";
import type { ResourceRegistrar } from "../../deploy/resource-registrar";
import { EngineError, messageOf, ShuttingDown } from "../../errors";
import type { ProgramResult } from "../../plugin/language-host";
import { newGoal } from "../../resource/goal";
import { newestPlugin, pluginOf } from "../../resource/plugin-request";
import { mapDeep, someDeep, unwrapSecret, type Value, type ValueMap } from "../../resource/property-value";
import type { RegisterResult } from "../../resource/provider-interface";
import { allReferencesOf, type ResourceState } from "../../resource/resource-state";
import { UNKNOWN } from "../../resource/signatures";
import {
  isDefaultProvider,
  isProviderType,
  nameOf,
  packageOf,
  providerUrnOf,
  STACK_TYPE,
  typeOf,
} from "../../resource/urn";

export interface ReplayOptions extends Pick<RollbackOptions, "prepare"> {
  registrar: ResourceRegistrar;
  /** The earlier deployment, including default providers: their resources are declared with a default provider again. */
  earlier: readonly ResourceState[];
  /** The current state. */
  current: readonly ResourceState[];
  dryRun: boolean;
}

/** Resolves when everything is declared; what fails is reported by the deployment. */
export async function replay(options: ReplayOptions): Promise<ProgramResult> {
  try {
    await new Replay(options).run();
    return { ok: true };
  } catch (error) {
    // The deployment has reported why it stops.
    if (error instanceof ShuttingDown) return { ok: false };
    return { ok: false, message: messageOf(error) };
  }
}

class Replay {
  readonly #registered = new Map<string, Promise<RegisterResult>>();
  readonly #earlier: ReadonlyMap<string, ResourceState>;
  /** Current URNs, by type and id: a resource may have been renamed since. */
  readonly #currentUrns: ReadonlyMap<string, string>;
  readonly #current: ReadonlySet<string>;

  readonly #options: ReplayOptions;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#earlier = new Map(options.earlier.map((r) => [r.urn, r]));
    const live = options.current.filter((r) => !r.delete);
    this.#current = new Set(live.map((r) => r.urn));
    this.#currentUrns = new Map(live.flatMap((r) => (r.id ? [[`${r.type} ${r.id}`, r.urn]] : [])));
  }

  async run(): Promise<void> {
    const { earlier, registrar } = this.#options;
    // In a state, a resource comes after the resources that it refers to.
    for (const resource of earlier) {
      if (isDefaultProvider(resource)) continue;
      const result = this.#register(resource);
      result.catch(() => undefined);
      this.#registered.set(resource.urn, result);
    }
    await Promise.all(this.#registered.values());
    const stack = earlier.find((r) => r.type === STACK_TYPE);
    if (stack === undefined) return;
    const sources = earlier.filter((r) => r.custom).map((r) => r.urn);
    await registrar.registerOutputs(stack.urn, await this.#withNewValues(stack.outputs ?? {}, sources));
  }

  async #register(resource: ResourceState): Promise<RegisterResult> {
    const { registrar, prepare, dryRun } = this.#options;
    await Promise.all(allReferencesOf(resource).map(({ urn }) => this.#registered.get(urn)));
    const inputs = await this.#inputsOf(resource);
    const provider = resource.custom && !isProviderType(resource.type) ? await this.#providerOf(resource) : "";
    const { dependencies = [], additionalSecretOutputs = [], parent, sourcePosition = "", stackTrace = [] } = resource;
    const plugin = newestPlugin(packageOf(resource.type));
    const common = {
      type: resource.type,
      name: nameOf(resource.urn),
      plugin,
      parent,
      provider,
      dependencies,
      additionalSecretOutputs,
    };
    if (resource.external)
      return registrar.read({ ...common, id: resource.id ?? "", inputs, sourcePosition, stackTrace });
    const result = await registrar.register(
      newGoal({
        ...common,
        custom: resource.custom,
        inputs: ((await prepare?.({ urn: resource.urn, type: resource.type, name: common.name, inputs }, dryRun)) ??
          inputs) as ValueMap,
        ...optionsOf(resource),
        aliases: this.#aliasesOf(resource),
        sourcePosition,
        stackTrace,
      }),
    );
    if (!resource.custom && resource.type !== STACK_TYPE)
      await registrar.registerOutputs(resource.urn, resource.outputs ?? {});
    return result;
  }

  /** A renamed resource is the same object. */
  #aliasesOf({ urn, type, id }: ResourceState): { urn: string }[] {
    const now = this.#currentUrns.get(`${type} ${id}`);
    return now === undefined || now === urn || this.#current.has(urn) ? [] : [{ urn: now }];
  }

  async #providerOf({ provider = "", type }: ResourceState): Promise<string> {
    const urn = providerUrnOf(provider);
    const state = this.#earlier.get(urn);
    if (provider === "" || (state !== undefined && isDefaultProvider(state)))
      return this.#options.registrar.defaultProvider(pluginOf(packageOf(type), state?.inputs));
    const result = await this.#registered.get(urn);
    return result === undefined ? provider : `${urn}::${result.id || UNKNOWN}`;
  }

  async #inputsOf(resource: ResourceState): Promise<ValueMap> {
    const inputs: ValueMap = {};
    for (const [property, value] of Object.entries(resource.inputs ?? {})) {
      const sources = resource.propertyDependencies?.[property] ?? [];
      const now = await this.#withNewValues(value, sources);
      const recreated = await this.#firstRecreated(sources);
      const isMade = someDeep(value, (v) => typeof v === "string");
      if (recreated !== undefined && isMade && !(await this.#isFrom(value, sources)))
        throw new EngineError(
          `${typeOf(resource.urn)} ${JSON.stringify(nameOf(resource.urn))}: ${property} contains values of ${recreated}, which was recreated and has new ones. Restore the program of that time, and run \`up\``,
        );
      inputs[property] = now;
    }
    return inputs;
  }

  /** The first of these resources that is another object than in the earlier deployment. */
  async #firstRecreated(urns: readonly string[]): Promise<string | undefined> {
    for (const urn of urns) if (await this.#isRecreated(urn)) return urn;
    return undefined;
  }

  async #isRecreated(urn: string): Promise<boolean> {
    const [before, now] = [this.#earlier.get(urn), await this.#registered.get(urn)];
    return before?.custom === true && now !== undefined && now.id !== before.id;
  }

  /** True if a part of a value is the id or an output of one of these resources. */
  async #isFrom(value: Value, sources: readonly string[]): Promise<boolean> {
    const renewed = await this.#renewedBy(sources);
    return someDeep(value, (v) => typeof v === "string" && renewed.has(v));
  }

  /** The value, in which each id or output of one of these resources is replaced by its current value. */
  async #withNewValues<T extends Value>(value: T, sources: readonly string[]): Promise<T> {
    const renewed = await this.#renewedBy(sources);
    if (renewed.size === 0) return value;
    return mapDeep(value, (v) => {
      const now = typeof v === "string" ? renewed.get(v) : undefined;
      return now === undefined ? v : unwrapSecret(now);
    });
  }

  /** Ids and outputs of the earlier deployment, with their current values. */
  async #renewedBy(sources: readonly string[]): Promise<Map<string, Value>> {
    const renewed = new Map<string, Value>();
    for (const urn of sources) {
      const [before, now] = [this.#earlier.get(urn), await this.#registered.get(urn)];
      if (before === undefined || now === undefined) continue;
      const isRecreated = await this.#isRecreated(urn);
      for (const [name, output] of Object.entries(before.outputs ?? {})) {
        const text = unwrapSecret(output);
        if (name.startsWith("__") || typeof text !== "string" || text === "") continue;
        renewed.set(text, now.outputs[name] ?? (isRecreated ? UNKNOWN : output));
      }
      if (before.id) renewed.set(before.id, now.id || UNKNOWN);
    }
    return renewed;
  }
}

const optionsOf = (resource: ResourceState) => ({
  propertyDependencies: resource.propertyDependencies ?? {},
  // Set on each resource, since it is not inherited from the parent.
  protect: resource.protect === true,
  retainOnDelete: resource.retainOnDelete === true,
  deletedWith: resource.deletedWith ?? "",
  replaceWith: resource.replaceWith ?? [],
  replacementTrigger: resource.replacementTrigger,
  ignoreChanges: resource.ignoreChanges ?? [],
  replaceOnChanges: resource.replaceOnChanges ?? [],
  hideDiff: resource.hideDiff ?? [],
  // Hooks are functions of the program, which does not run.
  hooks: {},
  customTimeouts: resource.customTimeouts ?? {},
});
