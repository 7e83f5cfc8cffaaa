/**
 * What is not a target stays as it is, and what a target refers to stays before it in the state.
 *
 * Serves: --target and --exclude, for what is outside of them.
 */
import type { Goal } from "../resource/goal";
import { allReferencesOf, type ResourceState, referencesOf } from "../resource/state";
import { providerUrnOf } from "../resource/urn";
import type { PlanState } from "./plan-state";
import { keepStep, PlanFailure, type Step } from "./step";

export class Untargeted {
  /** What is to be kept before the steps of the registration at hand. */
  private queue: ResourceState[] = [];
  private readonly queued = new Set<string>();

  constructor(private readonly plan: PlanState) {}

  /**
   * A resource that is no target stays as it is; and what it refers to must stay before it in the state, even if the
   * program has it no more.
   */
  keepWithDependencies(urn: string, old: ResourceState, goal: Goal): Step[] {
    const steps: Step[] = [];
    const visit = (s: ResourceState, own: boolean): void => {
      if (s.delete) return;
      this.plan.sames.add(urn);
      if (own) {
        this.plan.urns.add(s.urn);
        this.plan.sames.add(s.urn);
      }
      const provider = s.provider === undefined ? undefined : providerUrnOf(s.provider);
      if (provider !== undefined && !this.plan.hasStep(provider) && !this.plan.isOperatedOn(provider)) {
        const p = this.plan.olds.get(provider);
        if (p !== undefined && `${p.urn}::${p.id}` === s.provider) visit(p, false);
      }
      for (const ref of referencesOf(s)) {
        // Perhaps under another name.
        if (this.plan.hasStep(ref.urn) || this.plan.isOperatedOn(ref.urn)) continue;
        const dependency = this.plan.olds.get(ref.urn);
        if (dependency === undefined)
          throw new PlanFailure(`it is not a target, but ${ref.urn}, which it refers to, is not in the state`, urn);
        visit(dependency, false);
      }
      steps.push(own ? { ...keepStep(s), completesRegistration: true, goal } : this.plan.keepUntargeted(s));
    };
    visit(old, true);
    return steps;
  }

  /** The same for what a target refers to but the program does not register. */
  queueKept(state: ResourceState): void {
    if (!this.plan.options.targets.isConstrained) return;
    const queue = (urn: string): void => {
      if (urn === "" || this.plan.hasStep(urn) || this.plan.isOperatedOn(urn) || this.queued.has(urn)) return;
      const old = this.plan.olds.get(urn);
      if (old === undefined || old.delete) return;
      this.queued.add(urn);
      if (old.provider !== undefined) queue(providerUrnOf(old.provider));
      for (const ref of referencesOf(old)) queue(ref.urn);
      this.queue.push(old);
    };
    for (const ref of referencesOf(state)) queue(ref.urn);
  }

  /** The steps of a registration with what has to go before them; refuses what depends on what is not created. */
  prependKept(planned: Step[]): Step[] {
    let steps = planned;
    if (this.queue.length > 0) {
      const queued = this.queue.filter((s) => !this.plan.hasStep(s.urn) && !this.plan.isOperatedOn(s.urn));
      this.queue = [];
      steps = [...queued.map((s) => this.plan.keepUntargeted(s)), ...steps];
    }
    const { targets, replaces, excludes, mode } = this.plan.options;
    // A refresh makes nothing: what it found to be gone is gone for what depends on it, too.
    if (mode === "refresh") return steps;
    if (![targets, replaces, excludes].some((given) => given.isConstrained)) return steps;
    const why = excludes.isConstrained
      ? (): string => "excluded: exclude it, too, or what depends on anything excluded (--exclude-dependents)"
      : (urn: string): string => `not a target: add --target ${urn}`;
    for (const step of steps) {
      if (step.new === undefined || step.isSkippedCreate) continue;
      for (const { urn } of allReferencesOf(step.new)) {
        if (!this.plan.skippedCreates.has(urn)) continue;
        this.plan.sawError = true;
        this.plan.options.report(
          "error",
          step.urn,
          `it depends on ${urn}, which does not exist yet and is ${why(urn)}`,
        );
        if (!this.plan.options.dryRun) throw new PlanFailure("", step.urn);
        this.plan.skippedCreates.delete(urn);
      }
    }
    return steps;
  }
}
