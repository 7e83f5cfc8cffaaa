/**
 * Plans what goes when all is registered, and in which order.
 *
 * Serves: Delete of ResourceProvider.
 */
import { DependencyGraph } from "../resource/dependency-graph";
import type { ResourceState } from "../resource/state";
import type { PlanState } from "./plan-state";
import type { Replacements } from "./replacements";
import { type Ask, keepStep, PlanFailure, type Step } from "./step";

export class Deletions {
  private cachedGraph: DependencyGraph | undefined;

  constructor(
    private readonly plan: PlanState,
    private readonly replacements: Replacements,
  ) {}

  /** Deletions: what waited for it, and what is in the old state but was not registered. */
  *generateDeletes(): Ask<{ sames: Step[]; deletes: Step[] }> {
    const allowed = this.plan.options.targets.isConstrained ? yield* this.deletableTargets() : undefined;
    const kept = allowed === undefined && this.plan.options.excludes.isConstrained ? this.keptByExcludes() : undefined;
    const included = (s: ResourceState): boolean =>
      allowed !== undefined ? allowed.has(s.urn) : kept === undefined || !kept.has(s.urn);

    const sames: Step[] = [];
    const deletes: Step[] = [];
    for (const original of this.plan.resources) {
      if (!included(original)) {
        if (!this.plan.isOperatedOn(original.urn)) sames.push(keepStep(original));
        continue;
      }
      const r = this.plan.refreshed.get(original) ?? original;
      if (r.delete) {
        if (this.plan.pendingDeletes.has(r)) continue;
        deletes.push({
          op: "delete-replaced",
          urn: r.urn,
          old: r,
          completesRegistration: false,
          isPartOfReplacement: true,
        });
      } else if (!this.plan.isOperatedOn(r.urn)) {
        deletes.push(
          r.pendingReplacement
            ? { op: "remove-pending-replace", urn: r.urn, old: r, completesRegistration: false, isHidden: true }
            : { op: "delete", urn: r.urn, old: r, completesRegistration: false },
        );
      }
    }
    for (const r of this.plan.toDelete) {
      if (!included(r)) continue;
      deletes.push({ op: "delete", urn: r.urn, old: r, completesRegistration: false });
    }
    // What is protected stays, and so does what it needs: nothing goes with that.
    const staying = new Set<ResourceState>();
    for (const { old, isPartOfReplacement } of deletes)
      if (old?.protect && !isPartOfReplacement) for (const r of [old, ...this.neededBy(old)]) staying.add(r);
    let missing = false;
    for (const step of deletes) {
      if (step.old !== undefined && !staying.has(step.old))
        (step.old.delete ? this.plan.oldDeletes : this.plan.deletes).add(step.urn);
      if (step.old?.external) step.op = "discard";
      if (this.plan.options.targets.has(step.urn) || this.plan.options.targetDependents) continue;
      missing = true;
      this.plan.sawError = true;
      this.plan.options.report(
        "error",
        step.urn,
        `it would be deleted too, but is not a target: add --target ${step.urn}, or --target-dependents`,
      );
    }
    if (missing && !this.plan.options.dryRun) throw new PlanFailure("");
    return { sames, deletes };
  }

  /** The order of deletions: groups, each of which may go at once. */
  scheduleDeletes(deletes: Step[]): Step[][] {
    const steps = new Map(deletes.map((s) => [s.old as ResourceState, s]));
    const groups = this.graph.deletionOrder(new Set(steps.keys()));
    return groups.map((group) => group.map((r) => steps.get(r) as Step));
  }

  /** Everything that a resource needs to exist. */
  neededBy(r: ResourceState): Set<ResourceState> {
    const { refreshed } = this.plan;
    return new Set([...this.graph.transitiveDependenciesOf(r)].map((needed) => refreshed.get(needed) ?? needed));
  }

  /** Who depends on whom when all is registered. */
  private get graph(): DependencyGraph {
    if (this.cachedGraph === undefined) {
      const { toDelete, resources, aliased, refreshed } = this.plan;
      // What was not registered refers to what was by its old name.
      this.cachedGraph = new DependencyGraph([...toDelete, ...resources], (urn) => aliased.get(urn) ?? urn);
      for (const [before, after] of refreshed) this.cachedGraph.alias(after, before);
    }
    return this.cachedGraph;
  }

  private *deletableTargets(): Ask<Set<string>> {
    const { graph } = this;
    const targets = new Set<string>();
    const frontier = this.plan.resources.filter((r) => this.plan.options.targets.has(r.urn));
    for (let r = frontier.shift(); r !== undefined; r = frontier.shift()) {
      if (targets.has(r.urn)) continue;
      targets.add(r.urn);
      frontier.push(...graph.dependentsOf(r, targets, true));
    }
    const deletable = new Set<string>();
    for (const urn of targets)
      for (const r of this.plan.allOlds.get(urn) ?? []) {
        deletable.add(urn);
        for (const d of yield* this.replacements.dependentReplacements(r)) deletable.add(d.resource.urn);
        for (const d of this.replacements.companionReplacements(urn)) deletable.add(d.resource.urn);
      }
    return deletable;
  }

  private keptByExcludes(): Set<string> {
    const { graph } = this;
    const kept = new Set<string>();
    const frontier = this.plan.resources.filter((r) => this.plan.options.excludes.has(r.urn));
    for (let r = frontier.shift(); r !== undefined; r = frontier.shift()) {
      if (kept.has(r.urn)) continue;
      kept.add(r.urn);
      frontier.push(...graph.dependenciesOf(r));
      if (this.plan.options.excludeDependents) frontier.push(...graph.dependentsOf(r, kept, true));
    }
    return kept;
  }
}
