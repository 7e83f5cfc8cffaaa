/**
 * Asks providers while steps are planned, and interprets their responses.
 *
 * Serves: Check and Diff of ResourceProvider.
 */

import { diffProperties } from "../resource/property-diff";
import { applyIgnoreChanges } from "../resource/property-path";
import type { ValueMap } from "../resource/property-value";
import type { CheckFailure, DiffResponse, Provider } from "../resource/provider";
import { DiffUnavailable } from "../resource/provider";
import { isProviderType, nameOf, typeOf } from "../resource/urn";
import { type DiffResult, diffResult } from "./diff-result";
import type { DiagnosticSink } from "./plan-state";

export interface DiffQuery {
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
  constructor(
    private readonly provider: (reference: string) => Provider,
    private readonly events: DiagnosticSink,
  ) {}

  /** The inputs as the provider completes them; undefined when it rejects them, which is reported. */
  async check(
    urn: string,
    { provider, type }: { provider: string; type: string },
    oldInputs: ValueMap,
    inputs: ValueMap,
  ): Promise<ValueMap | undefined> {
    // Dynamic providers do not check their own configuration.
    if (isProviderType(type)) return inputs;
    const response = await this.provider(provider).check(urn, oldInputs, inputs);
    for (const failure of response.failures) this.events.diagnostic("error", failureMessage(urn, failure), urn);
    return response.failures.length > 0 ? undefined : response.inputs;
  }

  /** Asks the provider, and compares the inputs if it leaves that to the engine. */
  async diff(query: DiffQuery): Promise<DiffResult> {
    let response: DiffResponse;
    try {
      const { urn, id = "", provider, oldInputs, oldOutputs, inputs, ignoreChanges } = query;
      response = await this.provider(provider).diff(urn, id, oldInputs, oldOutputs, inputs, ignoreChanges);
    } catch (error) {
      if (!(error instanceof DiffUnavailable)) throw error;
      this.events.diagnostic("warning", error.message, query.urn);
      return diffResult();
    }
    const { changes, replaces: replaceKeys, deleteBeforeReplace } = response;
    if (changes !== "unknown") return diffResult({ changes, replaceKeys, deleteBeforeReplace });
    const { inputs } = applyIgnoreChanges(query.ignoreChanges, query.oldInputs, query.inputs);
    const details = diffProperties(query.oldInputs, inputs, { ignoreSecrecy: true });
    return details.length > 0
      ? diffResult({ replaceKeys, deleteBeforeReplace, details })
      : diffResult({ changes: "none", replaceKeys, deleteBeforeReplace });
  }
}

const failureMessage = (urn: string, { property, reason }: CheckFailure): string =>
  property === ""
    ? `${typeOf(urn)} resource ${JSON.stringify(nameOf(urn))} has a problem: ${reason}`
    : `${typeOf(urn)} resource ${JSON.stringify(nameOf(urn))}: the property ${property} has a problem: ${reason}`;
