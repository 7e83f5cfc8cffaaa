/**
 * Plans replacements: before or after the deletion of the old object, and with the resources that have to be replaced too.
 *
 * Used for: Delete and Create of ResourceProvider for one resource, and the options deleteBeforeReplace, replaceWith,
 * deletedWith and protect.
 */
import { AlreadyReported } from "../errors";
import type { Goal } from "../resource/goal";
import type { ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/resource-state";
import { UNKNOWN } from "../resource/signatures";
import { isProviderType, providerUrnOf } from "../resource/urn";
import { type DiffResult, detailsOf, isReplacement, withReplaceOnChanges } from "./diff-result";
import type { PlanState } from "./plan-state";
import { deletesProtected, replacesProtected } from "./protection";
import type { ProviderQueries } from "./provider-queries";
import type { Step } from "./step";

/** A registration that is being planned: `state` is the new state, which planning completes. */
export interface Registration {
  urn: string;
  goal: Goal;
  state: ResourceState;
}

/** A resource that is replaced with another one, and the properties that require it. */
interface DependentReplacement {
  resource: ResourceState;
  keys: string[];
}

export class Replacements {
  /** The properties that require the replacement of a dependent, by its URN. */
  readonly #replaceKeys = new Map<string, string[]>();

  readonly #plan: PlanState;
  readonly #queries: ProviderQueries;

  constructor(plan: PlanState, queries: ProviderQueries) {
    this.#plan = plan;
    this.#queries = queries;
  }

  /** The properties for which a dependent was deleted earlier in this run. */
  replaceKeysOf(urn: string): string[] {
    return this.#replaceKeys.get(urn) ?? [];
  }

  /** The steps that replace a resource and its dependents. `isRequested`: without a diff, by an option or a taint. */
  async generateReplacement(
    { urn, goal, state }: Registration,
    old: ResourceState,
    diff: DiffResult,
    isRequested: boolean,
  ): Promise<Step[]> {
    if (state.protect && old.protect) {
      this.#plan.reportError(urn, replacesProtected);
      // A preview continues, to show what causes it.
      if (!this.#plan.options.dryRun) throw new AlreadyReported();
    }
    this.#plan.replaced.add(urn);
    // Values that were copied from the old inputs do not apply to the new object.
    if (goal.custom && !isRequested) {
      const inputs = await this.#queries.check(urn, goal, {}, goal.inputs);
      if (inputs === undefined) throw new AlreadyReported();
      state.inputs = inputs;
    }
    const common = { urn, old, new: state, ...detailsOf(diff, old, state.inputs ?? {}), replaceKeys: diff.replaceKeys };
    const replace: Step = { ...common, op: "replace" };
    const create: Step = {
      ...common,
      op: "create-replacement",
      completesRegistration: true,
      goal,
      isPartOfReplacement: true,
    };
    if (!(goal.deleteBeforeReplace ?? diff.deleteBeforeReplace)) return [{ ...create, pendingDelete: true }, replace];
    return [...(await this.#deleteDependents(urn, old)), ...this.#deleteOld(old), replace, create];
  }

  async #deleteDependents(urn: string, old: ResourceState): Promise<Step[]> {
    const isInGraph = !this.#plan.options.dryRun || this.#plan.graph.contains(old);
    const dependents = isInGraph ? await this.dependentReplacements(old) : [];
    dependents.push(...this.companionReplacements(urn));
    const steps: Step[] = [];
    for (const { resource, keys } of dependents.reverse()) {
      if (this.#plan.pendingDeletes.has(resource)) continue;
      this.#replaceKeys.set(resource.urn, keys);
      steps.push(this.#deleteDependent(resource, urn));
      this.#plan.pendingDeletes.add(resource);
    }
    return steps;
  }

  #deleteDependent(resource: ResourceState, cause: string): Step {
    const { urn } = resource;
    if (resource.delete) {
      // An old version does not cause a replacement of the current one. Whether its successor exists yet depends on timing.
      return this.#plan.replaced.has(urn)
        ? { op: "delete-replaced", urn, old: resource, isPartOfReplacement: true }
        : { op: "delete", urn, old: resource };
    }
    if (resource.protect) {
      this.#plan.reportError(urn, deletesProtected(cause));
      throw new AlreadyReported();
    }
    this.#plan.deletes.add(urn);
    return deleteBeforeReplacement(resource);
  }

  /** No step if an earlier run deleted it and failed afterwards: then it only has to be created. */
  #deleteOld(old: ResourceState): Step[] {
    if (old.pendingReplacement) return [];
    this.#plan.deletes.add(old.urn);
    return [deleteBeforeReplacement(old)];
  }

  /**
   * The resources that have to be replaced with one that is deleted first: those whose provider requires it when the
   * inputs that come from a replaced resource are unknown.
   */
  async dependentReplacements(root: ResourceState): Promise<DependentReplacement[]> {
    const dependents: DependentReplacement[] = [];
    const urns = new Set([root.urn]);
    // A resource that registered earlier in this run cannot depend on one that registers now.
    const { urns: registered, aliased, sames, deletes, replaced } = this.#plan;
    const independent = new Set([...registered, ...aliased.keys(), ...sames, ...deletes, ...replaced]);
    for (const resource of this.#plan.graph.dependentsOf(root, independent, false)) {
      const keys = await this.#keysReplacedWith(resource, urns);
      if (keys === undefined) continue;
      dependents.push({ resource, keys });
      urns.add(resource.urn);
    }
    return dependents;
  }

  /** The keys that require the replacement of a resource when those in `urns` are replaced; undefined when it can stay. */
  async #keysReplacedWith(resource: ResourceState, urns: ReadonlySet<string>): Promise<string[] | undefined> {
    if (!resource.custom || resource.external) return undefined;
    if (resource.provider !== undefined && urns.has(providerUrnOf(resource.provider))) return [];
    if (resource.deletedWith && urns.has(resource.deletedWith)) return [];
    const oldInputs = resource.inputs ?? {};
    const isAffected = (key: string): boolean =>
      (resource.propertyDependencies?.[key] ?? []).some((urn) => urns.has(urn));
    if (isProviderType(resource.type) || !Object.keys(oldInputs).some(isAffected)) return undefined;
    const inputs: ValueMap = Object.fromEntries(
      Object.entries(oldInputs).map(([key, v]) => [key, isAffected(key) ? UNKNOWN : v]),
    );
    const { urn, id, provider = "", outputs: oldOutputs = {}, ignoreChanges = [] } = resource;
    const query = { urn, id, provider, oldInputs, oldOutputs, inputs, ignoreChanges };
    const diff = withReplaceOnChanges(await this.#queries.diff(query), resource.replaceOnChanges ?? [], false);
    return isReplacement(diff) ? diff.replaceKeys : undefined;
  }

  /** The resources that are replaced with another one by replaceWith or deletedWith. */
  companionReplacements(urn: string): DependentReplacement[] {
    const companions = new Map<string, DependentReplacement>();
    for (const [own, resource] of [...this.#plan.news, ...this.#plan.olds])
      if (!companions.has(own) && (resource.replaceWith?.includes(urn) || resource.deletedWith === urn))
        companions.set(own, { resource, keys: [] });
    return [...companions.values()];
  }
}

const deleteBeforeReplacement = (old: ResourceState): Step => ({
  op: "delete-replaced",
  urn: old.urn,
  old,
  isPartOfReplacement: true,
  pendingReplacement: true,
});
