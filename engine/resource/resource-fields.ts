/** The fields of a resource in the state: one table for all code that goes through them. */
import type { Value } from "./property-value";

export type FieldType = "text" | "flag" | "list" | "texts" | "object" | "lists";

interface ResourceField {
  name: string;
  /** Its type. A field without one is not checked, since the engine does not use it. */
  type?: FieldType;
  /** An option whose changes a plan shows, with the value that its absence means. */
  option?: { absent: Value };
  /** The name of a resource with this field in errors, if the engine does not support it. */
  unsupported?: string;
}

/** In the order in which they are written. What is not listed is an unknown field, and kept. */
export const RESOURCE_FIELDS: readonly ResourceField[] = [
  { name: "urn", type: "text", option: { absent: null } },
  { name: "custom", type: "flag" },
  { name: "delete", type: "flag" },
  { name: "id", type: "text" },
  { name: "type", type: "text" },
  { name: "inputs", type: "object" },
  { name: "outputs", type: "object" },
  { name: "parent", type: "text" },
  { name: "protect", type: "flag", option: { absent: false } },
  { name: "taint", type: "flag" },
  { name: "external", type: "flag" },
  { name: "dependencies", type: "texts" },
  { name: "initErrors", type: "texts" },
  { name: "provider", type: "text" },
  { name: "propertyDependencies", type: "lists" },
  { name: "pendingReplacement", type: "flag" },
  { name: "additionalSecretOutputs", type: "texts", option: { absent: null } },
  { name: "aliases" },
  { name: "customTimeouts", type: "object", option: { absent: null } },
  { name: "importID" },
  { name: "retainOnDelete", type: "flag", option: { absent: false } },
  { name: "deletedWith", type: "text", option: { absent: null } },
  { name: "replaceWith", type: "texts", option: { absent: null } },
  { name: "created" },
  { name: "modified" },
  { name: "sourcePosition", type: "text" },
  { name: "stackTrace", type: "list" },
  { name: "ignoreChanges", type: "texts", option: { absent: null } },
  { name: "hideDiff" },
  { name: "replaceOnChanges", type: "texts", option: { absent: null } },
  { name: "replacementTrigger" },
  { name: "refreshBeforeUpdate", unsupported: "a refresh before each update" },
  { name: "viewOf", unsupported: "a view" },
  { name: "resourceHooks", type: "lists" },
  { name: "extensionRef", unsupported: "an extension" },
  { name: "snippetID", unsupported: "a snippet" },
];
