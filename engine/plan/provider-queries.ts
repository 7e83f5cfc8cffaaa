/**
 * Asks a provider and understands its answer.
 *
 * Serves: Check and Diff of ResourceProvider.
 */
import { diffProperties } from "../resource/property-diff";
import { applyIgnoreChanges } from "../resource/property-path";
import type { ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/state";
import { isProviderType, nameOf } from "../resource/urn";
import { type DiffResult, differs } from "./diff-result";
import type { Report } from "./plan-state";
import type { Ask, CheckResponse, DiffResponse } from "./step";

export class ProviderQueries {
  constructor(private readonly report: Report) {}

  *check(urn: string, goal: { provider: string; type: string }, olds: ValueMap, news: ValueMap): Ask<CheckResponse> {
    // Dynamic providers do not check their own configuration.
    if (isProviderType(goal.type)) return { inputs: news, failures: [] };
    return (yield { ask: "check", provider: goal.provider, urn, olds, news }) as CheckResponse;
  }

  reportFailures(urn: string, type: string, state: ResourceState, failures: CheckResponse["failures"]): boolean {
    for (const f of failures)
      this.report(
        "error",
        urn,
        f.property === ""
          ? `${type} resource ${JSON.stringify(nameOf(state.urn))} has a problem: ${f.reason}`
          : `${type} resource ${JSON.stringify(nameOf(state.urn))}: the property ${f.property} has a problem: ${f.reason}`,
      );
    return failures.length > 0;
  }

  /** Asks the provider; compares the inputs itself if the provider leaves it open. */
  *diff(
    old: { id?: string },
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    provider: string,
    ignoreChanges: readonly string[],
    urn: string,
  ): Ask<DiffResult> {
    const answer = (yield {
      ask: "diff",
      provider,
      urn,
      id: old.id ?? "",
      oldInputs,
      oldOutputs,
      news,
      ignoreChanges,
    }) as DiffResponse;
    if (answer.unavailable !== undefined) {
      this.report("warning", urn, answer.unavailable);
      return differs();
    }
    const diff: DiffResult = {
      changes: answer.changes === "none" ? "none" : "some",
      replaceKeys: answer.replaces,
      deleteBeforeReplace: answer.deleteBeforeReplace,
      details: undefined,
      replacingPaths: [],
    };
    if (answer.changes === "unknown") {
      const { inputs } = applyIgnoreChanges(ignoreChanges, oldInputs, news);
      const details = diffProperties(oldInputs, inputs, { ignoreSecrecy: true });
      if (details.length > 0) diff.details = details;
      else diff.changes = "none";
    }
    return diff;
  }
}
