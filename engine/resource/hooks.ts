/** Resource hooks: functions of the program that run before and after an operation on a resource. */
import type { ValueMap } from "./property-value";

/** When a hook runs, as named in the state. */
export type HookType = "BeforeCreate" | "AfterCreate" | "BeforeUpdate" | "AfterUpdate" | "BeforeDelete" | "AfterDelete";

/** The names of a resource's hooks. */
export type HookNames = Partial<Record<HookType, string[]>>;

/** The arguments of a hook. Values that do not exist at that time are absent. */
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
  /** Whether its failure is only a warning. */
  ignoreErrors: boolean;
  /** Rejects with the hook's error. */
  call(args: HookArguments): Promise<void>;
}

/** The hooks that the program has registered, by name. */
export type ResourceHooks = Map<string, ResourceHook>;
