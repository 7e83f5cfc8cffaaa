/** A resource of a state, as callers get it. */
import { isPrintedInPart, toPrintableMap } from "./property-value";
import type { ResourceState } from "./resource-state";
import { isDefaultProvider, nameOf } from "./urn";

/** One resource as the state has it. Values are safe to print unless secrets were asked for. */
export interface ResourceView {
  urn: string;
  type: string;
  name: string;
  id?: string;
  parent?: string;
  /** URN and ID of the provider; absent for components. */
  provider?: string;
  /** True for a provider that the engine made of the stack's configuration. */
  isDefaultProvider?: true;
  custom: boolean;
  protect: boolean;
  /** True for an old version that waits for its deletion. */
  delete: boolean;
  /** URN of the resource whose deletion also deletes this one. */
  deletedWith?: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  /** Names of the outputs that the state has as secrets, or with a secret in them; absent if there are none. */
  secretOutputs?: readonly string[];
}

export function resourceView(
  resource: Partial<ResourceState> & Pick<ResourceState, "urn" | "type">,
  showSecrets: boolean,
): ResourceView {
  const { urn, type, id, parent, provider, deletedWith, inputs = {}, outputs = {} } = resource;
  const secretOutputs = Object.entries(outputs).flatMap(([name, value]) => (isPrintedInPart(value) ? [name] : []));
  return {
    urn,
    type,
    name: nameOf(urn),
    ...(id !== undefined && { id }),
    ...(parent !== undefined && { parent }),
    ...(provider !== undefined && { provider }),
    ...(isDefaultProvider(resource) && { isDefaultProvider: true }),
    custom: resource.custom === true,
    protect: resource.protect === true,
    delete: resource.delete === true,
    ...(deletedWith && { deletedWith }),
    inputs: toPrintableMap(inputs, showSecrets),
    outputs: toPrintableMap(outputs, showSecrets),
    ...(secretOutputs.length > 0 && { secretOutputs }),
  };
}
