/**
 * What a program wants of one resource: a registration as the planner takes it, whatever the wire looks like.
 *
 * Serves: RegisterResource and ReadResource of ResourceMonitor.
 */

import type { Value, ValueMap } from "./property-value";
import type { Timeouts } from "./state";
import { providerType } from "./urn";

/** An alias: a whole URN, or the parts in which the old one differed. */
export type Alias =
  | { urn: string }
  | { name?: string; type?: string; stack?: string; project?: string; parent?: string; noParent?: boolean };

/** The wish for a resource. */
export interface Goal {
  type: string;
  name: string;
  custom: boolean;
  parent: string | undefined;
  inputs: ValueMap;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  /** Reference to the provider resource; empty for components and providers. */
  provider: string;
  protect: boolean | undefined;
  retainOnDelete: boolean | undefined;
  deletedWith: string;
  replaceWith: string[];
  replacementTrigger: Value | undefined;
  /** Undefined: as the provider says. */
  deleteBeforeReplace: boolean | undefined;
  ignoreChanges: string[];
  replaceOnChanges: string[];
  hideDiff: unknown[];
  additionalSecretOutputs: string[];
  aliases: Alias[];
  customTimeouts: Timeouts;
  sourcePosition: string;
  stackTrace: { sourcePosition?: string }[];
}

/** A wish of which only this is said: all else is as when the program says nothing of it. */
export const newGoal = (fields: Pick<Goal, "type" | "name" | "custom"> & Partial<Goal>): Goal => ({
  parent: undefined,
  inputs: {},
  dependencies: [],
  propertyDependencies: {},
  provider: "",
  protect: undefined,
  retainOnDelete: undefined,
  deletedWith: "",
  replaceWith: [],
  replacementTrigger: undefined,
  deleteBeforeReplace: undefined,
  ignoreChanges: [],
  replaceOnChanges: [],
  hideDiff: [],
  additionalSecretOutputs: [],
  aliases: [],
  customTimeouts: {},
  sourcePosition: "",
  stackTrace: [],
  ...fields,
});

/** The wish for the provider of a package that the program did not register one for. */
export const defaultProviderGoal = (pkg: string, inputs: ValueMap): Goal =>
  newGoal({ type: providerType(pkg), name: "default", custom: true, inputs });

/** The wish to look at an object that exists. */
export interface ReadGoal {
  type: string;
  name: string;
  id: string;
  parent: string | undefined;
  provider: string;
  inputs: ValueMap;
  dependencies: string[];
  additionalSecretOutputs: string[];
  sourcePosition: string;
  stackTrace: { sourcePosition?: string }[];
}
