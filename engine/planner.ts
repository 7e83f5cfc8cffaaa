/**
 * Decides what happens to each resource: from the old state, the program's registrations and the providers' answers
 * to steps. It does nothing itself: it is a set of generators that yield the questions they need answered (check,
 * diff, refresh) and return steps, so that it can be tested without a process.
 *
 * The rules are those of the CLI's own step generator; where one looks arbitrary, states depend on it.
 *
 * Serves: the part of the engine between ResourceMonitor and ResourceProvider.
 */
import { type Change, differences } from "./diff";
import type { StepOp } from "./events";
import type { Alias, Goal, ReadGoal } from "./goal";
import { DependencyGraph } from "./graph";
import { contains, ignoring, type Path, parsePath } from "./paths";
import { type ResourceState, referencesOf, unknownFields } from "./state";
import type { Targets } from "./targets";
import { childUrn, createUrn, isProviderType, nameOf, providerUrnOf, qualifiedType, STACK_TYPE, typeOf } from "./urn";
import { containsUnknown, equal, UNKNOWN, unwrapSecret, type Value, type ValueMap } from "./values";

/** What the planner needs to know from somebody who can ask a provider. */
export type Question =
  | { ask: "check"; provider: string; urn: string; olds: ValueMap; news: ValueMap }
  | {
      ask: "diff";
      provider: string;
      urn: string;
      id: string;
      oldInputs: ValueMap;
      oldOutputs: ValueMap;
      news: ValueMap;
      ignoreChanges: readonly string[];
      /** True when unknown values may be asked about although this is no preview. */
      allowUnknowns: boolean;
    }
  /** Read the resource first, and say what it is now (undefined: gone). Others may be planned meanwhile. */
  | { ask: "refresh"; step: Step };

export interface CheckAnswer {
  inputs: ValueMap;
  failures: { property: string; reason: string }[];
}
export interface DiffResult {
  changes: "none" | "some" | "unknown";
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** Said when the provider could not be asked. */
  unavailable?: string;
}

/** One thing to do with one resource. */
export interface Step {
  op: StepOp;
  urn: string;
  old?: ResourceState;
  new?: ResourceState;
  /** The registration it belongs to: the step that carries out the wish answers it. */
  answers: boolean;
  goal?: Goal;
  /** Read steps: what was asked. */
  reading?: ReadGoal;
  /** Inputs that differ. */
  changes?: Change[];
  /** The properties that ask for the replacement. */
  replaceKeys?: string[];
  /** Part of a replacement: the old one is counted with the new one. */
  replacing?: boolean;
  /** create-replacement: the old one is deleted after everything else. */
  pendingDelete?: boolean;
  /** delete-replaced: the old one stays in the state until the new one is there. */
  pendingReplacement?: boolean;
  /** A "same" for something that is not to be created: not recorded. */
  skippedCreate?: boolean;
  /** A "same" only because it is not a target. */
  untargeted?: boolean;
  /** refresh: the result is recorded at once (a refresh in a run with the program). */
  persisted?: boolean;
  /** Not shown and not counted. */
  internal?: boolean;
  reason?: string;
}

export interface PlannerOptions {
  stack: string;
  project: string;
  dryRun: boolean;
  mode: "update" | "destroy" | "refresh";
  /** Refresh each resource when it is registered. */
  refresh: boolean;
  targets: Targets;
  targetDependents: boolean;
  excludes: Targets;
  excludeDependents: boolean;
  replaces: Targets;
  report: (severity: "info" | "warning" | "error", urn: string, message: string) => void;
}

/** Planning cannot go on; what is wrong was reported already if the message is empty. */
export class PlanFailure extends Error {
  constructor(
    message: string,
    readonly urn: string = "",
  ) {
    super(message);
  }
}

interface Diff {
  changes: "none" | "some";
  replaceKeys: string[];
  deleteBeforeReplace: boolean;
  details: Change[] | undefined;
  /** Leaves whose change replaces the resource. */
  replacingPaths: Path[];
}
const replacesBy = (d: Diff): boolean => d.replaceKeys.length > 0 || d.replacingPaths.length > 0;
const some = (replaceKeys: string[] = []): Diff => ({
  changes: "some",
  replaceKeys,
  deleteBeforeReplace: false,
  details: undefined,
  replacingPaths: [],
});

/** A property that stands for "was not initialised" in replaceOnChanges. */
const INIT_ERROR = "#initerror";

type Ask<T> = Generator<Question, T, unknown>;

export class Planner {
  /** An error was reported that lets planning go on (previews tell all at once) but fails the run. */
  sawError = false;

  private olds = new Map<string, ResourceState>();
  private allOlds = new Map<string, ResourceState[]>();
  private graph: DependencyGraph;

