/**
 * Resources as the state has them. A resource in memory is the JSON object of the file with its secrets opened: so that
 * fields this engine knows nothing of survive.
 */
import type { Value, ValueMap } from "./property-value";

export interface Timeouts {
  create?: number;
  update?: number;
  delete?: number;
  read?: number;
}

/** A resource. What is empty or false is absent, as in the file. */
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
  [unknown: string]: unknown;
}

/** The order in which the fields are written; and, by their absence, which fields are unknown. */
export const FIELDS = [
  "urn",
  "custom",
  "delete",
  "id",
  "type",
  "inputs",
  "outputs",
  "parent",
  "protect",
  "taint",
  "external",
  "dependencies",
  "initErrors",
  "provider",
  "propertyDependencies",
  "pendingReplacement",
  "additionalSecretOutputs",
  "aliases",
  "customTimeouts",
  "importID",
  "retainOnDelete",
  "deletedWith",
  "replaceWith",
  "created",
  "modified",
  "sourcePosition",
  "stackTrace",
  "ignoreChanges",
  "hideDiff",
  "replaceOnChanges",
  "replacementTrigger",
  "refreshBeforeUpdate",
  "viewOf",
  "resourceHooks",
  "extensionRef",
  "snippetID",
] as const; // prettier-ignore
const KNOWN = new Set<string>(FIELDS);

/** What the new state of a resource takes over from the old one without knowing what it is. */
export function unknownFields(old: ResourceState | undefined): Record<string, unknown> {
  if (old === undefined) return {};
  return Object.fromEntries(Object.entries(old).filter(([key]) => !KNOWN.has(key)));
}

/** An operation that had begun when the state was written. */
export interface PendingOperation {
  resource: ResourceState;
  type: "creating" | "updating" | "deleting" | "reading" | "importing";
  [unknown: string]: unknown;
}

/** A reference from one resource to another. */
export interface Reference {
  kind: "parent" | "dependency" | "property" | "deletedWith" | "replaceWith";
  urn: string;
  property?: string;
}

/** All resources a resource refers to, but its provider. */
export function referencesOf(s: ResourceState): Reference[] {
  const list: Reference[] = [];
  if (s.parent) list.push({ kind: "parent", urn: s.parent });
  for (const urn of s.dependencies ?? []) if (urn) list.push({ kind: "dependency", urn });
  for (const [property, urns] of Object.entries(s.propertyDependencies ?? {}))
    for (const urn of urns ?? []) if (urn) list.push({ kind: "property", urn, property });
  if (s.deletedWith) list.push({ kind: "deletedWith", urn: s.deletedWith });
  for (const urn of s.replaceWith ?? []) if (urn) list.push({ kind: "replaceWith", urn });
  return list;
}
