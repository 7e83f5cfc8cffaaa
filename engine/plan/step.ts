/**
 * The planner's terms: the questions it has, and the steps it answers registrations with.
 *
 * Serves: Check, Diff and Read of ResourceProvider as questions, its other calls as steps.
 */

import type { StepOp } from "../events";
import type { Goal, ReadGoal } from "../resource/goal";
import type { PropertyChange } from "../resource/property-diff";
import type { ValueMap } from "../resource/property-value";
import type { ResourceState } from "../resource/state";

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
    }
  /** Read the resource first, and say what it is now (undefined: gone). Others may be planned meanwhile. */
  | { ask: "refresh"; step: Step };

export interface CheckResponse {
  inputs: ValueMap;
  failures: { property: string; reason: string }[];
}
export interface DiffResponse {
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
  completesRegistration: boolean;
  goal?: Goal;
  /** Read steps: what was asked. */
  readGoal?: ReadGoal;
  /** Inputs that differ. */
  changes?: PropertyChange[];
  /** The properties that ask for the replacement. */
  replaceKeys?: string[];
  /** Part of a replacement: the old one is counted with the new one. */
  isPartOfReplacement?: boolean;
  /** create-replacement: the old one is deleted after everything else. */
  pendingDelete?: boolean;
  /** delete-replaced: the old one stays in the state until the new one is there. */
  pendingReplacement?: boolean;
  /** A "same" for something that is not to be created: not recorded. */
  isSkippedCreate?: boolean;
  /** A "same" only because it is not a target. */
  isUntargeted?: boolean;
  /** refresh: the result is recorded at once (a refresh in a run with the program). */
  recordAtOnce?: boolean;
  /** Not shown and not counted. */
  isHidden?: boolean;
  reason?: string;
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

/** Planning that may have to ask. */
export type Ask<T> = Generator<Question, T, unknown>;

/** The step for a resource that stays as it is because it is not to be touched. */
export function keepStep(s: ResourceState): Step {
  return { op: "same", urn: s.urn, old: s, new: { ...s }, completesRegistration: false, isUntargeted: true };
}

/** The way out for what is protected. Components and classes may set the option for the user, who has never written it. */
export const UNPROTECT_HINT =
  "Take the protection away in the program (the option protect, or what sets it, such as deletionProtection)";
