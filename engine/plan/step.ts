/** A step: one operation on one resource. */

import type { StepOp } from "../events";
import type { Goal, ReadGoal } from "../resource/goal";
import type { PropertyChange } from "../resource/property-diff";
import type { ResourceState } from "../resource/state";

export interface Step {
  op: StepOp;
  urn: string;
  old?: ResourceState;
  new?: ResourceState;
  /** Its result is the response to the registration that it belongs to. */
  completesRegistration?: boolean;
  goal?: Goal;
  /** Read steps: what was requested. */
  readGoal?: ReadGoal;
  /** Inputs that differ. */
  changes?: PropertyChange[];
  /** The properties that require the replacement. */
  replaceKeys?: string[];
  /** The old one is counted with the new one. */
  isPartOfReplacement?: boolean;
  /** create-replacement: the old one is deleted after everything else. */
  pendingDelete?: boolean;
  /** delete-replaced: the old one stays in the state until the new one exists. */
  pendingReplacement?: boolean;
  /** It calls a provider: something is lost if the run is killed before the result is saved. */
  callsProvider?: boolean;
  /** A "same" for a resource that must not be created: not recorded. */
  isSkippedCreate?: boolean;
  /** A "same" only because the resource is not a target. */
  isUntargeted?: boolean;
  /** refresh, import: the result is recorded at once, and what follows is planned against it. */
  recordAtOnce?: boolean;
  /** Neither displayed nor counted. */
  isHidden?: boolean;
  /** Why, where `changes` and `replaceKeys` do not tell. */
  reason?: string;
}

/** Planning cannot continue. */
export class PlanFailure extends Error {
  constructor(
    message: string,
    readonly urn: string = "",
  ) {
    super(message);
  }
}

/** The step for a resource that must not be touched. */
export function keepStep(s: ResourceState): Step {
  return { op: "same", urn: s.urn, old: s, new: { ...s }, isUntargeted: true };
}

/** What to do about a protected resource. Components and classes may set the option for users who never wrote it. */
export const UNPROTECT_HINT = "Set `protect: false` (or `deletionProtection: false`), run an update";
