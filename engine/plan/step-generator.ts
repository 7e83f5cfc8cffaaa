/**
 * Decides what happens to each resource: from the old state, the program's registrations and the providers' answers
 * to steps. It does nothing itself: it is a set of generators that yield the questions they need answered (check,
 * diff, refresh) and return steps, so that it can be tested without a process.
 *
 * The rules are those of the CLI's own step generator; where one looks arbitrary, states depend on it.
 *
 * Serves: the part of the engine between ResourceMonitor and ResourceProvider.
 */

import type { Goal, ReadGoal } from "../resource/goal";
import { diffProperties } from "../resource/property-diff";
import { applyIgnoreChanges } from "../resource/property-path";
import { containsUnknown, isEqual, type ValueMap } from "../resource/property-value";
import { type ResourceState, refersToAny } from "../resource/state";
import { isProviderType, STACK_TYPE } from "../resource/urn";
import { Aliases } from "./aliases";
import { Deletions } from "./deletions";
import {
  type DiffResult,
  detailsOf,
  differs,
  hasTriggerChanged,
  isReplacement,
  withReplaceOnChanges,
} from "./diff-result";
import { type PlanOptions, PlanState } from "./plan-state";
import { ProviderQueries } from "./provider-queries";
import { Replacements } from "./replacements";
import { buildReadState, buildState } from "./state-builder";
import { type Ask, PlanFailure, type Step } from "./step";
import { TargetScope } from "./target-scope";
import { Untargeted } from "./untargeted";

export class StepGenerator {
  readonly plan: PlanState;
  /** Also for those who carry steps out: a refresh has its own questions. */
  readonly inquiry: ProviderQueries;
  private readonly aliases: Aliases;
  private readonly scope: TargetScope;
  private readonly untargeted: Untargeted;
  private readonly replacements: Replacements;
  readonly deletions: Deletions;

  constructor(options: PlanOptions, resources: readonly ResourceState[]) {
    this.plan = new PlanState(options, resources);
    this.inquiry = new ProviderQueries(options.report);
    this.aliases = new Aliases(this.plan);
    this.scope = new TargetScope(options);
    this.untargeted = new Untargeted(this.plan);
    this.replacements = new Replacements(this.plan, this.inquiry);
    this.deletions = new Deletions(this.plan, this.replacements);
  }

  /** Plans what a registration asks for. */
  *generateSteps(goal: Goal): Ask<Step[]> {
    const steps = yield* this.planRegistration(goal);
    return this.untargeted.prependKept(steps);
  }

  /** Plans the reading of an object that exists. */
  generateReadSteps(goal: ReadGoal): Step[] {
    const urn = this.plan.generateUrn(goal.parent, goal.type, goal.name);
    const { old, alias } = this.aliases.findOld(urn, goal.name, goal.type, goal.parent, []);
    if (goal.id === "") throw new PlanFailure("a resource that is read needs an id", urn);
    const state = buildReadState(urn, goal, old, alias);
    if (old !== undefined && !old.external && old.id !== goal.id) {
      // Ours is released: another object takes its name, and ours is deleted.
      this.plan.replaced.add(urn);
      return [
        { op: "read", urn, old, new: state, completesRegistration: true, readGoal: goal, isPartOfReplacement: true },
        { op: "replace", urn, old, new: state, completesRegistration: false },
      ];
    }
    if (this.plan.options.mode === "destroy") this.plan.toDelete.push(state);
    this.plan.reads.add(urn);
    return [{ op: "read", urn, ...(old && { old }), new: state, completesRegistration: true, readGoal: goal }];
  }

  private *planRegistration(goal: Goal): Ask<Step[]> {
    const urn = this.plan.generateUrn(goal.parent, goal.type, goal.name);
    const found = this.aliases.findOld(urn, goal.name, goal.type, goal.parent, goal.aliases);
    let { old } = found;
    const state = buildState(urn, goal, old, found.alias);

    if (old !== undefined && this.plan.options.refresh && this.scope.isIncluded(old)) {
      old = yield* this.refresh(urn, goal, old, state);
    }

    if (
      this.plan.options.mode === "refresh" &&
      ((goal.custom && !isProviderType(goal.type)) || this.hasSkippedDependency(state))
    ) {
      if (old === undefined) return this.skipCreate(urn, state, goal);
      // It was refreshed just now: that is the answer.
      return [
        { op: "same", urn, old, new: old, completesRegistration: true, goal, isHidden: true, recordAtOnce: true },
      ];
    }
    if (this.plan.options.mode === "destroy") {
      const steps = this.planForDestroy(urn, goal, old, state);
      if (steps !== undefined) return steps;
    }
    return yield* this.planAgainst(urn, goal, old, state, found.invalid);
  }

