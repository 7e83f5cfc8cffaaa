/**
 * Decides what happens to each resource: from the old state, the program's registrations and the providers' responses
 * to steps. It changes nothing itself, and all it needs of providers is injected.
 *
 * The rules are those of the CLI's own step generator; where one looks arbitrary, states depend on it.
 *
 * Used for: the part of the engine between ResourceMonitor and ResourceProvider.
 */

import { AlreadyReported } from "../errors";
import type { Goal, ReadGoal } from "../resource/goal";
import { containsUnknown, isEqual } from "../resource/property-value";
import { type PendingOperation, type ResourceState, refersToAny } from "../resource/resource-state";
import { isProviderType, STACK_TYPE } from "../resource/urn";
import { Aliases } from "./aliases";
import { CheckAndDiff } from "./check-and-diff";
import { detailsOf, diffResult, hasTriggerChanged, isReplacement, withReplaceOnChanges } from "./diff-result";
import { Imports } from "./imports";
import { Deletions } from "./plan-deletions";
import { type PlanOptions, PlanState } from "./plan-state";
import type { Policies } from "./policies";
import type { ProviderQueries } from "./provider-queries";
import { type Registration, Replacements } from "./replacements";
import { buildReadState, buildState } from "./state-builder";
import { PlanFailure, type Step } from "./step";
import { TargetScope } from "./targets/target-scope";
import { Untargeted } from "./targets/untargeted";

interface StepGeneratorPorts {
  queries: ProviderQueries;
  policies: Policies;
  /** Executes a refresh or an import; others may be planned meanwhile. Resolves to the new state, undefined if the object no longer exists. */
  read: (step: Step) => Promise<ResourceState | undefined>;
  /** The new states that are recorded, by URN. */
  news: ReadonlyMap<string, ResourceState>;
}

export class StepGenerator {
  readonly plan: PlanState;
  readonly deletions: Deletions;
  readonly #aliases: Aliases;
  readonly #scope: TargetScope;
  readonly #untargeted: Untargeted;
  readonly #replacements: Replacements;
  readonly #checkAndDiff: CheckAndDiff;
  readonly #imports: Imports;

  readonly #ports: StepGeneratorPorts;

