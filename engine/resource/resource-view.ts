/** A resource of a state, as callers get it. */
import type { ResourceView } from "../api";
import { toPrintableMap } from "./property-value";
import type { ResourceState } from "./state";
import { nameOf } from "./urn";

export function resourceView(
  resource: Partial<ResourceState> & Pick<ResourceState, "urn" | "type">,
  showSecrets: boolean,
): ResourceView {
  const { urn, type, id, parent, provider, deletedWith, inputs = {}, outputs = {} } = resource;
  return {
    urn,
    type,
    name: nameOf(urn),
    ...(id !== undefined && { id }),
    ...(parent !== undefined && { parent }),
    ...(provider !== undefined && { provider }),
    custom: resource.custom === true,
    protect: resource.protect === true,
    delete: resource.delete === true,
    ...(deletedWith && { deletedWith }),
    inputs: toPrintableMap(inputs, showSecrets),
    outputs: toPrintableMap(outputs, showSecrets),
  };
}
