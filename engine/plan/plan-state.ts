/** What the parts of the step generator share: the old state, and the decisions so far. */
import { DependencyGraph } from "../resource/dependency-graph";
import type { PendingOperation, ResourceState } from "../resource/resource-state";
import { childUrn, isProviderType } from "../resource/urn";
import { deviationMessage, type UpdatePlan } from "./constraint/update-plan";
import { keepStep, PlanFailure, type Step } from "./step";
import type { Targets } from "./targets/targets";

/** Receives the messages of planning. */
export interface DiagnosticSink {
  diagnostic(severity: "info" | "warning" | "error", message: string, urn: string): void;
}

export interface PlanOptions {
  stack: string;
  project: string;
  dryRun: boolean;
  operation: "update" | "destroy" | "refresh";
  /** Refresh each resource when it is registered. */
  refresh: boolean;
  /** The operations that an earlier run did not finish, by URN, creations excepted. */
  interrupted: ReadonlyMap<string, PendingOperation["type"]>;
  targets: Targets;
  targetDependents: boolean;
  excludes: Targets;
  excludeDependents: boolean;
  replaces: Targets;
  /** Records the plan of the run, or enforces an earlier plan. */
  updatePlan?: UpdatePlan | undefined;
  events: DiagnosticSink;
}

export class PlanState {
  /** An error was reported that fails the run at its end: a preview continues, to report all errors at once. */
  hasErrors = false;

  olds = new Map<string, ResourceState>();
  /** With old versions that are still to be deleted. */
  allOlds = new Map<string, ResourceState[]>();
  graph = new DependencyGraph([]);

  readonly urns = new Set<string>();
  readonly reads = new Set<string>();
  readonly deletes = new Set<string>();
  /** The same for old versions. */
  readonly oldDeletes = new Set<string>();
  readonly replaced = new Set<string>();
  readonly updates = new Set<string>();
  readonly creates = new Set<string>();
  readonly sames = new Set<string>();
  readonly refreshes = new Set<string>();
  readonly skippedCreates = new Set<string>();
  /** Old states (not URNs) whose deletion is planned as part of a replacement. */
  readonly pendingDeletes = new Set<ResourceState>();
  readonly refreshed = new Map<ResourceState, ResourceState>();
  readonly toDelete: ResourceState[] = [];
  /** Old URN to the new one that claimed it. */
  readonly aliased = new Map<string, string>();

  constructor(
    readonly options: PlanOptions,
    public resources: readonly ResourceState[],
    /** The new states that are recorded, by URN. */
    readonly news: ReadonlyMap<string, ResourceState>,
  ) {
    this.rebase(resources);
  }

  /** Replaces the old state, after a refresh. */
  rebase(resources: readonly ResourceState[]): void {
    this.resources = resources;
    this.olds = new Map();
    this.allOlds = new Map();
    for (const r of resources) {
      this.allOlds.set(r.urn, [...(this.allOlds.get(r.urn) ?? []), r]);
      if (!r.delete) this.olds.set(r.urn, r);
    }
    this.graph = new DependencyGraph(resources);
  }

  /** The same after a refresh before any registration: nothing counts as done. */
  resetAfterRefresh(resources: readonly ResourceState[]): void {
    this.refreshes.clear();
    this.rebase(resources);
  }

  /** The URN of a new registration; it must be the first of this name. */
  generateUrn(parent: string | undefined, type: string, name: string): string {
    if (parent !== undefined && !this.urns.has(parent))
      throw new PlanFailure(`could not find parent resource ${parent}`);
    const generated = childUrn(this.options.stack, this.options.project, parent, type, name);
    // One string in memory for the old state and the new one.
    const urn = this.olds.get(generated)?.urn ?? generated;
    if (this.urns.has(urn))
      throw new PlanFailure(
        `the program has two resources ${JSON.stringify(name)} of type ${type}; give one of them another name`,
        urn,
      );
    this.urns.add(urn);
    return urn;
  }

  /**
   * Keeps a resource that others need, although it is not registered: no longer, or not yet. If it registers later, the
   * kept state is its old one.
   */
  keepUntargeted(resource: ResourceState): Step {
    const step = keepStep(resource);
    const newState = step.new as ResourceState;
    this.sames.add(resource.urn);
    this.olds.set(resource.urn, newState);
    this.graph.alias(newState, resource);
    return step;
  }

  /** True if the `deletedWith` of a resource is deleted in this run; the deletion of its old version only deletes old versions. */
  isDeletedWithAnother({ deletedWith, ...r }: ResourceState): boolean {
    if (deletedWith === undefined) return false;
    return this.deletes.has(deletedWith) || (r.delete === true && this.oldDeletes.has(deletedWith));
  }

  /** True for a URN that is neither in the old state nor registered. */
  isUnknownUrn(urn: string): boolean {
    return !this.allOlds.has(urn) && !this.urns.has(urn);
  }

  /** True for a URN with a step of this run, other than a refresh. */
  hasStep(urn: string): boolean {
    return (
      this.creates.has(urn) ||
      this.sames.has(urn) ||
      this.updates.has(urn) ||
      this.deletes.has(urn) ||
      this.replaced.has(urn) ||
      this.reads.has(urn)
    );
  }

  /** True if this run had a step for a resource of the old state, under any of its names; a create or delete does not count. */
  isOperatedOn(oldUrn: string): boolean {
    const urn = this.aliased.get(oldUrn) ?? oldUrn;
    return (
      this.sames.has(urn) ||
      this.updates.has(urn) ||
      this.replaced.has(urn) ||
      this.reads.has(urn) ||
      this.refreshes.has(urn)
    );
  }

  /** Reports an error that fails the run. */
  reportError(urn: string, message: string): void {
    this.hasErrors = true;
    this.options.events.diagnostic("error", message, urn);
  }

  /** Rejects what the plan does not allow. A preview continues, to report all violations. */
  rejectDeviation(urn: string, what: string | undefined): void {
    if (what === undefined) return;
    if (!this.options.dryRun) throw new PlanFailure(deviationMessage(what), urn);
    this.reportError(urn, deviationMessage(what));
  }

  /** Adds steps to the plan of the run, by a resource's new name. */
  #addToUpdatePlan(steps: readonly Step[]): void {
    const { updatePlan } = this.options;
    if (updatePlan === undefined) return;
    for (const step of steps) {
      const urn = this.aliased.get(step.urn) ?? step.urn;
      this.rejectDeviation(urn, updatePlan.addStep(step, urn));
    }
  }

  /** Completes planned steps. Later planning does not change them. */
  finishPlanning(steps: Step[]): Step[] {
    this.#addToUpdatePlan(steps);
    return this.markCalls(steps);
  }

  /** Decides which steps call a provider; nothing that is planned later changes that. */
  markCalls(steps: Step[]): Step[] {
    for (const step of steps) if (this.#callsProvider(step)) step.callsProvider = true;
    return steps;
  }

  #callsProvider(step: Step): boolean {
    const r = step.new ?? step.old;
    if (r === undefined || !r.custom || isProviderType(r.type)) return false;
    switch (step.op) {
      case "create":
      case "create-replacement":
      case "update":
      case "read":
        return true;
      case "delete":
      case "delete-replaced":
        return !r.external && !r.retainOnDelete && !this.isDeletedWithAnother(r);
      default:
        return false;
    }
  }
}
