/** Provider instances in this process. */
import { asReceived } from "../resource/as-received";
import type { Goal } from "../resource/goal";
import type { InProcessDynamicProvider, InProcessProvider } from "../resource/in-process-providers";
import type { ValueMap } from "../resource/property-value";
import type { ComponentRegistrar, Constructed, InvokeResponse, Provider } from "../resource/provider-interface";
import { ValueForms } from "../resource/value-forms";
import { type Configured, ProviderInstance } from "./provider-instance";

type Features = Omit<Configured, "calls">;

const plugin: Features = { values: new ValueForms({ secrets: true, references: false }), previews: true };
/** The same message as in the SDK's host of dynamic providers. */
const dynamic: Features = { values: new ValueForms({ secrets: false, references: false }), previews: false };

class LocalInstance<P extends InProcessDynamicProvider> extends ProviderInstance<P> {
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
export class InProcessPlugin extends LocalInstance<InProcessProvider> implements Provider {
  constructor(load: () => Promise<InProcessProvider>, settings: ValueMap) {
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
export class InProcessDynamic extends LocalInstance<InProcessDynamicProvider> {
  constructor(load: () => Promise<InProcessDynamicProvider>, settings: ValueMap) {
    super(load, settings, dynamic);
  }
}
