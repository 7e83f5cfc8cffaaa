/**
 * Plans deletions, after all registrations, and their order.
 *
 * Used for: Delete of ResourceProvider.
 */
import { AlreadyReported } from "../errors";
import { DependencyGraph } from "../resource/dependency-graph";
import type { ResourceState } from "../resource/resource-state";
import { type DeletionSchedule, scheduleDeletes } from "./deletion-schedule";
import type { PlanState } from "./plan-state";
import type { Replacements } from "./replacements";
import { keepStep, type Step } from "./step";

export class Deletions {
  #cachedGraph: DependencyGraph | undefined;

  readonly #plan: PlanState;
  readonly #replacements: Replacements;

  constructor(plan: PlanState, replacements: Replacements) {
    this.#plan = plan;
    this.#replacements = replacements;
  }

  /** Deletes old versions, and what is in the old state but was not registered. */
  async generateDeletes(): Promise<{ sames: Step[]; deletes: Step[] }> {
    const isIncluded = await this.#inclusion();
    const sames = this.#plan.resources
      .filter(({ urn }) => !isIncluded(urn) && !this.#plan.isOperatedOn(urn))
      .map((r) => keepStep(r));
    const deletes = [
      ...this.#plan.resources.filter(({ urn }) => isIncluded(urn)).flatMap((r) => this.#deleteOf(r)),
      ...this.#plan.toDelete.filter(({ urn }) => isIncluded(urn)).map(deleteStep),
    ];
    this.#noteDeletes(deletes);
    this.#rejectUntargeted(deletes);
    this.#plan.finishPlanning(sames);
    return { sames, deletes: this.#plan.finishPlanning(deletes) };
  }

  scheduleDeletes(deletes: Step[]): DeletionSchedule {
    return scheduleDeletes(deletes, this.#graph, (r) => this.#plan.isDeletedWithAnother(r));
  }

  /** Everything that a resource needs to exist. */
  neededBy(resource: ResourceState): Set<ResourceState> {
    const { refreshed } = this.#plan;
    return new Set(
      [...this.#graph.transitiveDependenciesOf(resource)].map((needed) => refreshed.get(needed) ?? needed),
    );
  }

  /** The dependencies when all is registered. */
  get #graph(): DependencyGraph {
    if (this.#cachedGraph === undefined) {
      const { toDelete, resources, aliased, refreshed } = this.#plan;
      // Resources that were not registered refer to registered ones by their old names.
      this.#cachedGraph = new DependencyGraph([...toDelete, ...resources], (urn) => aliased.get(urn) ?? urn);
      for (const [before, after] of refreshed) this.#cachedGraph.alias(after, before);
    }
    return this.#cachedGraph;
  }

  #deleteOf(original: ResourceState): Step[] {
    const r = this.#plan.refreshed.get(original) ?? original;
    if (r.delete)
      return this.#plan.pendingDeletes.has(r)
        ? []
        : [{ ...deleteStep(r), op: r.external ? "discard" : "delete-replaced", isPartOfReplacement: true }];
    if (this.#plan.isOperatedOn(r.urn)) return [];
    if (r.pendingReplacement)
      return [{ ...deleteStep(r), op: r.external ? "discard" : "remove-pending-replace", isHidden: true }];
    return [deleteStep(r)];
  }

  /** Protected resources and their dependencies are kept, and nothing is deleted with them. */
  #noteDeletes(deletes: readonly Step[]): void {
    const staying = new Set<ResourceState>();
    for (const { old, isPartOfReplacement } of deletes)
      if (old?.protect && !isPartOfReplacement) for (const r of [old, ...this.neededBy(old)]) staying.add(r);
    for (const { urn, old } of deletes)
      if (old !== undefined && !staying.has(old)) (old.delete ? this.#plan.oldDeletes : this.#plan.deletes).add(urn);
  }

  #rejectUntargeted(deletes: readonly Step[]): void {
    const { targets, targetDependents, dryRun } = this.#plan.options;
    const untargeted = targetDependents ? [] : deletes.filter(({ urn }) => !targets.has(urn));
    for (const { urn } of untargeted)
      this.#plan.reportError(
        urn,
        `it would be deleted too, but is not a target: add --target ${urn}, or --target-dependents`,
      );
    if (untargeted.length > 0 && !dryRun) throw new AlreadyReported();
  }

  /** Which URNs may be deleted, by the targets and exclusions. */
  async #inclusion(): Promise<(urn: string) => boolean> {
    const { targets, excludes } = this.#plan.options;
    if (targets.isConstrained) {
      const deletable = await this.#deletableTargets();
      return (urn) => deletable.has(urn);
    }
    const undeletable = excludes.isConstrained ? this.#undeletableByExcludes() : new Set<string>();
    return (urn) => !undeletable.has(urn);
  }

  async #deletableTargets(): Promise<Set<string>> {
    const graph = this.#graph;
    const targets = new Set<string>();
    const frontier = this.#plan.resources.filter((r) => this.#plan.options.targets.has(r.urn));
    for (let r = frontier.shift(); r !== undefined; r = frontier.shift()) {
      if (targets.has(r.urn)) continue;
      targets.add(r.urn);
      frontier.push(...graph.dependentsOf(r, targets, true));
    }
    const deletable = new Set<string>();
    for (const urn of targets)
      for (const r of this.#plan.allOlds.get(urn) ?? []) {
        deletable.add(urn);
        for (const d of await this.#replacements.dependentReplacements(r)) deletable.add(d.resource.urn);
        for (const d of this.#replacements.companionReplacements(urn)) deletable.add(d.resource.urn);
      }
    return deletable;
  }

  #undeletableByExcludes(): Set<string> {
    const graph = this.#graph;
    const undeletable = new Set<string>();
    const frontier = this.#plan.resources.filter((r) => this.#plan.options.excludes.has(r.urn));
    for (let r = frontier.shift(); r !== undefined; r = frontier.shift()) {
      if (undeletable.has(r.urn)) continue;
      undeletable.add(r.urn);
      frontier.push(...graph.dependenciesOf(r));
      if (this.#plan.options.excludeDependents) frontier.push(...graph.dependentsOf(r, undeletable, true));
    }
    return undeletable;
  }
}

const deleteStep = (resource: ResourceState): Step => ({
  op: resource.external ? "discard" : "delete",
  urn: resource.urn,
  old: resource,
});