  /** Reads what there is of a resource that registers. */
  private *refresh(
    urn: string,
    goal: Goal,
    original: ResourceState,
    state: ResourceState,
  ): Ask<ResourceState | undefined> {
    const internal = !goal.custom || isProviderType(goal.type);
    this.plan.refreshes.add(urn);
    const step: Step = {
      op: "refresh",
      urn,
      old: original,
      new: state,
      completesRegistration: false,
      recordAtOnce: true,
      isHidden: internal,
    };
    const old = (yield { ask: "refresh", step }) as ResourceState | undefined;
    if (old !== undefined) {
      this.plan.graph.alias(old, original);
      this.plan.refreshed.set(original, old);
    }
    return old;
  }

  /** With `destroy --run-program`: nothing is made, but providers and components come up to date. */
  private planForDestroy(
    urn: string,
    goal: Goal,
    old: ResourceState | undefined,
    state: ResourceState,
  ): Step[] | undefined {
    if (this.hasSkippedDependency(state)) {
      if (old?.outputs !== undefined) state.outputs = old.outputs;
      return this.skipCreate(urn, state, goal);
    }
    if (goal.custom && !isProviderType(goal.type)) {
      if (old === undefined) return this.skipCreate(urn, state, goal);
      this.plan.sames.add(urn);
      this.plan.toDelete.push(state);
      if (old.inputs === undefined) delete state.inputs;
      else state.inputs = old.inputs;
      return [{ op: "same", urn, old, new: state, completesRegistration: true, goal }];
    }
    this.plan.toDelete.push(state);
    return undefined;
  }

  private skipCreate(urn: string, state: ResourceState, goal: Goal): Step[] {
    // What there is of it is still to be destroyed.
    if (this.plan.options.mode !== "destroy") this.plan.sames.add(urn);
    this.plan.skippedCreates.add(urn);
    return [
      { op: "same", urn, old: { ...state }, new: state, completesRegistration: true, goal, isSkippedCreate: true },
    ];
  }

  private hasSkippedDependency(s: ResourceState): boolean {
    return refersToAny(s, this.plan.skippedCreates);
  }

  private *planAgainst(
    urn: string,
    goal: Goal,
    old: ResourceState | undefined,
    state: ResourceState,
    invalidAlias: boolean,
  ): Ask<Step[]> {
    // It was deleted earlier in this run, as the dependent of something that was replaced: so it is a replacement.
    const recreating = this.plan.deletes.has(old?.urn ?? urn);
    let invalid = invalidAlias;
    let inputs = goal.inputs;
    if (old !== undefined) {
      const kept = applyIgnoreChanges(goal.ignoreChanges, old.inputs ?? {}, inputs);
      inputs = kept.inputs;
      if (kept.impossible.length > 0)
        this.plan.options.report(
          "info",
          urn,
          `cannot ignore changes in added or removed elements of ${kept.impossible.join(", ")}`,
        );
    }
    const wasExternal = old?.external === true;
    const implicit = isProviderType(goal.type) || goal.type === STACK_TYPE;
    // What was deleted is made as the program has it: what it referred to is no more.
    const targeted = implicit || recreating || this.scope.isIncluded(state);
    const forced = this.isReplaceRequested(urn, old);

    if (goal.custom) {
      if (!targeted) inputs = old?.inputs ?? {};
      else {
        // An old object that is gone, was not ours or is to be replaced has no say in the new inputs.
        const fresh = recreating || wasExternal || forced || old === undefined;
        const answer = yield* this.inquiry.check(
          urn,
          goal,
          fresh ? {} : (old?.inputs ?? {}),
          fresh ? goal.inputs : inputs,
        );
        inputs = answer.inputs;
        invalid = this.inquiry.reportFailures(urn, goal.type, state, answer.failures) || invalid;
      }
      state.inputs = inputs;
    } else state.inputs = inputs;
    if (targeted) this.untargeted.queueKept(state);
    if (invalid) throw new PlanFailure("", urn);

    if (recreating && old !== undefined) {
      this.plan.deletes.delete(old.urn);
      this.plan.replaced.add(urn);
      const replaceKeys = this.replacements.replaceKeysOf(old.urn);
      return [
        { op: "replace", urn, old, new: state, completesRegistration: false, replaceKeys },
        {
          op: "create-replacement",
          urn,
          old,
          new: state,
          completesRegistration: true,
          goal,
          isPartOfReplacement: true,
          replaceKeys,
        },
      ];
    }
    if (wasExternal && old !== undefined) {
      this.plan.creates.add(urn);
      return [
        {
          op: "create-replacement",
          urn,
          old,
          new: state,
          completesRegistration: true,
          goal,
          isPartOfReplacement: true,
          pendingDelete: true,
        },
        { op: "replace", urn, old, new: state, completesRegistration: false },
      ];
    }
    this.scope.extend(state, targeted);

    if (old !== undefined)
      return targeted
        ? yield* this.planDiff(urn, goal, old, state, inputs, forced)
        : this.untargeted.keepWithDependencies(urn, old, goal);
    if (!targeted) return this.skipCreate(urn, state, goal);
    this.plan.creates.add(urn);
    return [{ op: "create", urn, new: state, completesRegistration: true, goal }];
  }