  private readonly urns = new Set<string>();
  private readonly reads = new Set<string>();
  private readonly deletes = new Set<string>();
  private readonly replaced = new Set<string>();
  private readonly updates = new Set<string>();
  private readonly creates = new Set<string>();
  private readonly sames = new Set<string>();
  private readonly refreshes = new Set<string>();
  private readonly skippedCreates = new Set<string>();
  /** Old states (not URNs) whose deletion is planned as part of a replacement. */
  private readonly pendingDeletes = new Set<ResourceState>();
  private readonly refreshed = new Map<ResourceState, ResourceState>();
  private readonly toDelete: ResourceState[] = [];
  private readonly providers = new Map<string, ResourceState>();
  private readonly news = new Map<string, ResourceState>();
  private readonly dependentReplaceKeys = new Map<string, string[]>();
  /** Old URN to the new one that claimed it, and the other way round. */
  private readonly aliased = new Map<string, string>();
  private readonly aliases = new Map<string, string>();
  private queuedSames: Step[] = [];
  private readonly queuedUrns = new Set<string>();
  private readonly targetsActual: Targets;
  private readonly excludesActual: Targets;

  constructor(
    private readonly o: PlannerOptions,
    private resources: readonly ResourceState[],
  ) {
    this.targetsActual = o.targets.copy();
    this.excludesActual = o.excludes.copy();
    this.graph = this.rebase(resources);
  }

  /** Takes another list as the old state (after a refresh). */
  rebase(resources: readonly ResourceState[]): DependencyGraph {
    this.resources = resources;
    this.olds = new Map();
    this.allOlds = new Map();
    for (const r of resources) {
      this.allOlds.set(r.urn, [...(this.allOlds.get(r.urn) ?? []), r]);
      if (!r.delete) this.olds.set(r.urn, r);
    }
    this.graph = new DependencyGraph(resources);
    return this.graph;
  }

  /** The same after the old state was read anew before anything was registered: as if nothing had been done. */
  forgetRefreshes(resources: readonly ResourceState[]): void {
    this.refreshes.clear();
    this.rebase(resources);
  }

  /** True for what is deleted in this run: what is deleted with it needs no call of its own. */
  isBeingDeleted(urn: string): boolean {
    return this.deletes.has(urn);
  }

  /** Everything that a resource needs to exist. */
  neededBy(r: ResourceState): Set<ResourceState> {
    const graph = this.graph.contains(r) ? this.graph : new DependencyGraph(this.toDelete);
    return graph.transitiveDependenciesOf(r);
  }

  // ------------------------------------------------------------------------------------------------- registrations

  /** Plans what a registration asks for. */
  *register(goal: Goal): Ask<Step[]> {
    const steps = yield* this.plan(goal);
    return this.validated(steps);
  }

  /** The URN of something that registers now; it must be the first of this name. */
  private claim(parent: string | undefined, type: string, name: string): string {
    if (parent !== undefined && !this.urns.has(parent))
      throw new PlanFailure(`could not find parent resource ${parent}`);
    const urn = childUrn(this.o.stack, this.o.project, parent, type, name);
    if (this.urns.has(urn))
      throw new PlanFailure(
        `the program has two resources ${JSON.stringify(name)} of type ${type}; give one of them another name`,
        urn,
      );
    this.urns.add(urn);
    return urn;
  }

  private *plan(goal: Goal): Ask<Step[]> {
    const urn = this.claim(goal.parent, goal.type, goal.name);
    const found = this.findOld(urn, goal.name, goal.type, goal.parent, goal.aliases);
    let { old } = found;
    const state = this.newState(urn, goal, old, found.alias);
    if (isProviderType(goal.type)) {
      this.providers.set(urn, state);
      if (found.alias !== undefined) this.providers.set(found.alias, state);
    }

    if (old !== undefined && this.o.refresh && this.isIncluded(old)) {
      const internal = !goal.custom || isProviderType(goal.type);
      this.refreshes.add(urn);
      const original = old;
      const step: Step = { op: "refresh", urn, old, new: state, answers: false, persisted: true, internal };
      old = (yield { ask: "refresh", step }) as ResourceState | undefined;
      if (old !== undefined) {
        this.graph.alias(old, original);
        this.refreshed.set(original, old);
      }
    }

    if (
      this.o.mode === "refresh" &&
      ((goal.custom && !isProviderType(goal.type)) || this.hasSkippedDependency(state))
    ) {
      if (old === undefined) return this.skipCreate(urn, state, goal);
      // It was refreshed just now: that is the answer.
      return [{ op: "same", urn, old, new: old, answers: true, goal, internal: true, persisted: true }];
    }
    if (this.o.mode === "destroy") {
      const steps = this.planInDestroy(urn, goal, old, state);
      if (steps !== undefined) return steps;
    }
    return yield* this.planAgainst(urn, goal, old, state, found.invalid);
  }

