/**
 * New URNs for old ones, in a resource and in everything that refers to it.
 *
 * Used for: the option aliases of RegisterResource, `state rename` and `stack rename`.
 */

import { isReference, mapDeep, type Value } from "./property-value";
import { allReferencesOf, type ResourceState } from "./resource-state";
import { createUrn, nameOf, projectOf, providerIdOf, providerUrnOf, qualifiedType, STACK_TYPE, stackOf } from "./urn";

/** The URN that takes the place of one, or that one itself. */
export type UrnMapping = (urn: string) => string;

/** The resource with new URNs; itself when none of its own is renamed. */
export function rewriteUrns(resource: ResourceState, mapUrn: UrnMapping): ResourceState {
  const changes = (urn: string): boolean => mapUrn(urn) !== urn;
  if (!changes(resource.urn) && !allReferencesOf(resource).some((ref) => changes(ref.urn))) return resource;
  const copy = { ...resource, urn: mapUrn(resource.urn) };
  if (copy.parent) copy.parent = mapUrn(copy.parent);
  if (copy.provider) copy.provider = `${mapUrn(providerUrnOf(copy.provider))}::${providerIdOf(copy.provider)}`;
  if (copy.dependencies) copy.dependencies = copy.dependencies.map(mapUrn);
  if (copy.replaceWith) copy.replaceWith = copy.replaceWith.map(mapUrn);
  if (copy.deletedWith) copy.deletedWith = mapUrn(copy.deletedWith);
  if (copy.propertyDependencies)
    copy.propertyDependencies = Object.fromEntries(
      Object.entries(copy.propertyDependencies).map(([k, urns]) => [k, (urns ?? []).map(mapUrn)]),
    );
  return copy;
}

/** The same, also for references to resources among its values. */
export function rewriteUrnsDeep(resource: ResourceState, mapUrn: UrnMapping): ResourceState {
  const copy = { ...rewriteUrns(resource, mapUrn) };
  for (const field of ["inputs", "outputs", "replacementTrigger"] as const)
    if (copy[field] !== undefined && copy[field] !== null)
      (copy[field] as Value) = mapDeep(copy[field] as Value, (v) =>
        isReference(v) ? { ...v, urn: mapUrn(String(v.urn)) } : v,
      );
  return copy;
}

/** URNs of one stack become those of another, whose name is also part of that of the stack's own resource. */
export const renameStack =
  (from: string, to: string): UrnMapping =>
  (urn) => {
    if (stackOf(urn) !== from) return urn;
    const [project, type] = [projectOf(urn), qualifiedType(urn)];
    return createUrn(to, project, "", type, type === STACK_TYPE ? `${project}-${to}` : nameOf(urn));
  };
