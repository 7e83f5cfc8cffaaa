/** A provider instance in this process. It gets the values that one in another process would get, and its answers are as that one's. */

import { asReceived } from "../resource/as-received";
import type { Goal } from "../resource/goal";
import type { LocalDynamicProvider, LocalProvider } from "../resource/local-providers";
import { containsUnknown, type ValueMap } from "../resource/property-value";
import {
  type CheckResponse,
  type ComponentRegistrar,
  type Constructed,
  type DiffResponse,
  DiffUnavailable,
  InitError,
  type InvokeResponse,
  type Provider,
} from "../resource/provider";
import { ValueForms } from "../resource/value-forms";

/** What a provider says of itself when it is configured. */
interface Abilities {
  values: ValueForms;
  /** Whether it answers for a preview what is known before. */
  previews: boolean;
}

const plugin: Abilities = { values: new ValueForms({ secrets: true, references: false }), previews: true };
/** As the SDK's host of dynamic providers says it. */
const dynamic: Abilities = { values: new ValueForms({ secrets: false, references: false }), previews: false };

class LocalInstance<P extends LocalDynamicProvider> {
  readonly isConfigured: boolean;
  private opened: Promise<P> | undefined;

  constructor(
    private readonly load: () => Promise<P>,
    settings: ValueMap,
    protected readonly abilities: Abilities,
  ) {
    this.isConfigured = !containsUnknown(settings);
  }

  protected open(): Promise<P> {
    this.opened ??= this.load();
    return this.opened;
  }

  async check(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse> {
    if (!this.isConfigured) return { inputs: news, failures: [] };
    const { values } = this.abilities;
    const { inputs, failures } = await (await this.open()).check(urn, values.inputs(olds), values.inputs(news));
    return { inputs: values.outputs(asReceived(inputs), news), failures };
  }

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
    const created = await this.partial(provider.create(urn, values.inputs(news), timeout, preview), news);
    if (created.id === "" && !preview) throw new Error("the provider answered the creation without an id");
    return { id: created.id, outputs: values.outputs(asReceived(created.outputs), news) };
  }

  async read(urn: string, id: string, inputs: ValueMap, state: ValueMap) {
    if (!this.isConfigured) return { id: "", outputs: {}, inputs: {} };
    const { values } = this.abilities;
    const provider = await this.open();
    const found = await this.partial(provider.read(urn, id, values.state(inputs), values.state(state)), state);
    return {
      id: found.id,
      outputs: values.outputs(asReceived(found.outputs), state, state, inputs),
      inputs: found.inputs && values.outputs(asReceived(found.inputs), inputs, inputs, state),
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
    return values.outputs(asReceived(await this.partial(update, news)), news, news, old.outputs);
  }

  async delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void> {
    const { values } = this.abilities;
    return (await this.open()).delete(urn, id, values.state(inputs), values.state(outputs), timeout);
  }

  /** `isSaved`: the state includes what it has answered. */
  async close(isSaved: boolean): Promise<void> {
    (await this.opened?.catch(() => undefined))?.close(isSaved);
  }

  /** The answer; a partial result in an error is made like a whole one. */
  private async partial<T>(answer: Promise<T>, like: ValueMap): Promise<T> {
    const received = answer.catch((error) => {
      if (!(error instanceof InitError)) throw error;
      throw new InitError(error.id, asReceived(error.properties), error.reasons);
    });
    return this.abilities.values.partial(received, like);
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

/** What an instance of dynamic providers has of code that is served in this process. */
export class LocalDynamic extends LocalInstance<LocalDynamicProvider> {
  constructor(load: () => Promise<LocalDynamicProvider>, settings: ValueMap) {
    super(load, settings, dynamic);
  }
}
