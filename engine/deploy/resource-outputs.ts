/**
 * Records outputs that are registered after their resource: those of components at once, those of the stack at the end of the operation.
 *
 * Used for: RegisterResourceOutputs of ResourceMonitor.
 */
import type { Step } from "../plan/step";
import { containsUnknown, type ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/resource-state";
import { STACK_TYPE, typeOf } from "../resource/urn";
import type { DeploymentContext } from "./deployment-context";

export interface StackOutputs {
  before: ValueMap;
  after: ValueMap;
}

export class ResourceOutputs {
  /** Steps of components that have not registered their outputs, by URN. */
  readonly #expected = new Map<string, Step>();
  #stackOutputs: { urn: string; outputs: ValueMap } | undefined;

  readonly #context: Pick<DeploymentContext, "plan" | "news" | "snapshot">;

  constructor(context: Pick<DeploymentContext, "plan" | "news" | "snapshot">) {
    this.#context = context;
  }

  /** A component registers its outputs after the response to its registration. */
  expectOutputs(step: Step): void {
    if (step.new?.custom === false) this.#expected.set(step.urn, step);
  }

  /** Returns the step of a component, which is now complete. */
  register(urn: string, outputs: ValueMap): Step | undefined {
    if (typeOf(urn) === STACK_TYPE) {
      this.#stackOutputs = { urn, outputs };
      this.#constrain(urn, this.#outputsBefore(), outputs);
      return undefined;
    }
    const step = this.#expected.get(urn);
    if (step === undefined)
      throw new Error(`${urn} registers outputs, but it is not registered, or has registered them before`);
    this.#expected.delete(urn);
    this.#constrain(urn, step.old?.outputs ?? {}, outputs);
    if (!step.isSkippedCreate) this.#assign(step.new, outputs);
    return step;
  }

  /** Assigns the outputs of the stack; after a run that failed or was cancelled, those that are missing or unknown keep their old values. */
  finalizeStackOutputs(ok: boolean): StackOutputs {
    const { plan, news, snapshot } = this.#context;
    const before = this.#outputsBefore();
    if (this.#stackOutputs === undefined) {
      const isDestroyed =
        plan.options.operation === "destroy" &&
        !plan.options.dryRun &&
        !snapshot.resources().some((r) => r.type === STACK_TYPE);
      const current = [...news.values()].find((r) => r.type === STACK_TYPE);
      return { before, after: isDestroyed ? {} : (current?.outputs ?? before) };
    }
    const { urn, outputs } = this.#stackOutputs;
    const after = ok ? outputs : { ...before, ...this.#onlyKnown(outputs) };
    this.#assign(this.#expected.get(urn)?.new, after);
    return { before, after };
  }

  #outputsBefore(): ValueMap {
    return this.#context.plan.resources.find((r) => r.type === STACK_TYPE && !r.delete)?.outputs ?? {};
  }

  #constrain(urn: string, olds: ValueMap, outputs: ValueMap): void {
    const { plan } = this.#context;
    plan.rejectDeviation(urn, plan.options.updatePlan?.addOutputs(urn, olds, outputs));
  }

  /**
   * After a failure a missing output may not have been reached, and an unknown one comes from what failed. Both keep
   * their old values: the placeholder for unknown values must not get into the state.
   */
  #onlyKnown(outputs: ValueMap): ValueMap {
    if (this.#context.plan.options.dryRun) return outputs;
    return Object.fromEntries(Object.entries(outputs).filter(([, v]) => !containsUnknown(v)));
  }

  #assign(state: ResourceState | undefined, outputs: ValueMap): void {
    if (state === undefined) return;
    state.outputs = outputs;
    this.#context.snapshot.markChanged(state);
  }
}
