/** Resource hooks: functions of the program that run before and after an operation on a resource. */
import type { ValueMap } from "./property-value";

/** When a hook runs, as the state has it. */
export type HookType = "BeforeCreate" | "AfterCreate" | "BeforeUpdate" | "AfterUpdate" | "BeforeDelete" | "AfterDelete";

/** The names of a resource's hooks. */
export type HookNames = Partial<Record<HookType, string[]>>;

/** What a hook gets of its resource. Values that do not exist at that time are absent. */
export interface HookArguments {
  urn: string;
  id: string;
  type: string;
  newInputs?: ValueMap | undefined;
  oldInputs?: ValueMap | undefined;
  newOutputs?: ValueMap | undefined;
  oldOutputs?: ValueMap | undefined;
}

export interface ResourceHook {
  /** Whether a preview runs it, too. */
  onDryRun: boolean;
  /** Whether its failure is a warning only. */
  ignoreErrors: boolean;
  /** Rejects with what the hook says. */
  call(args: HookArguments): Promise<void>;
}

/** The hooks that the program has registered, by name. */
export type ResourceHooks = Map<string, ResourceHook>;
