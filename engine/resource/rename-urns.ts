/**
 * New URNs for old ones, in a resource and in everything that refers to it.
 *
 * Serves: the option aliases of RegisterResource, `state rename` and `stack rename`.
 */

import { isReference, rebuild, type Value } from "./property-value";
import { type ResourceState, referencesOf } from "./state";
import { createUrn, nameOf, projectOf, providerIdOf, providerUrnOf, qualifiedType, STACK_TYPE, stackOf } from "./urn";

/** The URN that takes the place of one, or that one itself. */
export type Renaming = (urn: string) => string;

/** The resource with new URNs; itself when none of its own is renamed. */
export function withUrns(r: ResourceState, fix: Renaming): ResourceState {
  const changes = (urn: string): boolean => fix(urn) !== urn;
  const touched =
    changes(r.urn) ||
    referencesOf(r).some((ref) => changes(ref.urn)) ||
    (r.provider !== undefined && changes(providerUrnOf(r.provider)));
  if (!touched) return r;
  const copy = { ...r, urn: fix(r.urn) };
  if (copy.parent) copy.parent = fix(copy.parent);
  if (copy.provider) copy.provider = `${fix(providerUrnOf(copy.provider))}::${providerIdOf(copy.provider)}`;
  if (copy.dependencies) copy.dependencies = copy.dependencies.map(fix);
  if (copy.replaceWith) copy.replaceWith = copy.replaceWith.map(fix);
  if (copy.deletedWith) copy.deletedWith = fix(copy.deletedWith);
  if (copy.propertyDependencies)
    copy.propertyDependencies = Object.fromEntries(
      Object.entries(copy.propertyDependencies).map(([k, urns]) => [k, (urns ?? []).map(fix)]),
    );
  return copy;
}

/** The same, also for references to resources among its values. */
export function withUrnsInValues(r: ResourceState, fix: Renaming): ResourceState {
  const copy = { ...withUrns(r, fix) };
  for (const field of ["inputs", "outputs", "replacementTrigger"] as const)
    if (copy[field] !== undefined && copy[field] !== null)
      (copy[field] as Value) = rebuild(copy[field] as Value, (v) =>
        isReference(v) ? { ...v, urn: fix(String(v.urn)) } : v,
      );
  return copy;
}

/** URNs of one stack become those of another, whose name is also part of that of the stack's own resource. */
export const toStack =
  (from: string, to: string): Renaming =>
  (urn) => {
    if (stackOf(urn) !== from) return urn;
    const [project, type] = [projectOf(urn), qualifiedType(urn)];
    return createUrn(to, project, "", type, type === STACK_TYPE ? `${project}-${to}` : nameOf(urn));
  };