  private *planDiff(
    urn: string,
    goal: Goal,
    old: ResourceState,
    state: ResourceState,
    inputs: ValueMap,
    forced: boolean,
  ): Ask<Step[]> {
    if (!this.plan.options.dryRun && containsUnknown(state.replacementTrigger)) {
      this.plan.sawError = true;
      throw new PlanFailure("the replacementTrigger is not known", urn);
    }
    // It is as it was recorded before something began to change it: whether that took place is to be seen first.
    const unfinished = (old.initErrors ?? []).length > 0;
    // The CLI records it by its new name.
    const { interrupted: operations } = this.plan.options;
    const interrupted = operations.get(old.urn) ?? operations.get(urn);
    const isSettled = this.plan.options.mode !== "update" || this.plan.refreshes.has(urn);
    const isOpen = interrupted !== undefined && !isSettled && !unfinished && !old.pendingReplacement && !forced;
    // An update finds out by itself what came of another one; of what may be gone there is nothing to update.
    if (isOpen && (interrupted === "deleting" || isEqual(old.inputs ?? {}, inputs)))
      return yield* this.refreshThenDiff(urn, goal, old, state, inputs);
    const triggered = hasTriggerChanged(old.replacementTrigger, state.replacementTrigger);
    let diff = triggered ? differs() : yield* this.diff(urn, goal, old, state, inputs, forced);
    diff = withReplaceOnChanges(diff, goal.replaceOnChanges, unfinished);

    if (diff.changes === "some" || old.pendingReplacement) {
      if (isReplacement(diff) || triggered || old.pendingReplacement)
        return yield* this.replacements.generateReplacement(urn, goal, old, state, diff, forced);
      this.plan.updates.add(urn);
      return [
        { op: "update", urn, old, new: state, completesRegistration: true, goal, ...detailsOf(diff, old, inputs) },
      ];
    }
    if (unfinished) {
      this.plan.updates.add(urn);
      const reason = "its last creation or update did not finish";
      return [{ op: "update", urn, old, new: state, completesRegistration: true, goal, changes: [], reason }];
    }
    if (isOpen) return yield* this.refreshThenDiff(urn, goal, old, state, inputs);
    this.plan.sames.add(urn);
    return [{ op: "same", urn, old, new: state, completesRegistration: true, goal }];
  }

  /** Plans against what is there now. */
  private *refreshThenDiff(
    urn: string,
    goal: Goal,
    old: ResourceState,
    state: ResourceState,
    inputs: ValueMap,
  ): Ask<Step[]> {
    // As the state has it: what the program says of it by now is not done yet.
    const found = yield* this.refresh(urn, goal, old, old);
    if (found !== undefined) return yield* this.planDiff(urn, goal, found, state, inputs, false);
    this.plan.creates.add(urn);
    return [{ op: "create", urn, new: state, completesRegistration: true, goal }];
  }

  private *diff(
    urn: string,
    goal: Goal,
    old: ResourceState,
    state: ResourceState,
    inputs: ValueMap,
    forced: boolean,
  ): Ask<DiffResult> {
    if (forced) return differs(["id"]);
    if ((state.replaceWith ?? []).some((other) => this.plan.replaced.has(other))) return differs(["replaceWith"]);
    if (state.deletedWith && this.plan.replaced.has(state.deletedWith)) return differs(["deletedWith"]);
    if (this.providerRequiresReplacement(old, state)) return differs(["provider"]);
    const oldInputs = old.inputs ?? {};
    if (isProviderType(goal.type)) {
      // A provider that does not compare its configuration has changed when it is not the one it was made with.
      if (isEqual(old.outputs ?? {}, inputs)) return { ...differs(), changes: "none" };
      return { ...differs(), details: diffProperties(old.outputs ?? {}, inputs) };
    }
    if (!goal.custom) return { ...differs(), changes: isEqual(oldInputs, inputs) ? "none" : "some" };
    return yield* this.inquiry.diff(old, oldInputs, old.outputs ?? {}, inputs, goal.provider, goal.ignoreChanges, urn);
  }

  private providerRequiresReplacement(old: ResourceState, state: ResourceState): boolean {
    const [before, after] = [old.provider ?? "", state.provider ?? ""];
    // From a component to a custom resource or back. Dynamic providers never ask for a replacement themselves.
    return before !== after && (before === "" || after === "");
  }

  private isReplaceRequested(urn: string, old: ResourceState | undefined): boolean {
    return (this.plan.options.replaces.isConstrained && this.plan.options.replaces.has(urn)) || old?.taint === true;
  }

  /** Steps for everything that the program did not register, and that a refresh in its course did not see. */
  generateRefreshes(): Step[] {
    const steps: Step[] = [];
    for (const r of this.plan.resources) {
      if (this.plan.isOperatedOn(r.urn) || !this.scope.isIncluded(r)) continue;
      this.plan.refreshes.add(r.urn);
      steps.push({ op: "refresh", urn: r.urn, old: r, new: r, completesRegistration: false });
    }
    return steps;
  }

  /** To be told when a step is done, for what depends on new states. */
  done(state: ResourceState): void {
    this.plan.news.set(state.urn, state);
  }
}