  /** With `destroy --run-program`: nothing is made, but providers and components come up to date. */
  private planInDestroy(
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
      this.sames.add(urn);
      this.toDelete.push(state);
      if (old.inputs === undefined) delete state.inputs;
      else state.inputs = old.inputs;
      return [{ op: "same", urn, old, new: state, answers: true, goal }];
    }
    this.toDelete.push(state);
    return undefined;
  }

  private skipCreate(urn: string, state: ResourceState, goal: Goal): Step[] {
    this.sames.add(urn);
    this.skippedCreates.add(urn);
    return [{ op: "same", urn, old: { ...state }, new: state, answers: true, goal, skippedCreate: true }];
  }

  private hasSkippedDependency(s: ResourceState): boolean {
    return this.refersToAny(s, this.skippedCreates);
  }

  private *planAgainst(
    urn: string,
    goal: Goal,
    old: ResourceState | undefined,
    state: ResourceState,
    invalidAlias: boolean,
  ): Ask<Step[]> {
    // It was deleted earlier in this run, as the dependent of something that was replaced: so it is a replacement.
    const recreating = this.deletes.has(urn);
    let invalid = invalidAlias;
    let inputs = goal.inputs;
    if (old !== undefined) {
      const kept = ignoring(goal.ignoreChanges, old.inputs ?? {}, inputs);
      inputs = kept.inputs;
      if (kept.impossible.length > 0)
        this.o.report(
          "info",
          urn,
          `cannot ignore changes in added or removed elements of ${kept.impossible.join(", ")}`,
        );
    }
    const wasExternal = old?.external === true;
    const implicit = isProviderType(goal.type) || goal.type === STACK_TYPE;
    const targeted = implicit || this.isIncluded(state);
    const forced = this.isToReplace(urn, old);

    if (goal.custom) {
      if (!targeted) inputs = old?.inputs ?? {};
      else {
        // An old object that is gone, was not ours or is to be replaced has no say in the new inputs.
        const fresh = recreating || wasExternal || forced || old === undefined;
        const answer = yield* this.check(urn, goal, fresh ? {} : (old?.inputs ?? {}), fresh ? goal.inputs : inputs);
        inputs = answer.inputs;
        invalid = this.reportFailures(urn, goal.type, state, answer.failures) || invalid;
      }
      state.inputs = inputs;
    } else state.inputs = inputs;
    if (targeted) this.queueUntargetedDependencies(state);
    if (invalid) throw new PlanFailure("", urn);

    if (recreating && old !== undefined) {
      this.deletes.delete(urn);
      this.replaced.add(urn);
      const replaceKeys = this.dependentReplaceKeys.get(urn) ?? [];
      return [
        { op: "replace", urn, old, new: state, answers: false, replaceKeys },
        { op: "create-replacement", urn, old, new: state, answers: true, goal, replacing: true, replaceKeys },
      ];
    }
    if (wasExternal && old !== undefined) {
      this.creates.add(urn);
      return [
        { op: "create-replacement", urn, old, new: state, answers: true, goal, replacing: true, pendingDelete: true },
        { op: "replace", urn, old, new: state, answers: false },
      ];
    }
    if (this.o.excludes.constrained && !targeted && this.isExcluded(state)) this.excludesActual.add(urn);
    else if (targeted && this.isTarget(state)) this.targetsActual.add(urn);

    if (old !== undefined)
      return targeted
        ? yield* this.planDiff(urn, goal, old, state, inputs, forced)
        : this.untargetedSames(urn, old, goal);
    if (!targeted) return this.skipCreate(urn, state, goal);
    this.creates.add(urn);
    return [{ op: "create", urn, new: state, answers: true, goal }];
  }

  private *check(
    urn: string,
    goal: { provider: string; type: string },
    olds: ValueMap,
    news: ValueMap,
  ): Ask<CheckAnswer> {
    // Dynamic providers do not check their own configuration.
    if (isProviderType(goal.type)) return { inputs: news, failures: [] };
    return (yield { ask: "check", provider: goal.provider, urn, olds, news }) as CheckAnswer;
  }

  private reportFailures(urn: string, type: string, state: ResourceState, failures: CheckAnswer["failures"]): boolean {
    for (const f of failures)
      this.o.report(
        "error",
        urn,
        f.property === ""
          ? `${type} resource ${JSON.stringify(nameOf(state.urn))} has a problem: ${f.reason}`
          : `${type} resource ${JSON.stringify(nameOf(state.urn))}: the property ${f.property} has a problem: ${f.reason}`,
      );
    return failures.length > 0;
  }

  private newState(urn: string, goal: Goal, old: ResourceState | undefined, alias: string | undefined): ResourceState {
    const list = <T>(name: string, v: T[]): Record<string, T[]> => (v.length > 0 ? { [name]: v } : {});
    return {
      ...unknownFields(old),
      urn,
      custom: goal.custom,
      type: goal.type,
      inputs: goal.inputs,
      ...(goal.parent !== undefined && { parent: goal.parent }),
      ...(goal.protect && { protect: true }),
      ...list("dependencies", goal.dependencies),
      ...(goal.provider !== "" && { provider: goal.provider }),
      ...(Object.keys(goal.propertyDependencies).length > 0 && { propertyDependencies: goal.propertyDependencies }),
      ...list("additionalSecretOutputs", goal.additionalSecretOutputs),
      ...(alias !== undefined && { aliases: [alias] }),
      ...(Object.keys(goal.customTimeouts).length > 0 && { customTimeouts: goal.customTimeouts }),
      ...(goal.retainOnDelete && { retainOnDelete: true }),
      ...(goal.deletedWith !== "" && { deletedWith: goal.deletedWith }),
      ...list("replaceWith", goal.replaceWith),
      ...(old?.created !== undefined && { created: old.created }),
      ...(old?.modified !== undefined && { modified: old.modified }),
      ...(goal.sourcePosition !== "" && { sourcePosition: goal.sourcePosition }),
      ...list("stackTrace", goal.stackTrace),
      ...list("ignoreChanges", goal.ignoreChanges),
      ...list("hideDiff", goal.hideDiff),
      ...list("replaceOnChanges", goal.replaceOnChanges),
      ...(goal.replacementTrigger !== undefined &&
        goal.replacementTrigger !== null && { replacementTrigger: goal.replacementTrigger }),
    };
  }

  // ------------------------------------------------------------------------------------------------------- aliases

  private findOld(urn: string, name: string, type: string, parent: string | undefined, given: readonly Alias[]) {
    let invalid = false;
    const claimedBy = this.aliased.get(urn);
    if (claimedBy !== undefined) {
      invalid = true;
      this.o.report("error", urn, `${urn} is registered, but ${claimedBy} has it as an alias already`);
    }
    for (const candidate of [urn, ...this.aliasUrns(name, type, parent, given)]) {
      const old = this.olds.get(candidate);
      if (old === undefined) continue;
      if (candidate === urn) return { old, invalid, alias: undefined };
      const rival = this.urns.has(candidate) ? urn : this.aliased.get(candidate);
      if (rival !== undefined) {
        invalid = true;
        this.o.report("error", urn, `the alias ${candidate} of ${urn} belongs to another resource of the program`);
      }
      this.aliased.set(candidate, urn);
      this.aliases.set(urn, candidate);
      return { old, invalid, alias: candidate };
    }
    return { old: undefined, invalid, alias: undefined };
  }

  private aliasUrns(name: string, type: string, parent: string | undefined, given: readonly Alias[]): string[] {
    const own = given.map((alias) => this.aliasUrn(name, type, parent, alias));
    const parentAlias = parent === undefined ? undefined : this.aliases.get(parent);
    const inherited =
      parentAlias === undefined
        ? []
        : [this.inheritedAlias(type, name, nameOf(parent as string), parentAlias)].concat(
            own.map((urn) => this.inheritedAlias(typeOf(urn), nameOf(urn), nameOf(parent as string), parentAlias)),
          );
    return [...new Set([...own, ...inherited])];
  }

  private aliasUrn(name: string, type: string, ownParent: string | undefined, alias: Alias): string {
    if ("urn" in alias) return alias.urn;
    let parent = ownParent;
    if (alias.parent) parent = this.aliases.get(alias.parent) ?? alias.parent;
    if (alias.noParent || (parent !== undefined && qualifiedType(parent) === STACK_TYPE)) parent = undefined;
    return createUrn(
      alias.stack || this.o.stack,
      alias.project || this.o.project,
      parent === undefined ? "" : qualifiedType(parent),
      alias.type || type,
      alias.name || name,
    );
  }

  /** Under a renamed parent: a name that begins with the parent's name is taken to change with it. */
  private inheritedAlias(type: string, name: string, parentName: string, parentAlias: string): string {
    const old = name.startsWith(parentName) ? nameOf(parentAlias) + name.slice(parentName.length) : name;
    return createUrn(this.o.stack, this.o.project, qualifiedType(parentAlias), type, old);
  }

  // --------------------------------------------------------------------------------------------------------- diffs

  private *planDiff(
    urn: string,
    goal: Goal,
    old: ResourceState,
    state: ResourceState,
    inputs: ValueMap,
    forced: boolean,
  ): Ask<Step[]> {
    if (!this.o.dryRun && containsUnknown(state.replacementTrigger)) {
      this.sawError = true;
      throw new PlanFailure("the replacementTrigger is not known", urn);
    }
    const triggered = isTriggered(old.replacementTrigger, state.replacementTrigger);
    let diff = triggered ? some() : yield* this.diff(urn, goal, old, state, inputs, forced);
    const hasInitErrors = (old.initErrors ?? []).length > 0;
    diff = withReplaceOnChanges(diff, goal.replaceOnChanges, hasInitErrors);

    if (diff.changes === "some" || old.pendingReplacement) {
      if (replacesBy(diff) || triggered || old.pendingReplacement)
        return yield* this.planReplacement(urn, goal, old, state, diff, forced);
      this.updates.add(urn);
      return [{ op: "update", urn, old, new: state, answers: true, goal, ...detailsOf(diff, old, inputs) }];
    }
    if (hasInitErrors) {
      this.updates.add(urn);
      const reason = "its last creation or update did not finish";
      return [{ op: "update", urn, old, new: state, answers: true, goal, changes: [], reason }];
    }
    this.sames.add(urn);
    return [{ op: "same", urn, old, new: state, answers: true, goal }];
  }

  private *diff(
    urn: string,
    goal: Goal,
    old: ResourceState,
    state: ResourceState,
    inputs: ValueMap,
    forced: boolean,
  ): Ask<Diff> {
    if (forced) return some(["id"]);
    if ((state.replaceWith ?? []).some((other) => this.replaced.has(other))) return some(["replaceWith"]);
    if (state.deletedWith && this.replaced.has(state.deletedWith)) return some(["deletedWith"]);
    if (this.providerRequiresReplacement(old, state)) return some(["provider"]);
    const oldInputs = old.inputs ?? {};
    if (isProviderType(goal.type)) {
      // A provider that does not compare its configuration has changed when it is not the one it was made with.
      if (equal(old.outputs ?? {}, inputs)) return { ...some(), changes: "none" };
      return { ...some(), details: differences(old.outputs ?? {}, inputs) };
    }
    if (!goal.custom) return { ...some(), changes: equal(oldInputs, inputs) ? "none" : "some" };
    return yield* this.askDiff(
      old,
      oldInputs,
      old.outputs ?? {},
      inputs,
      goal.provider,
      goal.ignoreChanges,
      urn,
      this.o.dryRun,
    );
  }

  /** Asks the provider; compares the inputs itself if the provider leaves it open. */
  *askDiff(
    old: { id?: string },
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    provider: string,
    ignoreChanges: readonly string[],
    urn: string,
    allowUnknowns: boolean,
  ): Ask<Diff> {
    const answer = (yield {
      ask: "diff",
      provider,
      urn,
      id: old.id ?? "",
      oldInputs,
      oldOutputs,
      news,
      ignoreChanges,
      allowUnknowns,
    }) as DiffResult;
    if (answer.unavailable !== undefined) {
      this.o.report("warning", urn, answer.unavailable);
      return some();
    }
    const diff: Diff = {
      changes: answer.changes === "none" ? "none" : "some",
      replaceKeys: answer.replaces,
      deleteBeforeReplace: answer.deleteBeforeReplace,
      details: undefined,
      replacingPaths: [],
    };
    if (answer.changes === "unknown") {
      const { inputs } = ignoring(ignoreChanges, oldInputs, news);
      const details = differences(oldInputs, inputs, { ignoreSecrecy: true });
      if (details.length > 0) diff.details = details;
      else diff.changes = "none";
    }
    return diff;
  }

  private providerRequiresReplacement(old: ResourceState, state: ResourceState): boolean {
    const [before, after] = [old.provider ?? "", state.provider ?? ""];
    // From a component to a custom resource or back. Dynamic providers never ask for a replacement themselves.
    return before !== after && (before === "" || after === "");
  }

  private isToReplace(urn: string, old: ResourceState | undefined): boolean {
    return (this.o.replaces.constrained && this.o.replaces.contains(urn)) || old?.taint === true;
  }

  // -------------------------------------------------------------------------------------------------- replacements

  private *planReplacement(
    urn: string,
    goal: Goal,
    old: ResourceState,
    state: ResourceState,
    diff: Diff,
    forced: boolean,
  ): Ask<Step[]> {
    if (state.protect && old.protect) {
      const message =
        "it is protected, and replacing it would delete it. Take the option protect away in the program and run an update first";
      this.sawError = true;
      this.o.report("error", urn, message);
      // A preview goes on, to show what causes it.
      if (!this.o.dryRun) throw new PlanFailure("", urn);
    }
    this.replaced.add(urn);
    // What was carried over from the old inputs does not hold for the new object.
    if (goal.custom && !forced) {
      const answer = yield* this.check(urn, goal, {}, goal.inputs);
      if (this.reportFailures(urn, goal.type, state, answer.failures)) throw new PlanFailure("", urn);
      state.inputs = answer.inputs;
    }
    const details = { ...detailsOf(diff, old, state.inputs ?? {}), replaceKeys: diff.replaceKeys };
    const create: Step = {
      op: "create-replacement",
      urn,
      old,
      new: state,
      answers: true,
      goal,
      replacing: true,
      ...details,
    };
    const replace: Step = { op: "replace", urn, old, new: state, answers: false, ...details };
    if (!(goal.deleteBeforeReplace ?? diff.deleteBeforeReplace)) return [{ ...create, pendingDelete: true }, replace];

    const steps: Step[] = [];
    const dependents = !this.o.dryRun || this.graph.contains(old) ? yield* this.dependentReplacements(old) : [];
    dependents.push(...this.cascadeReplacements(urn));
    for (const { resource, keys } of dependents.reverse()) {
      if (this.pendingDeletes.has(resource)) continue;
      this.dependentReplaceKeys.set(resource.urn, keys);
      const step: Step = { op: "delete", urn: resource.urn, old: resource, answers: false };
      if (!resource.delete) {
        if (resource.protect) {
          this.sawError = true;
          this.o.report(
            "error",
            resource.urn,
            `it is protected, but has to be deleted because ${urn}, which it depends on, is replaced. ` +
              "Take the option protect away in the program and run an update first",
          );
          throw new PlanFailure("", resource.urn);
        }
        Object.assign(step, { op: "delete-replaced", replacing: true, pendingReplacement: true });
      }
      steps.push(step);
      this.deletes.add(resource.urn);
      this.pendingDeletes.add(resource);
    }
    // One that was deleted by an earlier run that did not get further only has to be made.
    if (!old.pendingReplacement) {
      this.deletes.add(old.urn);
      steps.push({
        op: "delete-replaced",
        urn: old.urn,
        old,
        answers: false,
        replacing: true,
        pendingReplacement: true,
      });
    }
    return [...steps, replace, create];
  }

  /**
   * The resources that have to be replaced with one that is deleted first: those whose provider says so when the
   * inputs that come from a replaced resource are unknown.
   */
  private *dependentReplacements(root: ResourceState): Ask<{ resource: ResourceState; keys: string[] }[]> {
    const found: { resource: ResourceState; keys: string[] }[] = [];
    const set = new Set([root.urn]);
    // What is registered already in this run cannot depend on what is only being registered now.
    const impossible = new Set([
      ...this.reads,
      ...this.creates,
      ...this.sames,
      ...this.updates,
      ...this.deletes,
      ...this.replaced,
    ]);
    for (const r of this.graph.dependingOn(root, impossible, false)) {
      const keys = yield* this.replacedWith(r, set);
      if (keys === undefined) continue;
      found.push({ resource: r, keys });
      set.add(r.urn);
    }
    return found;
  }

  /** The keys that cause a resource to be replaced when those in `set` are; undefined when it stays. */
  private *replacedWith(r: ResourceState, set: ReadonlySet<string>): Ask<string[] | undefined> {
    if (!r.custom || r.external) return undefined;
    if (r.provider !== undefined && set.has(providerUrnOf(r.provider))) return [];
    if (r.deletedWith && set.has(r.deletedWith)) return [];
    const inputs: ValueMap = {};
    let affected = false;
    for (const [key, v] of Object.entries(r.inputs ?? {})) {
      const depends = (r.propertyDependencies?.[key] ?? []).some((urn) => set.has(urn));
      inputs[key] = depends ? UNKNOWN : v;
      affected ||= depends;
    }
    if (!affected) return undefined;
    if (isProviderType(r.type)) return undefined;
    const answer = yield* this.askDiff(
      r,
      r.inputs ?? {},
      r.outputs ?? {},
      inputs,
      r.provider ?? "",
      r.ignoreChanges ?? [],
      r.urn,
      true,
    );
    const diff = withReplaceOnChanges(answer, r.replaceOnChanges ?? [], false);
    return replacesBy(diff) ? diff.replaceKeys : undefined;
  }

  /** The resources that go with another: by replaceWith or deletedWith. */
  private cascadeReplacements(urn: string): { resource: ResourceState; keys: string[] }[] {
    const seen = new Set<string>();
    const found: { resource: ResourceState; keys: string[] }[] = [];
    for (const [check, resource] of [...this.news, ...this.olds]) {
      if (seen.has(check) || !(resource.replaceWith?.includes(urn) || resource.deletedWith === urn)) continue;
      seen.add(check);
      found.push({ resource, keys: [] });
    }
    return found;
  }

  /** To be told when a step is done, for what depends on new states. */
  done(state: ResourceState): void {
    this.news.set(state.urn, state);
  }

  // --------------------------------------------------------------------------------------------------------- reads

  /** Plans the reading of an object that exists. */
  read(goal: ReadGoal): Step[] {
    const urn = this.claim(goal.parent, goal.type, goal.name);
    const { old, alias } = this.findOld(urn, goal.name, goal.type, goal.parent, []);
    if (goal.id === "") throw new PlanFailure("a resource that is read needs an id", urn);
    const state: ResourceState = {
      ...unknownFields(old),
      urn,
      custom: true,
      type: goal.type,
      id: goal.id,
      external: true,
      inputs: goal.inputs,
      outputs: {},
      ...(goal.parent !== undefined && { parent: goal.parent }),
      ...(goal.dependencies.length > 0 && { dependencies: goal.dependencies }),
      provider: goal.provider,
      ...(goal.additionalSecretOutputs.length > 0 && { additionalSecretOutputs: goal.additionalSecretOutputs }),
      ...(alias !== undefined && { aliases: [alias] }),
      ...(goal.sourcePosition !== "" && { sourcePosition: goal.sourcePosition }),
      ...(goal.stackTrace.length > 0 && { stackTrace: goal.stackTrace }),
    };
    if (old !== undefined && !old.external && old.id !== goal.id) {
      // Ours is released: another object takes its name, and ours is deleted.
      this.replaced.add(urn);
      return [
        { op: "read", urn, old, new: state, answers: true, reading: goal, replacing: true },
        { op: "replace", urn, old, new: state, answers: false },
      ];
    }
    if (this.o.mode === "destroy") this.toDelete.push(state);
    this.reads.add(urn);
    return [{ op: "read", urn, ...(old && { old }), new: state, answers: true, reading: goal }];
  }

  // ------------------------------------------------------------------------------------------------------- targets

  private isIncluded(s: ResourceState): boolean {
    if (this.o.targets.constrained) return this.isTarget(s);
    return !this.o.excludes.constrained || !this.isExcluded(s);
  }
  private isTarget(s: ResourceState): boolean {
    if (this.o.targets.constrained && this.o.targets.contains(s.urn)) return true;
    return this.o.targetDependents && this.dependsOnOneOf(s, this.targetsActual);
  }
  private isExcluded(s: ResourceState): boolean {
    if (this.o.excludes.contains(s.urn)) return true;
    return this.o.excludeDependents && this.dependsOnOneOf(s, this.excludesActual);
  }
  private dependsOnOneOf(s: ResourceState, set: Targets): boolean {
    return (
      (s.provider !== undefined && set.contains(providerUrnOf(s.provider))) ||
      referencesOf(s).some((r) => set.contains(r.urn))
    );
  }

  /** True for a URN that is neither in the old state nor registered. */
  unknownUrn(urn: string): boolean {
    return !this.allOlds.has(urn) && !this.urns.has(urn);
  }

  /** True if a resource refers to one of these, or its provider is one of them. */
  refersToAny(s: ResourceState, urns: ReadonlySet<string>): boolean {
    return (
      referencesOf(s).some((r) => urns.has(r.urn)) || (s.provider !== undefined && urns.has(providerUrnOf(s.provider)))
    );
  }

  private hasStep(urn: string): boolean {
    return (
      this.creates.has(urn) ||
      this.sames.has(urn) ||
      this.updates.has(urn) ||
      this.deletes.has(urn) ||
      this.replaced.has(urn) ||
      this.reads.has(urn)
    );
  }
  private isOperatedOn(given: string): boolean {
    const urn = this.aliased.get(given) ?? given;
    return (
      this.sames.has(urn) ||
      this.updates.has(urn) ||
      this.replaced.has(urn) ||
      this.reads.has(urn) ||
      this.refreshes.has(urn)
    );
  }

  /**
   * A resource that is no target stays as it is; and what it refers to must stay before it in the state, even if the
   * program has it no more.
   */
  private untargetedSames(urn: string, old: ResourceState, goal: Goal): Step[] {
    const steps: Step[] = [];
    const visit = (s: ResourceState, own: boolean): void => {
      if (s.delete) return;
      this.urns.add(s.urn);
      this.sames.add(urn);
      this.sames.add(s.urn);
      const provider = s.provider === undefined ? undefined : providerUrnOf(s.provider);
      if (provider !== undefined && !this.hasStep(provider) && !this.isOperatedOn(provider)) {
        const p = this.olds.get(provider);
        if (p !== undefined && `${p.urn}::${p.id}` === s.provider) visit(p, false);
      }
      for (const ref of referencesOf(s)) {
        if (this.hasStep(ref.urn)) continue;
        const dependency = this.olds.get(ref.urn);
        if (dependency === undefined)
          throw new PlanFailure(`it is not a target, but ${ref.urn}, which it refers to, is not in the state`, urn);
        visit(dependency, false);
      }
      steps.push(own ? { ...this.keep(s), answers: true, goal } : this.keep(s));
    };
    visit(old, true);
    return steps;
  }

  private keep(s: ResourceState): Step {
    return { op: "same", urn: s.urn, old: s, new: { ...s }, answers: false, untargeted: true };
  }

  /** The same for what a target refers to but the program does not register. */
  private queueUntargetedDependencies(state: ResourceState): void {
    if (!this.o.targets.constrained) return;
    const queue = (urn: string): void => {
      if (urn === "" || this.hasStep(urn) || this.queuedUrns.has(urn)) return;
      const old = this.olds.get(urn);
      if (old === undefined || old.delete) return;
      this.queuedUrns.add(urn);
      if (old.provider !== undefined) queue(providerUrnOf(old.provider));
      for (const ref of referencesOf(old)) queue(ref.urn);
      this.queuedSames.push(this.keep(old));
    };
    for (const ref of referencesOf(state)) queue(ref.urn);
  }

  private validated(planned: Step[]): Step[] {
    let steps = planned;
    if (this.queuedSames.length > 0) {
      const queued = this.queuedSames.filter((s) => !this.hasStep(s.urn) && !this.isOperatedOn(s.urn));
      this.queuedSames = [];
      for (const s of queued) {
        this.urns.add(s.urn);
        this.sames.add(s.urn);
      }
      steps = [...queued, ...steps];
    }
    if (!this.o.targets.constrained && !this.o.replaces.constrained) return steps;
    for (const step of steps) {
      if (step.new === undefined || step.skippedCreate) continue;
      const urns = referencesOf(step.new).map((r) => r.urn);
      if (step.new.provider !== undefined) urns.push(providerUrnOf(step.new.provider));
      for (const urn of urns) {
        if (!this.skippedCreates.has(urn)) continue;
        this.sawError = true;
        this.o.report(
          "error",
          step.urn,
          `it depends on ${urn}, which does not exist yet and is not a target: add --target ${urn}`,
        );
        if (!this.o.dryRun) throw new PlanFailure("", step.urn);
        this.skippedCreates.delete(urn);
      }
    }
    return steps;
  }

  // ------------------------------------------------------------------------------------------------- after program

  /** Steps for everything that the program did not register, and that a refresh in its course did not see. */
  refreshesOfTheRest(): Step[] {
    const steps: Step[] = [];
    for (const r of this.resources) {
      if (this.isOperatedOn(r.urn) || !this.isIncluded(r)) continue;
      this.refreshes.add(r.urn);
      steps.push({ op: "refresh", urn: r.urn, old: r, new: r, answers: false });
    }
    return steps;
  }

  /** Deletions: what waited for it, and what is in the old state but was not registered. */
  *deletions(): Ask<{ sames: Step[]; deletes: Step[] }> {
    const allowed = this.o.targets.constrained ? yield* this.deletableTargets() : undefined;
    const kept = allowed === undefined && this.o.excludes.constrained ? this.keptByExcludes() : undefined;
    const included = (s: ResourceState): boolean =>
      allowed !== undefined ? allowed.has(s.urn) : kept === undefined || !kept.has(s.urn);

    const sames: Step[] = [];
    const deletes: Step[] = [];
    for (const original of this.resources) {
      if (!included(original)) {
        if (!this.isOperatedOn(original.urn)) sames.push(this.keep(original));
        continue;
      }
      const r = this.refreshed.get(original) ?? original;
      if (r.delete) {
        if (this.pendingDeletes.has(r)) continue;
        this.deletes.add(r.urn);
        deletes.push({ op: "delete-replaced", urn: r.urn, old: r, answers: false, replacing: true });
      } else if (!this.isOperatedOn(r.urn)) {
        this.deletes.add(r.urn);
        deletes.push(
          r.pendingReplacement
            ? { op: "remove-pending-replace", urn: r.urn, old: r, answers: false, internal: true }
            : { op: "delete", urn: r.urn, old: r, answers: false },
        );
      }
    }
    for (const r of this.toDelete) {
      if (!included(r)) continue;
      this.deletes.add(r.urn);
      deletes.push({ op: "delete", urn: r.urn, old: r, answers: false });
    }
    let missing = false;
    for (const step of deletes) {
      if (step.old?.external) step.op = "discard";
      if (this.o.targets.contains(step.urn) || this.o.targetDependents) continue;
      missing = true;
      this.sawError = true;
      this.o.report(
        "error",
        step.urn,
        `it would be deleted too, but is not a target: add --target ${step.urn}, or --target-dependents`,
      );
    }
    if (missing && !this.o.dryRun) throw new PlanFailure("");
    return { sames, deletes };
  }

  /** The order of deletions: groups, each of which may go at once. */
  schedule(deletes: Step[]): Step[][] {
    const steps = new Map(deletes.map((s) => [s.old as ResourceState, s]));
    const groups = this.scheduling().deletionOrder(new Set(steps.keys()));
    return groups.map((group) => group.map((r) => steps.get(r) as Step));
  }

  private scheduling(): DependencyGraph {
    const graph = new DependencyGraph([...this.toDelete, ...this.resources]);
    for (const [before, after] of this.refreshed) graph.alias(after, before);
    return graph;
  }

  private *deletableTargets(): Ask<Set<string>> {
    const graph = this.scheduling();
    const targets = new Set<string>();
    const frontier = this.resources.filter((r) => this.o.targets.contains(r.urn));
    for (let r = frontier.shift(); r !== undefined; r = frontier.shift()) {
      if (targets.has(r.urn)) continue;
      targets.add(r.urn);
      frontier.push(...graph.dependingOn(r, targets, true));
    }
    const deletable = new Set<string>();
    for (const urn of targets)
      for (const r of this.allOlds.get(urn) ?? []) {
        deletable.add(urn);
        for (const d of yield* this.dependentReplacements(r)) deletable.add(d.resource.urn);
        for (const d of this.cascadeReplacements(urn)) deletable.add(d.resource.urn);
      }
    return deletable;
  }

  private keptByExcludes(): Set<string> {
    const graph = this.scheduling();
    const kept = new Set<string>();
    const frontier = this.resources.filter((r) => this.o.excludes.contains(r.urn));
    for (let r = frontier.shift(); r !== undefined; r = frontier.shift()) {
      if (kept.has(r.urn)) continue;
      kept.add(r.urn);
      frontier.push(...graph.dependenciesOf(r));
      if (this.o.excludeDependents) frontier.push(...graph.dependingOn(r, kept, true));
    }
    return kept;
  }
}

