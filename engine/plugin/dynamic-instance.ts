/**
 * The dynamic providers of one provider instance: the code of each resource is in its inputs. Code that the caller serves runs in this
 * process, other code in the SDK's provider host.
 */
import type { Goal } from "../resource/goal";
import { codeOf } from "../resource/in-process-providers";
import type { ValueMap } from "../resource/property-value";
import type { ComponentRegistrar, Provider } from "../resource/provider-interface";
import type { InProcessDynamic } from "./in-process-instance";

type Asked = Pick<Provider, "check" | "diff" | "create" | "read" | "update" | "delete">;

export class DynamicInstance implements Provider {
  #host: Provider | undefined;

  readonly #inProcess: InProcessDynamic;
  readonly #serves: (code: string) => boolean;
  readonly #startHost: () => Provider;

  constructor(inProcess: InProcessDynamic, serves: (code: string) => boolean, startHost: () => Provider) {
    this.#inProcess = inProcess;
    this.#serves = serves;
    this.#startHost = startHost;
  }

  get isConfigured(): boolean {
    return this.#inProcess.isConfigured;
  }

  get #remote(): Provider {
    this.#host ??= this.#startHost();
    return this.#host;
  }

  /** Like the SDK's host, takes the code from the first of the values that contains it. */
  #of(...values: ValueMap[]): Asked {
    const code = codeOf(...values);
    return code !== undefined && this.#serves(code) ? this.#inProcess : this.#remote;
  }

  check: Provider["check"] = (urn, olds, news, dependencies) =>
    this.#of(news, olds).check(urn, olds, news, dependencies);
  diff: Provider["diff"] = (urn, id, oldInputs, oldOutputs, news, ignore) =>
    this.#of(news, oldOutputs).diff(urn, id, oldInputs, oldOutputs, news, ignore);
  create: Provider["create"] = (urn, news, timeout, preview) => this.#of(news).create(urn, news, timeout, preview);
  read: Provider["read"] = (urn, id, inputs, state) => this.#of(state).read(urn, id, inputs, state);
  update: Provider["update"] = (urn, id, old, news, ...more) => this.#of(news).update(urn, id, old, news, ...more);
  delete: Provider["delete"] = (urn, id, inputs, outputs, timeout) =>
    this.#of(outputs).delete(urn, id, inputs, outputs, timeout);
  invoke: Provider["invoke"] = (token, args) => this.#remote.invoke(token, args);
  construct = (goal: Goal, registrar: ComponentRegistrar) => this.#remote.construct(goal, registrar);
}