  constructor(options: PlanOptions, resources: readonly ResourceState[], ports: StepGeneratorPorts) {
    this.#ports = ports;
    this.plan = new PlanState(options, resources, ports.news);
    this.#aliases = new Aliases(this.plan);
    this.#scope = new TargetScope(options);
    this.#untargeted = new Untargeted(this.plan);
    this.#replacements = new Replacements(this.plan, ports.queries);
    this.#checkAndDiff = new CheckAndDiff(this.plan, ports.queries);
    this.#imports = new Imports(this.plan, this.#scope, ports.read);
    this.deletions = new Deletions(this.plan, this.#replacements);
  }

  /** Plans a registration. */
  async generateSteps(goal: Goal): Promise<Step[]> {
    const steps = await this.#planRegistration(goal);
    return this.plan.finishPlanning(this.#untargeted.prependKept(steps));
  }

  /** Plans the reading of an object that exists. */
  generateReadSteps(goal: ReadGoal): Step[] {
    const urn = this.plan.generateUrn(goal.parent, goal.type, goal.name);
    const { old, alias } = this.#aliases.findOld(urn, goal.name, goal.type, goal.parent, []);
    if (goal.id === "") throw new PlanFailure("a resource that is read needs an id", urn);
    const state = buildReadState(urn, goal, old, alias);
    const read: Step = { op: "read", urn, new: state, completesRegistration: true, readGoal: goal };
    if (old !== undefined && !old.external && old.id !== goal.id) {
      // Another object takes the name of a managed one, which is deleted.
      this.plan.replaced.add(urn);
      return this.plan.markCalls([
        { ...read, old, isPartOfReplacement: true },
        { op: "replace", urn, old, new: state },
      ]);
    }
    if (this.plan.options.operation === "destroy") this.plan.toDelete.push(state);
    this.plan.reads.add(urn);
    return this.plan.markCalls([{ ...read, ...(old && { old }) }]);
  }

  /** Steps for all resources that were neither registered nor refreshed in this run. */
  generateRefreshes(): Step[] {
    const steps: Step[] = [];
    for (const r of this.plan.resources) {
      if (this.plan.isOperatedOn(r.urn) || !this.#scope.isIncluded(r)) continue;
      this.plan.refreshes.add(r.urn);
      steps.push({ op: "refresh", urn: r.urn, old: r, new: r });
    }
    return steps;
  }

  async #planRegistration(goal: Goal): Promise<Step[]> {
    const { operation, refresh } = this.plan.options;
    const urn = this.plan.generateUrn(goal.parent, goal.type, goal.name);
    const {
      old: recorded,
      alias,
      isInvalid,
    } = this.#aliases.findOld(urn, goal.name, goal.type, goal.parent, goal.aliases);
    const state = buildState(urn, goal, recorded, alias);
    const registration = { urn, goal, state };
    const old =
      recorded !== undefined && refresh && this.#scope.isIncluded(recorded)
        ? await this.#refresh(registration, recorded, state)
        : recorded;
    const isManaged = goal.custom && !isProviderType(goal.type);
    if (operation === "refresh" && (isManaged || this.#hasSkippedDependency(state)))
      return old === undefined
        ? this.#skipCreate(registration)
        : // It was refreshed in this run, which is the result.
          [{ op: "same", urn, old, new: old, completesRegistration: true, goal, isHidden: true, recordAtOnce: true }];
    if (operation === "destroy") {
      const steps = this.#planForDestroy(registration, old);
      if (steps !== undefined) return steps;
    }
    const imported = await this.#imports.read(registration, old);
    if (imported === undefined) return this.#planAgainst(registration, old, isInvalid);
    const steps = await this.#planAgainst(registration, imported, isInvalid);
    return steps.map((step) => (step.op === "same" ? { ...step, isHidden: true } : step));
  }

  /** Reads the object of a resource that registers. */
  async #refresh(
    { urn, goal }: Registration,
    recorded: ResourceState,
    state: ResourceState,
  ): Promise<ResourceState | undefined> {
    const isHidden = !goal.custom || isProviderType(goal.type);
    this.plan.refreshes.add(urn);
    const old = await this.#ports.read({
      op: "refresh",
      urn,
      old: recorded,
      new: state,
      recordAtOnce: true,
      isHidden,
    });
    if (old !== undefined) {
      this.plan.graph.alias(old, recorded);
      this.plan.refreshed.set(recorded, old);
    }
    return old;
  }

  /** With `destroy --run-program`: nothing is created, but providers and components are updated. */
  #planForDestroy(registration: Registration, old: ResourceState | undefined): Step[] | undefined {
    const { urn, goal, state } = registration;
    if (this.#hasSkippedDependency(state)) {
      if (old?.outputs !== undefined) state.outputs = old.outputs;
      return this.#skipCreate(registration);
    }
    if (goal.custom && !isProviderType(goal.type)) {
      if (old === undefined) return this.#skipCreate(registration);
      this.plan.sames.add(urn);
      this.plan.toDelete.push(state);
      if (old.inputs === undefined) delete state.inputs;
      else state.inputs = old.inputs;
      return [{ op: "same", urn, old, new: state, completesRegistration: true, goal }];
    }
    this.plan.toDelete.push(state);
    return undefined;
  }

