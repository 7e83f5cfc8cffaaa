/**
 * The desired state of one resource, independent of the encoding of the message that registers it.
 *
 * Used for: RegisterResource and ReadResource of ResourceMonitor.
 */

import type { HookNames } from "./hooks";
import { newestPlugin, type PluginRequest } from "./plugin-request";
import type { Value, ValueMap } from "./property-value";
import type { Timeouts } from "./resource-state";
import { packageOf, providerType } from "./urn";

/** An alias: a URN, or the parts in which the old URN differs from the new one. */
export type Alias =
  | { urn: string }
  | { name?: string; type?: string; stack?: string; project?: string; parent?: string; noParent?: boolean };

export interface Goal {
  type: string;
  name: string;
  custom: boolean;
  /** True for a component whose code runs in a plugin. */
  remote: boolean;
  plugin: PluginRequest;
  /** Value of the option `import`: the ID of an existing object that becomes the resource's; empty if not set. */
  importId: string;
  parent: string | undefined;
  inputs: ValueMap;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  /** Reference to the provider resource. Empty for components and providers, and if the program sets none. */
  provider: string;
  /** References to the providers for a component's children, by package. */
  providers: Record<string, string>;
  protect: boolean | undefined;
  retainOnDelete: boolean | undefined;
  deletedWith: string;
  replaceWith: string[];
  replacementTrigger: Value | undefined;
  /** Undefined if the program does not set it: then the provider decides. */
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

/** A goal with these fields; all others have their default value. */
export const newGoal = (fields: Pick<Goal, "type" | "name" | "custom"> & Partial<Goal>): Goal => ({
  remote: false,
  plugin: newestPlugin(packageOf(fields.type)),
  importId: "",
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

/**
 * The default provider of a package, for resources that name no provider. Its name contains the plugin's version and address, as with the
 * Pulumi CLI.
 */
export function defaultProviderGoal(plugin: PluginRequest, inputs: ValueMap): Goal {
  const { name, version, downloadUrl } = plugin;
  const parts = ["default", ...version.split(/[.+-]/), toQualifiedName(downloadUrl)].filter((part) => part !== "");
  return newGoal({ type: providerType(name), name: parts.join("_"), plugin, custom: true, inputs });
}

/** An address as a part of a URN's name, in the form that the Pulumi CLI writes. */
const toQualifiedName = (text: string): string =>
  text
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => segment.replace(/^[^A-Za-z_]/, "_").replace(/[^A-Za-z0-9_.-]/g, "_"))
    .join("/");

/** A request to read an existing object. */
export interface ReadGoal {
  type: string;
  name: string;
  id: string;
  plugin: PluginRequest;
  parent: string | undefined;
  /** Reference to the provider; empty for the default one. */
  provider: string;
  inputs: ValueMap;
  dependencies: string[];
  additionalSecretOutputs: string[];
  sourcePosition: string;
  stackTrace: { sourcePosition?: string }[];
}