/** True when two triggers differ; what is not known counts as different, nothing as no trigger. */
function isTriggered(before: Value | undefined, after: Value | undefined): boolean {
  const [a, b] = [open(before), open(after)];
  if (containsUnknown(a) || containsUnknown(b)) return true;
  if (a === null || b === null) return false;
  return !equal(a, b);
}
const open = (v: Value | undefined): Value => {
  const plain = unwrapSecret(v ?? null);
  if (Array.isArray(plain)) return plain.map(open);
  if (plain !== null && typeof plain === "object")
    return Object.fromEntries(Object.entries(plain).map(([k, x]) => [k, open(x)]));
  return plain;
};

/** Adds what replaceOnChanges makes of a difference. It works on details, which a provider that decides does not give. */
function withReplaceOnChanges(diff: Diff, replaceOnChanges: readonly string[], hasInitErrors: boolean): Diff {
  if (diff.changes !== "some" && !hasInitErrors) return diff;
  const paths = replaceOnChanges.map(parsePath).filter((p) => p !== undefined);
  const result = { ...diff, replaceKeys: [...diff.replaceKeys], replacingPaths: [...diff.replacingPaths] };
  for (const change of diff.details ?? []) {
    if (!paths.some((p) => contains(p, change.path))) continue;
    result.replacingPaths.push(change.path);
  }
  // A path that names a whole property also counts when only part of it changed.
  const keys = new Set((diff.details ?? []).map((c) => String(c.path[0])));
  for (const key of keys)
    if (paths.some((p) => contains(p, [key])) && !result.replaceKeys.includes(key)) result.replaceKeys.push(key);
  if (hasInitErrors && paths.some((p) => contains(p, [INIT_ERROR]))) {
    result.replaceKeys.push(INIT_ERROR);
    result.changes = "some";
  }
  return result;
}

/** What a step shows of a difference: the engine's own comparison of the inputs, if it did not have to make it. */
function detailsOf(diff: Diff, old: ResourceState, inputs: ValueMap): Pick<Step, "changes" | "replaceKeys"> {
  const changes = diff.details ?? differences(old.inputs ?? {}, inputs);
  const keys = [...diff.replaceKeys, ...diff.replacingPaths.map((p) => String(p[0]))];
  return { changes, replaceKeys: [...new Set(keys)] };
}
