/**
 * Checks the inputs of a registration and compares them with the old state: the provider decides for its own resources.
 *
 * Used for: Check and Diff of ResourceProvider, and the options ignoreChanges, replaceWith and deletedWith.
 */
import { applyIgnoreChanges } from "../resource/property-path";
import { isEqual, type ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/resource-state";
import { isProviderType, providerUrnOf } from "../resource/urn";
import { type DiffResult, diffResult } from "./diff-result";
import type { PlanState } from "./plan-state";
import type { ProviderQueries } from "./provider-queries";
import type { Registration } from "./replacements";

export class CheckAndDiff {
  readonly #plan: PlanState;
  readonly #queries: ProviderQueries;

  constructor(plan: PlanState, queries: ProviderQueries) {
    this.#plan = plan;
    this.#queries = queries;
  }

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
      this.#plan.options.events.diagnostic(
        "info",
        `cannot ignore changes in added or removed elements of ${unresolvable.join(", ")}`,
        urn,
      );
    if (!goal.custom) return inputs;
    if (!isTargeted) return oldInputs;
    return ignoreOldInputs
      ? this.#queries.check(urn, goal, {}, goal.inputs)
      : this.#queries.check(urn, goal, oldInputs, inputs);
  }

  /** The differences between the new state and the old one. */
  async diff({ urn, goal, state }: Registration, old: ResourceState, isReplaceRequested: boolean): Promise<DiffResult> {
    const { replaced } = this.#plan;
    if (isReplaceRequested) return diffResult({ replaceKeys: ["id"] });
    if ((state.replaceWith ?? []).some((other) => replaced.has(other)))
      return diffResult({ replaceKeys: ["replaceWith"] });
    if (state.deletedWith && replaced.has(state.deletedWith)) return diffResult({ replaceKeys: ["deletedWith"] });
    if (await this.#isReplacedWithProvider(old, state)) return diffResult({ replaceKeys: ["provider"] });
    const { inputs: oldInputs = {}, outputs: oldOutputs = {} } = old;
    const inputs = state.inputs ?? {};
    if (isProviderType(goal.type)) return this.#queries.diffConfig(urn, old, inputs);
    if (!goal.custom) return diffResult({ changes: isEqual(oldInputs, inputs) ? "none" : "some" });
    const { provider, ignoreChanges } = goal;
    return this.#queries.diff({ urn, id: old.id, provider, oldInputs, oldOutputs, inputs, ignoreChanges });
  }

  /** True if a component becomes a custom resource or the reverse, or if the new provider's configuration requires a replacement. */
  async #isReplacedWithProvider(old: ResourceState, state: ResourceState): Promise<boolean> {
    if (hasProvider(old) !== hasProvider(state)) return true;
    if (!hasProvider(state) || old.provider === state.provider) return false;
    const [before, after] = [old, state].map(({ provider = "" }) => providerUrnOf(provider)) as [string, string];
    const { olds, news, aliased } = this.#plan;
    if (aliased.get(before) === after) return false;
    const diff = await this.#queries.diffConfig(after, olds.get(before) ?? {}, news.get(after)?.inputs ?? {});
    return diff.replaceKeys.length > 0;
  }
}

const hasProvider = (r: ResourceState): boolean => (r.provider ?? "") !== "";
