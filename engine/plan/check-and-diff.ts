/**
 * Checks the inputs of a registration and compares them with the old state: the provider decides for its own resources.
 *
 * Serves: Check and Diff of ResourceProvider, and the options ignoreChanges, replaceWith and deletedWith.
 */
import { diffProperties } from "../resource/property-diff";
import { applyIgnoreChanges } from "../resource/property-path";
import { isEqual, type ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/state";
import { isProviderType } from "../resource/urn";
import { type DiffResult, diffResult } from "./diff-result";
import type { PlanState } from "./plan-state";
import type { ProviderQueries } from "./provider-queries";
import type { Registration } from "./replacements";

export class CheckAndDiff {
  constructor(
    private readonly plan: PlanState,
    private readonly queries: ProviderQueries,
  ) {}

  /** The inputs of the new state; undefined when the provider rejects them. */
  async check(
    { urn, goal }: Registration,
    old: ResourceState | undefined,
    isTargeted: boolean,
    ignoreOldInputs: boolean,
  ): Promise<ValueMap | undefined> {
    const oldInputs = old?.inputs ?? {};
    const { inputs, unresolvable } =
      old === undefined
        ? { inputs: goal.inputs, unresolvable: [] }
        : applyIgnoreChanges(goal.ignoreChanges, oldInputs, goal.inputs);
    if (unresolvable.length > 0)
      this.plan.options.events.diagnostic(
        "info",
        `cannot ignore changes in added or removed elements of ${unresolvable.join(", ")}`,
        urn,
      );
    if (!goal.custom) return inputs;
    if (!isTargeted) return oldInputs;
    return ignoreOldInputs
      ? this.queries.check(urn, goal, {}, goal.inputs)
      : this.queries.check(urn, goal, oldInputs, inputs);
  }

  /** What differs between the new state and the old one. */
  async diff({ urn, goal, state }: Registration, old: ResourceState, isReplaceRequested: boolean): Promise<DiffResult> {
    const { replaced } = this.plan;
    if (isReplaceRequested) return diffResult({ replaceKeys: ["id"] });
    if ((state.replaceWith ?? []).some((other) => replaced.has(other)))
      return diffResult({ replaceKeys: ["replaceWith"] });
    if (state.deletedWith && replaced.has(state.deletedWith)) return diffResult({ replaceKeys: ["deletedWith"] });
    // From a component to a custom resource or back. Dynamic providers never require a replacement themselves.
    if (hasProvider(old) !== hasProvider(state)) return diffResult({ replaceKeys: ["provider"] });
    const { inputs: oldInputs = {}, outputs: oldOutputs = {} } = old;
    const inputs = state.inputs ?? {};
    if (isProviderType(goal.type))
      // A provider that does not compare its configuration changes when that differs from what it was created with.
      return isEqual(oldOutputs, inputs)
        ? diffResult({ changes: "none" })
        : diffResult({ details: diffProperties(oldOutputs, inputs) });
    if (!goal.custom) return diffResult({ changes: isEqual(oldInputs, inputs) ? "none" : "some" });
    const { provider, ignoreChanges } = goal;
    return this.queries.diff({ urn, id: old.id, provider, oldInputs, oldOutputs, inputs, ignoreChanges });
  }
}

const hasProvider = (r: ResourceState): boolean => (r.provider ?? "") !== "";
