/**
 * Outputs that are reported after the registration: those of components at once, those of the stack when it is known
 * whether all went well.
 *
 * Serves: RegisterResourceOutputs of ResourceMonitor.
 */
import type { PlanState } from "../plan/plan-state";
import type { Step } from "../plan/step";
import { containsUnknown, type ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/state";
import { STACK_TYPE, typeOf } from "../resource/urn";
import type { SnapshotManager } from "../state/snapshot-manager";

export interface StackOutputs {
  before: ValueMap;
  after: ValueMap;
}

export class ResourceOutputs {
  /** Steps of components that have not reported, by URN. */
  private readonly expected = new Map<string, Step>();
  private stackOutputs: { urn: string; outputs: ValueMap } | undefined;

  constructor(
    private readonly plan: PlanState,
    private readonly snapshot: SnapshotManager,
  ) {}

  /** A registration is answered: if it was that of a component, its outputs are to come. */
  expectOutputs(step: Step): void {
    if (step.new?.custom === false) this.expected.set(step.urn, step);
  }

  register(urn: string, outputs: ValueMap): void {
    if (typeOf(urn) === STACK_TYPE) {
      this.stackOutputs = { urn, outputs };
      return;
    }
    const step = this.expected.get(urn);
    if (step === undefined) throw new Error(`${urn} reports outputs but is not registered, or did so already`);
    this.expected.delete(urn);
    if (!step.isSkippedCreate) this.assign(step.new, outputs);
  }

  /** Settles the stack's outputs. */
  finalizeStackOutputs(complete: boolean): StackOutputs {
    const { plan } = this;
    const before = plan.resources.find((r) => r.type === STACK_TYPE && !r.delete)?.outputs ?? {};
    if (this.stackOutputs === undefined) {
      const gone =
        plan.options.mode === "destroy" &&
        !plan.options.dryRun &&
        !this.snapshot.resources().some((r) => r.type === STACK_TYPE);
      const current = [...plan.news.values()].find((r) => r.type === STACK_TYPE);
      return { before, after: gone ? {} : (current?.outputs ?? before) };
    }
    const { urn, outputs } = this.stackOutputs;
    const after = complete ? outputs : { ...before, ...this.onlyKnown(outputs) };
    this.assign(this.expected.get(urn)?.new, after);
    return { before, after };
  }

  /**
   * What a failure left of the outputs: one that is missing may just not have been reached, and one that is not known comes
   * from what failed. Both stay what they were, if they were: nobody is to read from the state what stands for "unknown".
   */
  private onlyKnown(outputs: ValueMap): ValueMap {
    if (this.plan.options.dryRun) return outputs;
    return Object.fromEntries(Object.entries(outputs).filter(([, v]) => !containsUnknown(v)));
  }

  private assign(state: ResourceState | undefined, outputs: ValueMap): void {
    if (state === undefined) return;
    state.outputs = outputs;
    this.snapshot.markChanged(state);
  }
}
