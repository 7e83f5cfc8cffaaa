/**
 * The desired state of one resource, independent of the wire format.
 *
 * Used for: RegisterResource and ReadResource of ResourceMonitor.
 */

import type { HookNames } from "./hooks";
import { newestPlugin, type PluginRequest } from "./plugin-request";
import type { Value, ValueMap } from "./property-value";
import type { Timeouts } from "./state";
import { packageOf, providerType } from "./urn";

/** An alias: a URN, or the parts in which the old one differs. */
export type Alias =
  | { urn: string }
  | { name?: string; type?: string; stack?: string; project?: string; parent?: string; noParent?: boolean };

export interface Goal {
  type: string;
  name: string;
  custom: boolean;
  /** A component whose code is the plugin's. */
  remote: boolean;
  plugin: PluginRequest;
  /** The option import: the id of an object that exists, and that becomes the resource's; empty for none. */
  importId: string;
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

/** The provider of a package for which the program registers none. Its name says which plugin it is of, as the CLI's does. */
export function defaultProviderGoal(plugin: PluginRequest, inputs: ValueMap): Goal {
  const { name, version, downloadUrl } = plugin;
  const parts = ["default", ...version.split(/[.+-]/), toQualifiedName(downloadUrl)].filter((part) => part !== "");
  return newGoal({ type: providerType(name), name: parts.join("_"), plugin, custom: true, inputs });
}

/** An address as a part of a name, as the CLI writes it. */
const toQualifiedName = (text: string): string =>
  text
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => segment.replace(/^[^A-Za-z_]/, "_").replace(/[^A-Za-z0-9_.-]/g, "_"))
    .join("/");

/** The request to read an object that exists. */
export interface ReadGoal {
  type: string;
  name: string;
  id: string;
  plugin: PluginRequest;
  parent: string | undefined;
  /** Empty for the default provider. */
  provider: string;
  inputs: ValueMap;
  dependencies: string[];
  additionalSecretOutputs: string[];
  sourcePosition: string;
  stackTrace: { sourcePosition?: string }[];
}
