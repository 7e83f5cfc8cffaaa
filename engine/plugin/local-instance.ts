/** A provider instance in this process. It gets the values that one in another process would get, and its answers are as that one's. */

import { asReceived } from "../resource/as-received";
import type { Goal } from "../resource/goal";
import type { LocalPackage, LocalProvider } from "../resource/local-providers";
import {
  containsUnknown,
  type KnownKinds,
  toProviderInputs,
  toProviderState,
  type ValueMap,
} from "../resource/property-value";
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

/** As a plugin says it when it is configured. */
const knows: KnownKinds = { secrets: true, references: false };
const inputsOf = (m: ValueMap): ValueMap => toProviderInputs(m, knows);
const stateOf = (m: ValueMap): ValueMap => toProviderState(m, knows);

export class LocalInstance implements Provider {
  readonly isConfigured: boolean;
  private opened: Promise<LocalProvider> | undefined;

  /** @param reference `<urn>::<id>` of the provider resource */
  constructor(
    private readonly load: () => Promise<LocalPackage>,
    private readonly reference: string,
    private readonly settings: ValueMap,
  ) {
    this.isConfigured = !containsUnknown(settings);
  }

  private open(): Promise<LocalProvider> {
    this.opened ??= this.load().then((local) => local.open(this.reference, this.settings));
    return this.opened;
  }

  async check(urn: string, olds: ValueMap, news: ValueMap): Promise<CheckResponse> {
    if (!this.isConfigured) return { inputs: news, failures: [] };
    const { inputs, failures } = await (await this.open()).check(urn, inputsOf(olds), inputsOf(news));
    return { inputs: asReceived(inputs), failures };
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
    return (await this.open()).diff(urn, id, stateOf(oldInputs), stateOf(oldOutputs), stateOf(news), ignore);
  }

  async create(urn: string, news: ValueMap, timeout: number, preview: boolean) {
    const created = await partial((await this.open()).create(urn, inputsOf(news), timeout, preview));
    if (created.id === "" && !preview) throw new Error("the provider answered the creation without an id");
    return { id: created.id, outputs: asReceived(created.outputs) };
  }

  async read(urn: string, id: string, inputs: ValueMap, state: ValueMap) {
    if (!this.isConfigured) return { id: "", outputs: {}, inputs: {} };
    const found = await partial((await this.open()).read(urn, id, stateOf(inputs), stateOf(state)));
    return { id: found.id, outputs: asReceived(found.outputs), inputs: found.inputs && asReceived(found.inputs) };
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
    const provider = await this.open();
    const before = { inputs: stateOf(old.inputs), outputs: stateOf(old.outputs) };
    return asReceived(await partial(provider.update(urn, id, before, inputsOf(news), ignore, timeout, preview)));
  }

  async delete(urn: string, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void> {
    return (await this.open()).delete(urn, id, stateOf(inputs), stateOf(outputs), timeout);
  }

  async invoke(token: string, args: ValueMap): Promise<InvokeResponse> {
    if (!this.isConfigured) return { result: {}, failures: [] };
    const { result, failures } = await (await this.open()).invoke(token, inputsOf(args));
    return { result: asReceived(result), failures };
  }

  async construct(goal: Goal, registrar: ComponentRegistrar): Promise<Constructed> {
    return (await this.open()).construct(goal, registrar);
  }

  async close(): Promise<void> {
    (await this.opened?.catch(() => undefined))?.close();
  }
}

/** The answer; a partial result in an error is made like a whole one. */
async function partial<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    throw new InitError(error.id, asReceived(error.properties), error.reasons);
  }
}
