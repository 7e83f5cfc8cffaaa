/** Provider instances in this process. */
import { asReceived } from "../resource/as-received";
import type { Goal } from "../resource/goal";
import type { LocalDynamicProvider, LocalProvider } from "../resource/local-providers";
import type { ValueMap } from "../resource/property-value";
import type { ComponentRegistrar, Constructed, InvokeResponse, Provider } from "../resource/provider-interface";
import { ValueForms } from "../resource/value-forms";
import { type Configured, ProviderInstance } from "./provider-instance";

type Features = Omit<Configured, "calls">;

const plugin: Features = { values: new ValueForms({ secrets: true, references: false }), previews: true };
/** The same message as in the SDK's host of dynamic providers. */
const dynamic: Features = { values: new ValueForms({ secrets: false, references: false }), previews: false };

class LocalInstance<P extends LocalDynamicProvider> extends ProviderInstance<P> {
  readonly #load: () => Promise<P>;
  readonly #features: Features;
  #opened: Promise<P> | undefined;

  constructor(load: () => Promise<P>, settings: ValueMap, features: Features) {
    super(settings);
    this.#load = load;
    this.#features = features;
  }

  protected async configure(): Promise<Configured<P>> {
    this.#opened = this.#load();
    return { calls: await this.#opened, ...this.#features };
  }

  /** `isSaved`: the state includes the results of all its calls. */
  async close(isSaved: boolean): Promise<void> {
    (await this.#opened?.catch(() => undefined))?.close(isSaved);
  }
}

/** An instance of a package. */
export class LocalPlugin extends LocalInstance<LocalProvider> implements Provider {
  constructor(load: () => Promise<LocalProvider>, settings: ValueMap) {
    super(load, settings, plugin);
  }

  async invoke(token: string, args: ValueMap): Promise<InvokeResponse> {
    if (!this.isConfigured) return { result: {}, failures: [] };
    const { calls, values } = await this.configured();
    const { result, failures } = await calls.invoke(token, values.inputs(args));
    return { result: asReceived(result), failures };
  }

  async construct(goal: Goal, registrar: ComponentRegistrar): Promise<Constructed> {
    return (await this.configured()).calls.construct(goal, registrar);
  }
}

/** An instance for dynamic providers whose code this process serves. */
export class LocalDynamic extends LocalInstance<LocalDynamicProvider> {
  constructor(load: () => Promise<LocalDynamicProvider>, settings: ValueMap) {
    super(load, settings, dynamic);
  }
}
