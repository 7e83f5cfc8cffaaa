/**
 * Keeps resources that are not targets, and keeps what a target refers to before it in the state.
 *
 * Used for: --target and --exclude.
 */
import { AlreadyReported } from "../../errors";
import type { Goal } from "../../resource/goal";
import { allReferencesOf, type ResourceState, referencesOf } from "../../resource/resource-state";
import { providerUrnOf } from "../../resource/urn";
import type { PlanState } from "../plan-state";
import { keepStep, PlanFailure, type Step } from "../step";

export class Untargeted {
  /** Resources to keep before the steps of the current registration. */
  #queue: ResourceState[] = [];
  readonly #queued = new Set<string>();

  readonly #plan: PlanState;

  constructor(plan: PlanState) {
    this.#plan = plan;
  }

  /**
   * Keeps a resource that is not a target. What it refers to must stay before it in the state, even if the program no
   * longer declares it.
   */
  keepWithDependencies(urn: string, old: ResourceState, goal: Goal): Step[] {
    const steps: Step[] = [];
    const visit = (resource: ResourceState, own: boolean): void => {
      if (resource.delete) return;
      this.#plan.sames.add(urn);
      if (own) {
        this.#plan.urns.add(resource.urn);
        this.#plan.sames.add(resource.urn);
      }
      const provider = resource.provider === undefined ? undefined : providerUrnOf(resource.provider);
      if (provider !== undefined && !this.#plan.hasStep(provider) && !this.#plan.isOperatedOn(provider)) {
        const p = this.#plan.olds.get(provider);
        if (p !== undefined && `${p.urn}::${p.id}` === resource.provider) visit(p, false);
      }
      for (const ref of referencesOf(resource)) {
        // It may be registered under another name.
        if (this.#plan.hasStep(ref.urn) || this.#plan.isOperatedOn(ref.urn)) continue;
        const dependency = this.#plan.olds.get(ref.urn);
        if (dependency === undefined)
          throw new PlanFailure(`it is not a target, but ${ref.urn}, which it refers to, is not in the state`, urn);
        visit(dependency, false);
      }
      steps.push(
        own ? { ...keepStep(resource), completesRegistration: true, goal } : this.#plan.keepUntargeted(resource),
      );
    };
    visit(old, true);
    return steps;
  }

  /** The same for what a target refers to and the program does not register. */
  queueKept(state: ResourceState): void {
    if (!this.#plan.options.targets.isConstrained) return;
    const queue = (urn: string): void => {
      if (urn === "" || this.#plan.hasStep(urn) || this.#plan.isOperatedOn(urn) || this.#queued.has(urn)) return;
      const old = this.#plan.olds.get(urn);
      if (old === undefined || old.delete) return;
      this.#queued.add(urn);
      if (old.provider !== undefined) queue(providerUrnOf(old.provider));
      for (const ref of referencesOf(old)) queue(ref.urn);
      this.#queue.push(old);
    };
    for (const ref of referencesOf(state)) queue(ref.urn);
  }

  /** The steps of a registration after the kept resources; rejects what depends on a resource that is not created. */
  prependKept(planned: Step[]): Step[] {
    let steps = planned;
    if (this.#queue.length > 0) {
      const queued = this.#queue.filter((s) => !this.#plan.hasStep(s.urn) && !this.#plan.isOperatedOn(s.urn));
      this.#queue = [];
      steps = [...queued.map((s) => this.#plan.keepUntargeted(s)), ...steps];
    }
    const { targets, replaces, excludes, operation } = this.#plan.options;
    // A refresh creates nothing, so dependents of an object that no longer exists are rejected.
    if (operation === "refresh") return steps;
    if (![targets, replaces, excludes].some((choice) => choice.isConstrained)) return steps;
    const why = excludes.isConstrained
      ? (): string => "excluded: exclude it, too, or what depends on anything excluded (--exclude-dependents)"
      : (urn: string): string => `not a target: add --target ${urn}`;
    for (const step of steps) {
      if (step.new === undefined || step.isSkippedCreate) continue;
      for (const { urn } of allReferencesOf(step.new)) {
        if (!this.#plan.skippedCreates.has(urn)) continue;
        this.#plan.reportError(step.urn, `it depends on ${urn}, which does not exist yet and is ${why(urn)}`);
        if (!this.#plan.options.dryRun) throw new AlreadyReported();
        this.#plan.skippedCreates.delete(urn);
      }
    }
    return steps;
  }
}
