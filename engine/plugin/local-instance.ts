/**
 * A provider instance in this process. It gets the same values as a provider in another process, and its responses are processed in the same way.
 */

import { asReceived } from "../resource/as-received";
import type { Goal } from "../resource/goal";
import type { LocalDynamicProvider, LocalProvider } from "../resource/local-providers";
import { containsUnknown, type ValueMap } from "../resource/property-value";
import {
  type ComponentRegistrar,
  type Constructed,
  type DiffResponse,
  DiffUnavailable,
  type InvokeResponse,
  type Provider,
} from "../resource/provider-interface";
import { partial, ValueForms } from "../resource/value-forms";

/** The features that a provider declares when it is configured. */
interface Abilities {
  values: ValueForms;
  /** Whether it can preview a create or an update. */
  previews: boolean;
}

const plugin: Abilities = { values: new ValueForms({ secrets: true, references: false }), previews: true };
/** The same message as in the SDK's host of dynamic providers. */
const dynamic: Abilities = { values: new ValueForms({ secrets: false, references: false }), previews: false };

class LocalInstance<P extends LocalDynamicProvider> {
  readonly isConfigured: boolean;
  #opened: Promise<P> | undefined;

  readonly #load: () => Promise<P>;

  constructor(
    load: () => Promise<P>,
    settings: ValueMap,
    protected readonly abilities: Abilities,
  ) {
    this.#load = load;
    this.isConfigured = !containsUnknown(settings);
  }

  protected open(): Promise<P> {
    this.#opened ??= this.#load();
    return this.#opened;
  }

  check: Provider["check"] = async (urn, olds, news, dependencies) => {
    if (!this.isConfigured) return { inputs: news, failures: [] };
    const { values } = this.abilities;
    const provider = await this.open();
    const { inputs, failures } = await provider.check(urn, values.inputs(olds), values.inputs(news), dependencies);
    return { inputs: this.#received(inputs, news), failures };
  };

  async diff(
    urn: string,
    id: string,
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    ignore: readonly string[],
  ): Promise<DiffResponse> {
    if (!this.isConfigured) throw new DiffUnavailable();
    const { values } = this.abilities;
    const states = [values.state(oldInputs), values.state(oldOutputs), values.state(news)] as const;
    return (await this.open()).diff(urn, id, ...states, ignore);
  }

  async create(urn: string, news: ValueMap, timeout: number, preview: boolean) {
    const { values, previews } = this.abilities;
    if (preview && !previews) return { id: "", outputs: news };
    const provider = await this.open();
    const created = await partial(provider.create(urn, values.inputs(news), timeout, preview), (made) =>
      this.#received(made, news, news),
    );
    if (created.id === "" && !preview) throw new Error("the provider answered the creation without an id");
    return { id: created.id, outputs: this.#received(created.outputs, news) };
  }

  async read(urn: string, id: string, inputs: ValueMap, state: ValueMap) {
    if (!this.isConfigured) return { id: "", outputs: {}, inputs: {} };
    const { values } = this.abilities;
    const provider = await this.open();
    const found = await partial(provider.read(urn, id, values.state(inputs), values.state(state)), (made) =>
      this.#received(made, state, state),
    );
    return {
      id: found.id,
      outputs: this.#received(found.outputs, state, state, inputs),
      inputs: found.inputs && this.#received(found.inputs, inputs, inputs, state),
    };
  }

  async update(
    urn: string,
    id: string,
    old: { inputs: ValueMap; outputs: ValueMap },
    news: ValueMap,
    ignore: readonly string[],
    timeout: number,
    preview: boolean,
  ): Promise<ValueMap> {
    const { values, previews } = this.abilities;
    if (preview && !previews) return news;
    const provider = await this.open();
    const before = { inputs: values.state(old.inputs), outputs: values.state(old.outputs) };
    const update = provider.update(urn, id, before, values.inputs(news), ignore, timeout, preview);
    const updated = await partial(update, (made) => this.#received(made, news, news));
    return this.#received(updated, news, news, old.outputs);
  }

  async delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void> {
    const { values } = this.abilities;
    return (await this.open()).delete(urn, id, values.state(inputs), values.state(outputs), timeout);
  }

  /** `isSaved`: the state includes the results of all its calls. */
  async close(isSaved: boolean): Promise<void> {
    (await this.#opened?.catch(() => undefined))?.close(isSaved);
  }

  /** The returned values, as a message would contain them. */
  #received(answer: ValueMap, like: ValueMap, ...sources: ValueMap[]): ValueMap {
    return this.abilities.values.outputs(asReceived(answer), like, ...sources);
  }
}

/** An instance of a package. */
export class LocalPlugin extends LocalInstance<LocalProvider> implements Provider {
  constructor(load: () => Promise<LocalProvider>, settings: ValueMap) {
    super(load, settings, plugin);
  }

  async invoke(token: string, args: ValueMap): Promise<InvokeResponse> {
    if (!this.isConfigured) return { result: {}, failures: [] };
    const { result, failures } = await (await this.open()).invoke(token, this.abilities.values.inputs(args));
    return { result: asReceived(result), failures };
  }

  async construct(goal: Goal, registrar: ComponentRegistrar): Promise<Constructed> {
    return (await this.open()).construct(goal, registrar);
  }
}

/** An instance for dynamic providers whose code this process serves. */
export class LocalDynamic extends LocalInstance<LocalDynamicProvider> {
  constructor(load: () => Promise<LocalDynamicProvider>, settings: ValueMap) {
    super(load, settings, dynamic);
  }
}
