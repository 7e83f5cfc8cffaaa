/** The order of resources in the state, and how they refer to each other: references to renamed or removed resources are corrected. */
import { rewriteUrns, type UrnMapping } from "../resource/rename-urns";
import { allReferencesOf, type PendingOperation, type ResourceState, referencesOf } from "../resource/resource-state";
import { createUrn, nameOf, projectOf, qualifiedType, STACK_TYPE, stackOf, typeOf } from "../resource/urn";

/**
 * Repairs references to removed resources: they are removed, and a child of a removed parent gets the parent of that one. With
 * `always`, every list of references is rewritten, as a refresh does, which removes empty lists.
 */
export function dropDanglingReferences(resources: readonly ResourceState[], always = false): ResourceState[] {
  const earlier = new Set<string>();
  const parents = new Map<string, string | undefined>();
  return resources.map((r) => {
    let parent = r.parent;
    if (parent !== undefined && !earlier.has(parent)) parent = parents.get(parent);
    parents.set(r.urn, parent);
    if (referencesOf(r).every((ref) => earlier.has(ref.urn)) && !(always && hasEmptyLists(r))) {
      earlier.add(r.urn);
      return r;
    }
    const copy = { ...r };
    const keep = (urns: string[] | undefined): string[] => (urns ?? []).filter((urn) => earlier.has(urn));
    if (parent === undefined) delete copy.parent;
    else copy.parent = parent;
    if (copy.dependencies) copy.dependencies = keep(copy.dependencies);
    if (copy.replaceWith) copy.replaceWith = keep(copy.replaceWith);
    if (copy.deletedWith !== undefined && !earlier.has(copy.deletedWith)) delete copy.deletedWith;
    if (copy.propertyDependencies)
      copy.propertyDependencies = Object.fromEntries(
        Object.entries(copy.propertyDependencies)
          .map(([k, urns]) => [k, keep(urns)] as const)
          .filter(([, urns]) => urns.length > 0),
      );
    earlier.add(r.urn);
    return copy;
  });
}

const hasEmptyLists = (resource: ResourceState): boolean =>
  Object.values(resource.propertyDependencies ?? {}).some((urns) => (urns ?? []).length === 0);

/** The same resources, each after those that it refers to, otherwise in their order. */
export function sortByReferences(resources: ResourceState[]): ResourceState[] {
  const waiting = new Map<string, ResourceState[]>();
  for (const r of resources) waiting.set(r.urn, [...(waiting.get(r.urn) ?? []), r]);
  const ordered = new Set<ResourceState>();
  const begun = new Set<ResourceState>();
  const put = (resource: ResourceState): void => {
    if (begun.has(resource)) return;
    begun.add(resource);
    for (const { urn } of allReferencesOf(resource)) for (const other of waiting.get(urn) ?? []) put(other);
    ordered.add(resource);
  };
  resources.forEach(put);
  return [...ordered];
}

/** Maps old URNs to the new ones that have them as aliases; undefined when there are no aliases. */
export function aliasMapping(resources: ResourceState[]): UrnMapping | undefined {
  if (!resources.some((r) => aliasesOf(r).length > 0)) return undefined;
  const renamed = new Map<string, string>();
  for (const r of resources) {
    for (const alias of aliasesOf(r)) renamed.set(alias, r.urn);
    // The URN of a child has its parent's type in it. That of an old version may be an alias already.
    const parent = r.parent === undefined || renamed.has(r.urn) ? undefined : renamed.get(r.parent);
    if (parent !== undefined && qualifiedType(parent) !== STACK_TYPE)
      renamed.set(
        r.urn,
        createUrn(stackOf(r.urn), projectOf(r.urn), qualifiedType(parent), typeOf(r.urn), nameOf(r.urn)),
      );
  }
  return (urn) => renamed.get(urn) ?? urn;
}

const aliasesOf = (r: ResourceState): string[] => (r.aliases as string[] | undefined) ?? [];

/** The resource of a pending operation, under its name in the state: the next run finds it even if its program renames it. */
export function recordedResource({ type, resource }: PendingOperation, fix: UrnMapping = (urn) => urn): ResourceState {
  const [alias] = type === "creating" ? [] : aliasesOf(resource);
  return rewriteUrns(alias === undefined ? resource : { ...resource, urn: alias }, fix);
}
