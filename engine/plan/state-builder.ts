/**
 * The new state of a resource as the program declares it; the provider adds the rest.
 *
 * Used for: RegisterResource and ReadResource of ResourceMonitor.
 */
import type { Goal, ReadGoal } from "../resource/goal";
import { type ResourceState, unknownFields } from "../resource/resource-state";

/** For a registration; `alias` is the URN under which its old state was found. */
export function buildState(
  urn: string,
  goal: Goal,
  old: ResourceState | undefined,
  alias: string | undefined,
): ResourceState {
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
    ...(goal.importId !== "" && { importID: goal.importId }),
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
    ...(Object.keys(goal.hooks).length > 0 && { resourceHooks: goal.hooks }),
  };
}

/** For an object that is only read. */
export function buildReadState(
  urn: string,
  goal: ReadGoal,
  old: ResourceState | undefined,
  alias: string | undefined,
): ResourceState {
  return {
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
}
