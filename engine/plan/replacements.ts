/**
 * Plans replacements: before or after the deletion of the old object, and with the resources that cannot stay.
 *
 * Serves: Delete and Create of ResourceProvider for one resource, and the options deleteBeforeReplace, replaceWith,
 * deletedWith and protect.
 */
import type { Goal } from "../resource/goal";
import { UNKNOWN, type ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/state";
import { isProviderType, providerUrnOf } from "../resource/urn";
import { type DiffResult, detailsOf, isReplacement, withReplaceOnChanges } from "./diff-result";
import type { PlanState } from "./plan-state";
import type { ProviderQueries } from "./provider-queries";
import { type Ask, PlanFailure, type Step, UNPROTECT_HINT } from "./step";

export class Replacements {
  /** Why a dependent has to be replaced, by its URN. */
  private readonly replaceKeys = new Map<string, string[]>();

  constructor(
    private readonly plan: PlanState,
    private readonly inquiry: ProviderQueries,
  ) {}

  /** The properties for whose sake a dependent was deleted earlier in this run. */
  replaceKeysOf(urn: string): string[] {
    return this.replaceKeys.get(urn) ?? [];
  }

  /** The steps that replace a resource, and what has to go with it. */
  *generateReplacement(
    urn: string,
    goal: Goal,
    old: ResourceState,
    state: ResourceState,
    diff: DiffResult,
    forced: boolean,
  ): Ask<Step[]> {
    if (state.protect && old.protect) {
      const message = `it is protected, and replacing it would delete it. ${UNPROTECT_HINT} and run an update first`;
      this.plan.sawError = true;
      this.plan.options.report("error", urn, message);
      // A preview goes on, to show what causes it.
      if (!this.plan.options.dryRun) throw new PlanFailure("", urn);
    }
    this.plan.replaced.add(urn);
    // What was carried over from the old inputs does not hold for the new object.
    if (goal.custom && !forced) {
      const answer = yield* this.inquiry.check(urn, goal, {}, goal.inputs);
      if (this.inquiry.reportFailures(urn, goal.type, state, answer.failures)) throw new PlanFailure("", urn);
      state.inputs = answer.inputs;
    }
    const details = { ...detailsOf(diff, old, state.inputs ?? {}), replaceKeys: diff.replaceKeys };
    const create: Step = {
      op: "create-replacement",
      urn,
      old,
      new: state,
      completesRegistration: true,
      goal,
      isPartOfReplacement: true,
      ...details,
    };
    const replace: Step = { op: "replace", urn, old, new: state, completesRegistration: false, ...details };
    if (!(goal.deleteBeforeReplace ?? diff.deleteBeforeReplace)) return [{ ...create, pendingDelete: true }, replace];

    const steps: Step[] = [];
    const dependents =
      !this.plan.options.dryRun || this.plan.graph.contains(old) ? yield* this.dependentReplacements(old) : [];
    dependents.push(...this.companionReplacements(urn));
    for (const { resource, keys } of dependents.reverse()) {
      if (this.plan.pendingDeletes.has(resource)) continue;
      this.replaceKeys.set(resource.urn, keys);
      const step: Step = { op: "delete", urn: resource.urn, old: resource, completesRegistration: false };
      if (resource.delete) {
        // Whether the one that takes its place in this run is there by now is a matter of moments.
        if (this.plan.replaced.has(resource.urn))
          Object.assign(step, { op: "delete-replaced", isPartOfReplacement: true });
      } else {
        if (resource.protect) {
          this.plan.sawError = true;
          this.plan.options.report(
            "error",
            resource.urn,
            `it is protected, but has to be deleted because ${urn}, which it depends on, is replaced. ` +
              `${UNPROTECT_HINT} and run an update first`,
          );
          throw new PlanFailure("", resource.urn);
        }
        Object.assign(step, { op: "delete-replaced", isPartOfReplacement: true, pendingReplacement: true });
        // An old version is no reason to make the present one again.
        this.plan.deletes.add(resource.urn);
      }
      steps.push(step);
      this.plan.pendingDeletes.add(resource);
    }
    // One that was deleted by an earlier run that did not get further only has to be made.
    if (!old.pendingReplacement) {
      this.plan.deletes.add(old.urn);
      steps.push({
        op: "delete-replaced",
        urn: old.urn,
        old,
        completesRegistration: false,
        isPartOfReplacement: true,
        pendingReplacement: true,
      });
    }
    return [...steps, replace, create];
  }

  /**
   * The resources that have to be replaced with one that is deleted first: those whose provider says so when the
   * inputs that come from a replaced resource are unknown.
   */
  *dependentReplacements(root: ResourceState): Ask<{ resource: ResourceState; keys: string[] }[]> {
    const found: { resource: ResourceState; keys: string[] }[] = [];
    const set = new Set([root.urn]);
    // What is registered already in this run cannot depend on what is only being registered now.
    const impossible = new Set([
      ...this.plan.urns,
      ...this.plan.aliased.keys(),
      ...this.plan.sames,
      ...this.plan.deletes,
      ...this.plan.replaced,
    ]);
    for (const r of this.plan.graph.dependentsOf(root, impossible, false)) {
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
    const answer = yield* this.inquiry.diff(
      r,
      r.inputs ?? {},
      r.outputs ?? {},
      inputs,
      r.provider ?? "",
      r.ignoreChanges ?? [],
      r.urn,
    );
    const diff = withReplaceOnChanges(answer, r.replaceOnChanges ?? [], false);
    return isReplacement(diff) ? diff.replaceKeys : undefined;
  }

  /** The resources that go with another: by replaceWith or deletedWith. */
  companionReplacements(urn: string): { resource: ResourceState; keys: string[] }[] {
    const seen = new Set<string>();
    const found: { resource: ResourceState; keys: string[] }[] = [];
    for (const [check, resource] of [...this.plan.news, ...this.plan.olds]) {
      if (seen.has(check) || !(resource.replaceWith?.includes(urn) || resource.deletedWith === urn)) continue;
      seen.add(check);
      found.push({ resource, keys: [] });
    }
    return found;
  }
}
