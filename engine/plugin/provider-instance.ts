/**
 * A provider instance, in this process or in one of its own: which form of the values its provider gets, what its responses become, and
 * how calls are answered for a provider that cannot.
 */
import { asReceived } from "../resource/as-received";
import { containsUnknown, type ValueMap } from "../resource/property-value";
import { type DiffResponse, DiffUnavailable, type Provider, type ResourceCalls } from "../resource/provider-interface";
import { withValues } from "../resource/reported-diff";
import { partial, type ValueForms } from "../resource/value-forms";

/** A provider that has its configuration. */
export interface Configured<C extends ResourceCalls = ResourceCalls> {
  calls: C;
  /** The special values that it accepts. */
  values: ValueForms;
  /** Whether it can preview a create or an update. */
  previews: boolean;
}

export abstract class ProviderInstance<C extends ResourceCalls> implements Omit<Provider, "invoke" | "construct"> {
  readonly isConfigured: boolean;
  #configured: Promise<Configured<C>> | undefined;

  /** @param settings the inputs of its provider resource */
  constructor(settings: ValueMap) {
    this.isConfigured = !containsUnknown(settings);
  }

  protected abstract configure(): Promise<Configured<C>>;

  /** Configures the provider, with the first call that needs it. */
  protected configured(): Promise<Configured<C>> {
    this.#configured ??= this.configure();
    return this.#configured;
  }

  check: Provider["check"] = async (urn, olds, news, dependencies) => {
    if (!this.isConfigured) return { inputs: news, failures: [] };
    const { calls, values } = await this.configured();
    const { inputs, failures } = await calls.check(urn, values.inputs(olds), values.inputs(news), dependencies);
    return { inputs: values.outputs(asReceived(inputs), news), failures };
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
    const { calls, values } = await this.configured();
    const states = [values.state(oldInputs), values.state(oldOutputs), values.state(news)] as const;
    return withValues(await calls.diff(urn, id, ...states, ignore), { oldInputs, oldOutputs, news });
  }

  async create(urn: string, news: ValueMap, timeout: number, preview: boolean) {
    const { calls, values, previews } = await this.configured();
    if (preview && !previews) return { id: "", outputs: news };
    const created = await partial(calls.create(urn, values.inputs(news), timeout, preview), (made) =>
      values.outputs(asReceived(made), news, news),
    );
    if (created.id === "" && !preview) throw new Error("the provider answered the creation without an id");
    return { id: created.id, outputs: values.outputs(asReceived(created.outputs), news) };
  }

  async read(urn: string, id: string, inputs: ValueMap, state: ValueMap) {
    if (!this.isConfigured) return { id: "", outputs: {}, inputs: {} };
    const { calls, values } = await this.configured();
    const found = await partial(calls.read(urn, id, values.state(inputs), values.state(state)), (made) =>
      values.outputs(asReceived(made), state, state),
    );
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
    const { calls, values, previews } = await this.configured();
    if (preview && !previews) return news;
    const before = { inputs: values.state(old.inputs), outputs: values.state(old.outputs) };
    const update = calls.update(urn, id, before, values.inputs(news), ignore, timeout, preview);
    const updated = await partial(update, (made) => values.outputs(asReceived(made), news, news));
    return values.outputs(asReceived(updated), news, news, old.outputs);
  }

  async delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void> {
    const { calls, values } = await this.configured();
    return calls.delete(urn, id, values.state(inputs), values.state(outputs), timeout);
  }
}
