/** The names of resources and functions in the engine's messages. */

import { pluginTypeOf } from "../../definitions/kind";
import type { ResourceDefinition } from "../core/resource-definition";
import { allDefinitions, definitionOfType } from "../resources/index";

/** How the name of a function or a type begins. Permanent. */
export const tokenPrefix = "esign:index:";

/** @throws for a type that this plugin does not have */
export function definitionServed(type: string): ResourceDefinition {
  const found = definitionOfType(type);
  if (found !== undefined) return found;
  const types = allDefinitions.map(({ kind }) => pluginTypeOf(kind)).join(", ");
  throw new Error(`${type || "nothing"} is not a resource of this plugin (resources: ${types})`);
}
