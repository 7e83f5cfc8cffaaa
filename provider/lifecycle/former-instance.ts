/** The instance of a resource that the state has, and in whose place a create puts another one. */
import type { Properties } from "../core/pulumi-values";

export interface FormerInstance {
  /** Its arguments; absent if the engine has not passed them. */
  args?: Properties | undefined;
  /** Its ID and state; absent if the engine has not asked for a difference, as for an option that replaces. */
  recorded?: { id: string; state: Properties } | undefined;
  /** True if this run has deleted it. */
  isDeleted: boolean;
}
