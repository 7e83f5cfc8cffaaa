/**
 * A resource as the state file stores it. In memory it is the JSON object of the file with its secrets decrypted. Fields that this engine
 * does not know are kept.
 */
import type { HookNames } from "./hooks";
import type { Value, ValueMap } from "./property-value";
import { RESOURCE_FIELDS } from "./resource-fields";
import { providerUrnOf } from "./urn";

export interface Timeouts {
  create?: number;
  update?: number;
  delete?: number;
  read?: number;
}

/** A resource in the state. Empty and false values are absent, as in the file. */
export interface ResourceState {
  urn: string;
  custom: boolean;
  delete?: boolean;
  id?: string;
  type: string;
  inputs?: ValueMap;
  outputs?: ValueMap;
  parent?: string;
  protect?: boolean;
  taint?: boolean;
  external?: boolean;
  dependencies?: string[];
  initErrors?: string[];
  provider?: string;
  propertyDependencies?: Record<string, string[]>;
  pendingReplacement?: boolean;
  additionalSecretOutputs?: string[];
  customTimeouts?: Timeouts;
  importID?: string;
  retainOnDelete?: boolean;
  deletedWith?: string;
  replaceWith?: string[];
  /** RFC 3339. */
  created?: string;
  modified?: string;
  sourcePosition?: string;
  stackTrace?: { sourcePosition?: string }[];
  ignoreChanges?: string[];
  hideDiff?: unknown[];
  replaceOnChanges?: string[];
  replacementTrigger?: Value;
  resourceHooks?: HookNames;
  [unknown: string]: unknown;
}

const KNOWN = new Set(RESOURCE_FIELDS.map(({ name }) => name));

/** The fields of an old resource that this engine does not know, to copy them to the new one. */
export function unknownFields(old: ResourceState | undefined): Record<string, unknown> {
  if (old === undefined) return {};
  return Object.fromEntries(Object.entries(old).filter(([key]) => !KNOWN.has(key)));
}

/** An operation that was in progress when the state was written. */
export interface PendingOperation {
  resource: ResourceState;
  type: "creating" | "updating" | "deleting" | "reading" | "importing";
  [unknown: string]: unknown;
}

/** A reference from one resource to another. */
export interface Reference {
  kind: "parent" | "dependency" | "property" | "deletedWith" | "replaceWith" | "provider";
  urn: string;
  property?: string;
}

/** All references of a resource to others, except the one to its provider. */
export function referencesOf(resource: ResourceState): Reference[] {
  const list: Reference[] = [];
  if (resource.parent) list.push({ kind: "parent", urn: resource.parent });
  for (const urn of resource.dependencies ?? []) if (urn) list.push({ kind: "dependency", urn });
  for (const [property, urns] of Object.entries(resource.propertyDependencies ?? {}))
    for (const urn of urns ?? []) if (urn) list.push({ kind: "property", urn, property });
  if (resource.deletedWith) list.push({ kind: "deletedWith", urn: resource.deletedWith });
  for (const urn of resource.replaceWith ?? []) if (urn) list.push({ kind: "replaceWith", urn });
  return list;
}

/** All references of a resource to others; the one to its provider comes last. */
export function allReferencesOf(resource: ResourceState): Reference[] {
  const list = referencesOf(resource);
  if (resource.provider !== undefined) list.push({ kind: "provider", urn: providerUrnOf(resource.provider) });
  return list;
}

/** True if a resource refers to one of these URNs. */
export const refersToAny = (resource: ResourceState, urns: { has(urn: string): boolean }): boolean =>
  allReferencesOf(resource).some(({ urn }) => urns.has(urn));