  #create({ urn, goal, state }: Registration): Step[] {
    this.plan.creates.add(urn);
    return [{ op: "create", urn, new: state, completesRegistration: true, goal }];
  }

  #skipCreate({ urn, goal, state }: Registration): Step[] {
    // An old one is still to be destroyed.
    if (this.plan.options.operation !== "destroy") this.plan.sames.add(urn);
    this.plan.skippedCreates.add(urn);
    return [
      { op: "same", urn, old: { ...state }, new: state, completesRegistration: true, goal, isSkippedCreate: true },
    ];
  }

  #hasSkippedDependency(resource: ResourceState): boolean {
    return refersToAny(resource, this.plan.skippedCreates);
  }

  async #planAgainst(
    registration: Registration,
    old: ResourceState | undefined,
    hasInvalidAlias: boolean,
  ): Promise<Step[]> {
    const { urn, goal, state } = registration;
    // It was deleted earlier in this run, as a dependent of a replaced resource, so it is a replacement.
    const recreatesDeleted = this.plan.deletes.has(old?.urn ?? urn);
    const isImplicit = isProviderType(goal.type) || goal.type === STACK_TYPE;
    // A deleted resource is created as the program declares it, since the objects that it referred to no longer exist.
    const isTargeted = isImplicit || recreatesDeleted || this.#scope.isIncluded(state);
    const isReplaceRequested = this.#isReplaceRequested(urn, old);
    // An old object that no longer exists, was only read or is to be replaced does not affect the new inputs.
    const ignoreOldInputs = recreatesDeleted || old?.external === true || isReplaceRequested;
    const inputs = await this.#checkAndDiff.check(registration, old, isTargeted, ignoreOldInputs);
    if (inputs !== undefined) state.inputs = inputs;
    if (isTargeted) this.#untargeted.queueKept(state);
    if (inputs === undefined || hasInvalidAlias) throw new AlreadyReported();
    const olds = ignoreOldInputs ? {} : (old?.inputs ?? {});
    const deviation = this.plan.options.updatePlan?.addGoal(urn, goal, olds, inputs, old === undefined);
    this.plan.rejectDeviation(urn, deviation);
    await this.#ports.policies.enforce(this.plan, registration);

    if (recreatesDeleted && old !== undefined) {
      this.plan.deletes.delete(old.urn);
      this.plan.replaced.add(urn);
      const replace = { urn, old, new: state, replaceKeys: this.#replacements.replaceKeysOf(old.urn) };
      return [
        { ...replace, op: "replace" },
        { ...replace, op: "create-replacement", completesRegistration: true, goal, isPartOfReplacement: true },
      ];
    }
    if (old?.external) {
      this.plan.creates.add(urn);
      const create = { completesRegistration: true, goal, isPartOfReplacement: true, pendingDelete: true };
      return [
        { op: "create-replacement", urn, old, new: state, ...create },
        { op: "replace", urn, old, new: state },
      ];
    }
    this.#scope.extend(state, isTargeted);
    if (old !== undefined && isTargeted) return this.#planDiff(registration, old, isReplaceRequested);
    if (old !== undefined) return this.#untargeted.keepWithDependencies(urn, old, goal);
    return isTargeted ? this.#create(registration) : this.#skipCreate(registration);
  }

  async #planDiff(registration: Registration, old: ResourceState, isReplaceRequested: boolean): Promise<Step[]> {
    const { urn, goal, state } = registration;
    const inputs = state.inputs ?? {};
    if (!this.plan.options.dryRun && containsUnknown(state.replacementTrigger))
      throw new PlanFailure("the replacementTrigger is unknown", urn);
    const hasInitErrors = (old.initErrors ?? []).length > 0;
    const pending =
      hasInitErrors || old.pendingReplacement || isReplaceRequested ? undefined : this.#pendingOperationOf(urn, old);
    // An update also settles an interrupted update, but an object that may have been deleted cannot be updated.
    if (pending === "deleting" || (pending !== undefined && isEqual(old.inputs ?? {}, inputs)))
      return this.#refreshThenDiff(registration, old);

    const isTriggered = hasTriggerChanged(old.replacementTrigger, state.replacementTrigger);
    const providerDiff = isTriggered
      ? diffResult()
      : await this.#checkAndDiff.diff(registration, old, isReplaceRequested);
    const diff = withReplaceOnChanges(providerDiff, goal.replaceOnChanges, hasInitErrors);
    const hasChanges = diff.changes === "some" || old.pendingReplacement;
    if (hasChanges && (isReplacement(diff) || isTriggered || old.pendingReplacement)) {
      this.#imports.rejectReplacement(registration, diff.replaceKeys);
      return this.#replacements.generateReplacement(registration, old, diff, isReplaceRequested);
    }
    if (hasChanges || hasInitErrors) {
      this.plan.updates.add(urn);
      const details = hasChanges
        ? detailsOf(diff, old, inputs)
        : { changes: [], reason: "its last creation or update did not finish" };
      return [{ op: "update", urn, old, new: state, completesRegistration: true, goal, ...details }];
    }
    if (pending !== undefined) return this.#refreshThenDiff(registration, old);
    this.plan.sames.add(urn);
    return [{ op: "same", urn, old, new: state, completesRegistration: true, goal }];
  }

  /** The interrupted operation on a resource, unless the object was read since. */
  #pendingOperationOf(urn: string, old: ResourceState): PendingOperation["type"] | undefined {
    const { interrupted, operation } = this.plan.options;
    if (operation !== "update" || this.plan.refreshes.has(urn)) return undefined;
    // The CLI records it by its new name.
    return interrupted.get(old.urn) ?? interrupted.get(urn);
  }

  /** Plans against the object as it is now. */
  async #refreshThenDiff(registration: Registration, recorded: ResourceState): Promise<Step[]> {
    // Read with the old inputs, since the program's changes are not applied yet.
    const old = await this.#refresh(registration, recorded, recorded);
    return old === undefined ? this.#create(registration) : this.#planDiff(registration, old, false);
  }

  #isReplaceRequested(urn: string, old: ResourceState | undefined): boolean {
    const { replaces } = this.plan.options;
    return (replaces.isConstrained && replaces.has(urn)) || old?.taint === true;
  }
}
