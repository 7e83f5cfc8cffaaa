/**
 * The desired state of one resource, independent of the wire format.
 *
 * Serves: RegisterResource and ReadResource of ResourceMonitor.
 */

import type { HookNames } from "./hooks";
import type { Value, ValueMap } from "./property-value";
import type { Timeouts } from "./state";
import { providerType } from "./urn";

/** An alias: a URN, or the parts in which the old one differs. */
export type Alias =
  | { urn: string }
  | { name?: string; type?: string; stack?: string; project?: string; parent?: string; noParent?: boolean };

export interface Goal {
  type: string;
  name: string;
  custom: boolean;
  parent: string | undefined;
  inputs: ValueMap;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  /** Reference to the provider resource; empty for components and providers, and where the program does not set it. */
  provider: string;
  /** References to providers for the children of a component, by package. */
  providers: Record<string, string>;
  protect: boolean | undefined;
  retainOnDelete: boolean | undefined;
  deletedWith: string;
  replaceWith: string[];
  replacementTrigger: Value | undefined;
  /** Undefined: the provider decides. */
  deleteBeforeReplace: boolean | undefined;
  ignoreChanges: string[];
  replaceOnChanges: string[];
  hideDiff: unknown[];
  hooks: HookNames;
  additionalSecretOutputs: string[];
  aliases: Alias[];
  customTimeouts: Timeouts;
  sourcePosition: string;
  stackTrace: { sourcePosition?: string }[];
}

/** A goal with these fields, and all others as if the program did not set them. */
export const newGoal = (fields: Pick<Goal, "type" | "name" | "custom"> & Partial<Goal>): Goal => ({
  parent: undefined,
  inputs: {},
  dependencies: [],
  propertyDependencies: {},
  provider: "",
  providers: {},
  protect: undefined,
  retainOnDelete: undefined,
  deletedWith: "",
  replaceWith: [],
  replacementTrigger: undefined,
  deleteBeforeReplace: undefined,
  ignoreChanges: [],
  replaceOnChanges: [],
  hideDiff: [],
  hooks: {},
  additionalSecretOutputs: [],
  aliases: [],
  customTimeouts: {},
  sourcePosition: "",
  stackTrace: [],
  ...fields,
});

/** The provider of a package for which the program registers none. */
export const defaultProviderGoal = (pkg: string, inputs: ValueMap): Goal =>
  newGoal({ type: providerType(pkg), name: "default", custom: true, inputs });

/** The request to read an object that exists. */
export interface ReadGoal {
  type: string;
  name: string;
  id: string;
  parent: string | undefined;
  /** Empty for the default provider. */
  provider: string;
  inputs: ValueMap;
  dependencies: string[];
  additionalSecretOutputs: string[];
  sourcePosition: string;
  stackTrace: { sourcePosition?: string }[];
}
