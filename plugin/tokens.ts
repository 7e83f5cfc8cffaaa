/** What resources and functions are called in states and programs. Permanent. */

import type { Definition } from "../provider/core/resource-definition";
import { allDefinitions } from "../provider/resources/index";

export const tokenPrefix = "esign:index:";

export const typeOf = ({ kind }: Definition): string => `${tokenPrefix}${kind}`;

/** The type of the same resource as a dynamic one, from which a stack may move. */
export const dynamicTypeOf = ({ kind }: Definition): string => `pulumi-nodejs:dynamic/esign:${kind}`;

/** @throws for a type that this plugin does not have */
export function definitionOfType(type: string): Definition {
  const found = allDefinitions.find((definition) => typeOf(definition) === type);
  if (found !== undefined) return found;
  const types = allDefinitions.map(typeOf).join(", ");
  throw new Error(`${type || "nothing"} is not a resource of this plugin (resources: ${types})`);
}
