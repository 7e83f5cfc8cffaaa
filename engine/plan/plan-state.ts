/**
 * What the parts of the planner share: the old state, and what was decided so far.
 *
 * Serves: the state of one operation between ResourceMonitor and ResourceProvider.
 */
import { DependencyGraph } from "../resource/dependency-graph";
import type { PendingOperation, ResourceState } from "../resource/state";
import { childUrn } from "../resource/urn";
import { keepStep, PlanFailure, type Step } from "./step";
import type { Targets } from "./targets";

export type Report = (severity: "info" | "warning" | "error", urn: string, message: string) => void;

export interface PlanOptions {
  stack: string;
  project: string;
  dryRun: boolean;
  mode: "update" | "destroy" | "refresh";
  /** Refresh each resource when it is registered. */
  refresh: boolean;
  /** What an earlier run was changing or deleting when it was interrupted, by URN, and which of it. */
  interrupted: ReadonlyMap<string, PendingOperation["type"]>;
  targets: Targets;
  targetDependents: boolean;
  excludes: Targets;
  excludeDependents: boolean;
  replaces: Targets;
  report: Report;
}

export class PlanState {
  /** An error was reported that lets planning go on (previews tell all at once) but fails the run. */
  sawError = false;

  olds = new Map<string, ResourceState>();
  /** With old versions that wait for their deletion. */
  allOlds = new Map<string, ResourceState[]>();
  graph = new DependencyGraph([]);

  readonly urns = new Set<string>();
  readonly reads = new Set<string>();
  readonly deletes = new Set<string>();
  /** The same for old versions that waited for it. */
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
  readonly news = new Map<string, ResourceState>();
  /** Old URN to the new one that claimed it. */
  readonly aliased = new Map<string, string>();

  constructor(
    readonly options: PlanOptions,
    public resources: readonly ResourceState[],
  ) {
    this.rebase(resources);
  }

  /** Takes another list as the old state (after a refresh). */
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

  /** The same after the old state was read anew before anything was registered: as if nothing had been done. */
  resetAfterRefresh(resources: readonly ResourceState[]): void {
    this.refreshes.clear();
    this.rebase(resources);
  }

  /** The URN of something that registers now; it must be the first of this name. */
  generateUrn(parent: string | undefined, type: string, name: string): string {
    if (parent !== undefined && !this.urns.has(parent))
      throw new PlanFailure(`could not find parent resource ${parent}`);
    const made = childUrn(this.options.stack, this.options.project, parent, type, name);
    // One text for the old state and the new one.
    const urn = this.olds.get(made)?.urn ?? made;
    if (this.urns.has(urn))
      throw new PlanFailure(
        `the program has two resources ${JSON.stringify(name)} of type ${type}; give one of them another name`,
        urn,
      );
    this.urns.add(urn);
    return urn;
  }

  /**
   * Something stays as it is for the sake of others, although it is not registered: not any more, or not yet. If it comes,
   * its old state is what was kept.
   */
  keepUntargeted(s: ResourceState): Step {
    const step = keepStep(s);
    const kept = step.new as ResourceState;
    this.sames.add(s.urn);
    this.olds.set(s.urn, kept);
    this.graph.alias(kept, s);
    return step;
  }

  /** True when what a resource is deleted with is deleted in this run; with an old version only what is old itself. */
  isDeletedWithAnother({ deletedWith, ...r }: ResourceState): boolean {
    if (deletedWith === undefined) return false;
    return this.deletes.has(deletedWith) || (r.delete === true && this.oldDeletes.has(deletedWith));
  }

  /** True for a URN that is neither in the old state nor registered. */
  isUnknownUrn(urn: string): boolean {
    return !this.allOlds.has(urn) && !this.urns.has(urn);
  }

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

  isOperatedOn(given: string): boolean {
    const urn = this.aliased.get(given) ?? given;
    return (
      this.sames.has(urn) ||
      this.updates.has(urn) ||
      this.replaced.has(urn) ||
      this.reads.has(urn) ||
      this.refreshes.has(urn)
    );
  }
}
