/** A step of a plan: one operation on one resource. */

import type { StepOp } from "../events";
import type { Goal, ReadGoal } from "../resource/goal";
import type { PropertyChange } from "../resource/property-diff";
import type { ResourceState } from "../resource/resource-state";

export interface Step {
  op: StepOp;
  urn: string;
  old?: ResourceState;
  new?: ResourceState;
  /** True if the result of this step is the response to the registration. */
  completesRegistration?: boolean;
  goal?: Goal;
  /** The request of a read step. */
  readGoal?: ReadGoal;
  /** Inputs that changed. */
  changes?: PropertyChange[];
  /** Properties whose change requires a replacement. */
  replaceKeys?: string[];
  /** True if the display counts it as part of a replacement, together with the new resource. */
  isPartOfReplacement?: boolean;
  /** For create-replacement: the old resource is deleted at the end of the run. */
  pendingDelete?: boolean;
  /** For delete-replaced: the old resource stays in the state until the new one exists. */
  pendingReplacement?: boolean;
  /** True if the step calls a provider, so that its result would be lost if the run is killed before the state is saved. */
  callsProvider?: boolean;
  /** True for a "same" step of a resource that must not be created: it is not recorded. */
  isSkippedCreate?: boolean;
  /** True for a "same" step of a resource that is not a target. */
  isUntargeted?: boolean;
  /** For refresh and import: the result is recorded at once, and later steps are planned with it. */
  recordAtOnce?: boolean;
  /** True if the step is neither displayed nor counted. */
  isHidden?: boolean;
  /** Reason of the step, if `changes` and `replaceKeys` do not show it. */
  reason?: string;
}

/** The plan cannot be completed. */
export class PlanFailure extends Error {
  constructor(
    message: string,
    readonly urn: string = "",
  ) {
    super(message);
  }
}

/** The "same" step of a resource that the operation must not change. */
export function keepStep(resource: ResourceState): Step {
  return { op: "same", urn: resource.urn, old: resource, new: { ...resource }, isUntargeted: true };
}
