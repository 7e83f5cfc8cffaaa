/**
 * Asks providers while steps are planned, and interprets their responses.
 *
 * Used for: Check and Diff of ResourceProvider.
 */

import type { Goal } from "../resource/goal";
import { diffProperties } from "../resource/property-diff";
import { applyIgnoreChanges } from "../resource/property-path";
import { isEqual, type ValueMap } from "../resource/property-value";
import type { CheckFailure, DiffResponse, Provider, ProviderConfigs } from "../resource/provider-interface";
import { DiffUnavailable } from "../resource/provider-interface";
import type { ResourceState } from "../resource/resource-state";
import { isProviderType, nameOf, problemPrefix, typeOf } from "../resource/urn";
import { type DiffResult, diffResult } from "./diff-result";
import type { DiagnosticSink } from "./plan-state";

interface DiffQuery {
  urn: string;
  id: string | undefined;
  /** Reference to the provider resource. */
  provider: string;
  oldInputs: ValueMap;
  oldOutputs: ValueMap;
  inputs: ValueMap;
  ignoreChanges: readonly string[];
}

export class ProviderQueries {
  readonly #provider: (reference: string) => Provider;
  readonly #configs: ProviderConfigs;
  readonly #events: DiagnosticSink;

  constructor(provider: (reference: string) => Provider, configs: ProviderConfigs, events: DiagnosticSink) {
    this.#provider = provider;
    this.#configs = configs;
    this.#events = events;
  }

  /** The inputs as the provider completes them; undefined when it rejects them, which is reported. */
  async check(
    urn: string,
    { provider, type, propertyDependencies }: Pick<Goal, "provider" | "type" | "propertyDependencies">,
    oldInputs: ValueMap,
    inputs: ValueMap,
  ): Promise<ValueMap | undefined> {
    const response = isProviderType(type)
      ? await this.#configs.checkConfig(urn, oldInputs, inputs)
      : await this.#provider(provider).check(urn, oldInputs, inputs, propertyDependencies);
    for (const failure of response.failures) this.#events.diagnostic("error", failureMessage(urn, failure), urn);
    return response.failures.length > 0 ? undefined : response.inputs;
  }

  /** Asks the provider, and compares the inputs if it leaves that to the engine. */
  async diff(query: DiffQuery): Promise<DiffResult> {
    let response: DiffResponse;
    try {
      const { urn, id = "", provider, oldInputs, oldOutputs, inputs, ignoreChanges } = query;
      response = await this.#provider(provider).diff(urn, id, oldInputs, oldOutputs, inputs, ignoreChanges);
    } catch (error) {
      if (!(error instanceof DiffUnavailable)) throw error;
      this.#events.diagnostic("warning", error.message, query.urn);
      return diffResult();
    }
    const { changes, replaces: replaceKeys, deleteBeforeReplace, details: reported } = response;
    if (changes !== "unknown") return diffResult({ changes, replaceKeys, deleteBeforeReplace, details: reported });
    const { inputs } = applyIgnoreChanges(query.ignoreChanges, query.oldInputs, query.inputs);
    const details = diffProperties(query.oldInputs, inputs, { ignoreSecrecy: true });
    return details.length > 0
      ? diffResult({ replaceKeys, deleteBeforeReplace, details })
      : diffResult({ changes: "none", replaceKeys, deleteBeforeReplace });
  }

  /** Asks the provider of a URN what a change of its configuration means, and compares it if it leaves that to the engine. */
  async diffConfig(urn: string, old: Pick<ResourceState, "inputs" | "outputs">, inputs: ValueMap): Promise<DiffResult> {
    const { inputs: oldInputs = {}, outputs: oldOutputs = {} } = old;
    const response = await this.#configs.diffConfig(urn, oldInputs, oldOutputs, inputs);
    const { changes, replaces: replaceKeys, deleteBeforeReplace } = response;
    if (changes !== "unknown") return diffResult({ changes, replaceKeys, deleteBeforeReplace });
    return isEqual(oldOutputs, inputs)
      ? diffResult({ changes: "none" })
      : diffResult({ details: diffProperties(oldOutputs, inputs) });
  }
}

const failureMessage = (urn: string, { property, reason }: CheckFailure): string =>
  property === ""
    ? problemPrefix(urn) + reason
    : `${typeOf(urn)} resource ${JSON.stringify(nameOf(urn))}: the property ${property} has a problem: ${reason}`;
