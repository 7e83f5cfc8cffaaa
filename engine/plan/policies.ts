/**
 * Enforces policy packs: on the inputs of each registration before its steps, and on the whole stack at the end.
 *
 * Used for: Remediate, Analyze and AnalyzeStack of Analyzer.
 */
import { AlreadyReported } from "../errors";
import type { Goal } from "../resource/goal";
import type { AnalyzedResource, PolicyPack, PolicyViolation } from "../resource/policy-interface";
import type { ResourceState } from "../resource/resource-state";
import { nameOf, providerUrnOf } from "../resource/urn";
import type { PlanState } from "./plan-state";
import type { Registration } from "./replacements";

export class Policies {
  /** The goals of this run, by URN. */
  readonly #goals = new Map<string, Goal>();

  readonly #packs: readonly PolicyPack[];

  constructor(packs: readonly PolicyPack[]) {
    this.#packs = packs;
  }

  /** Remediates and analyzes a resource. @throws AlreadyReported for a mandatory violation; a preview continues, and fails at its end */
  async enforce(plan: PlanState, { urn, goal, state }: Registration): Promise<void> {
    if (this.#packs.length === 0) return;
    this.#goals.set(urn, goal);
    for (const pack of this.#packs)
      for (const { properties, ...remediation } of await pack.remediate(this.#analyzed(plan, state, state.inputs))) {
        const { policy, diagnostic } = remediation;
        if (properties !== undefined) state.inputs = properties;
        const message = diagnostic ?? `changed the inputs of ${nameOf(urn)}: ${remediation.description}`;
        plan.options.events.diagnostic(
          diagnostic ? "warning" : "info",
          `policy ${policy} (${pack.label}): ${message}`,
          urn,
        );
      }
    const resource = this.#analyzed(plan, state, state.inputs);
    const violations = await Promise.all(this.#packs.map((pack) => pack.analyze(resource)));
    const isInvalid = this.#report(plan, violations.flat(), urn);
    if (isInvalid && !plan.options.dryRun) throw new AlreadyReported();
  }

  /** Analyzes the final outputs of all resources. */
  async analyzeStack(plan: PlanState): Promise<void> {
    if (this.#packs.length === 0) return;
    const resources = [...plan.news.values()].map((state) => this.#analyzed(plan, state, state.outputs));
    const violations = await Promise.all(this.#packs.map((pack) => pack.analyzeStack(resources)));
    this.#report(plan, violations.flat(), "");
  }

  #analyzed(plan: PlanState, state: ResourceState, properties: ResourceState["inputs"] = {}): AnalyzedResource {
    const goal = this.#goals.get(state.urn);
    return {
      state,
      properties,
      deleteBeforeReplace: goal?.deleteBeforeReplace,
      ignoreChanges: goal?.ignoreChanges ?? [],
      ...(state.provider && { provider: plan.news.get(providerUrnOf(state.provider)) }),
    };
  }

  /** True if one of the violations is mandatory. */
  #report(plan: PlanState, violations: readonly PolicyViolation[], urn: string): boolean {
    let isInvalid = false;
    for (const { policy, pack, message, level, urn: other } of violations) {
      const isAdvisory = level === "advisory";
      const text = `${isAdvisory ? "advisory" : "mandatory"} policy ${policy} (${pack}): ${message}`;
      if (isAdvisory) plan.options.events.diagnostic("warning", text, other ?? urn);
      else plan.reportError(other ?? urn, text);
      isInvalid ||= !isAdvisory;
    }
    return isInvalid;
  }
}
