/**
 * The dependencies in a list of resources. In the list, each resource comes after those that it refers to; a URN occurs more than
 * once if old versions are still to be deleted.
 */
import type { UrnMapping } from "./rename-urns";
import { allReferencesOf, type ResourceState } from "./resource-state";

export class DependencyGraph {
  readonly #index = new Map<ResourceState, number>();
  readonly #byUrn = new Map<string, number[]>();
  /** Indices of all resources below a resource, by its URN; computed on first use. */
  #descendants: Map<string, number[]> | undefined;

  readonly #resources: readonly ResourceState[];
  readonly #currentUrn: UrnMapping;

  /** @param currentUrn maps the old URN of a renamed resource to its current one */
  constructor(resources: readonly ResourceState[], currentUrn: UrnMapping = (urn) => urn) {
    this.#resources = resources;
    this.#currentUrn = currentUrn;
    resources.forEach((r, i) => {
      this.#index.set(r, i);
      const urn = currentUrn(r.urn);
      const same = this.#byUrn.get(urn);
      if (same) same.push(i);
      else this.#byUrn.set(urn, [i]);
    });
  }

  #indicesOf(urn: string): readonly number[] {
    return this.#byUrn.get(this.#currentUrn(urn)) ?? [];
  }

  /** Replaces `original` by `state`. */
  alias(state: ResourceState, original: ResourceState): void {
    const i = this.#index.get(original);
    if (i !== undefined) this.#index.set(state, i);
  }

  contains(resource: ResourceState): boolean {
    return this.#index.has(resource);
  }

  /**
   * All resources that depend on one, directly or not, in the order of the list. With `children`, also its children.
   * Resources in `ignore` (URNs) are left out.
   */
  dependentsOf(root: ResourceState, ignore: ReadonlySet<string>, children: boolean): ResourceState[] {
    const currentUrn = this.#currentUrn;
    const set = new Set([currentUrn(root.urn)]);
    const found: ResourceState[] = [];
    for (let i = (this.#index.get(root) ?? this.#resources.length) + 1; i < this.#resources.length; i++) {
      const r = this.#resources[i] as ResourceState;
      if (ignore.has(r.urn)) continue;
      const depends = allReferencesOf(r).some(
        (ref) => (ref.kind !== "parent" || children) && set.has(currentUrn(ref.urn)),
      );
      if (!depends) continue;
      set.add(currentUrn(r.urn));
      found.push(r);
    }
    return found;
  }

  /** The resources that one refers to directly; with a component, everything in it that comes before. */
  dependenciesOf(resource: ResourceState): Set<ResourceState> {
    const found = new Set<ResourceState>();
    const own = this.#index.get(resource) ?? 0;
    const add = (urn: string, withContent: boolean): void => {
      for (const i of this.#indicesOf(urn)) {
        if (i >= own) continue;
        const candidate = this.#resources[i] as ResourceState;
        found.add(candidate);
        if (!withContent || candidate.custom) continue;
        for (const j of this.#descendantsOf(urn)) if (j < own) found.add(this.#resources[j] as ResourceState);
      }
    };
    for (const ref of allReferencesOf(resource)) add(ref.urn, ref.kind !== "parent");
    return found;
  }

  #descendantsOf(urn: string): number[] {
    if (this.#descendants === undefined) {
      this.#descendants = new Map();
      const parents = new Map<string, string>();
      for (const [i, r] of this.#resources.entries()) {
        const parent = r.parent && this.#currentUrn(r.parent);
        if (parent) parents.set(this.#currentUrn(r.urn), parent);
        for (let at = parent; at; at = parents.get(at)) {
          const list = this.#descendants.get(at);
          if (list) list.push(i);
          else this.#descendants.set(at, [i]);
        }
      }
    }
    return this.#descendants.get(this.#currentUrn(urn)) ?? [];
  }

  /** Everything that a resource needs to exist, without itself. An old version refers to old versions. */
  transitiveDependenciesOf(resource: ResourceState): Set<ResourceState> {
    const found = new Set<ResourceState>();
    const lookup = (urn: string): ResourceState[] => {
      const all = this.#indicesOf(urn).map((i) => this.#resources[i] as ResourceState);
      const alike = all.filter((s) => !s.delete === !resource.delete);
      return alike.length > 0 ? alike : all;
    };
    const visit = (resource: ResourceState): void => {
      for (const other of allReferencesOf(resource).flatMap((ref) => lookup(ref.urn))) {
        if (found.has(other)) continue;
        found.add(other);
        visit(other);
      }
    };
    visit(resource);
    found.delete(resource);
    return found;
  }

  /** The place in the list. */
  position(resource: ResourceState): number {
    return this.#index.get(resource) ?? 0;
  }

  /**
   * Groups resources so that each group can be deleted when the groups before it are deleted: first those that nothing depends on.
   * As in the CLI, a group contains the resources at the same depth. The keys of `containers` are in no group: they are deleted
   * with their values, so their dependencies are deleted after those, unless a dependency itself needs one of those.
   */
  deletionOrder(
    condemned: ReadonlySet<ResourceState>,
    containers: ReadonlyMap<ResourceState, ResourceState> = new Map(),
  ): ResourceState[][] {
    const ordered = [...condemned].sort((a, b) => this.position(a) - this.position(b));
    const needs = this.#needs(ordered, condemned, containers);
    const levels = new Map<ResourceState, number>();
    const levelOf = (resource: ResourceState): number => {
      let level = levels.get(resource);
      if (level === undefined) {
        level = 0;
        for (const d of needs.get(resource) ?? []) level = Math.max(level, levelOf(d) + 1);
        levels.set(resource, level);
      }
      return level;
    };
    const groups: ResourceState[][] = [];
    for (const r of ordered) {
      if (containers.has(r)) continue;
      const level = levelOf(r);
      const group = groups[level];
      if (group) group.push(r);
      else groups[level] = [r];
    }
    return Array.from(groups, (group) => group ?? []).reverse();
  }

  /** The dependencies of each of these among them; a resource in a container counts as the container. */
  #needs(
    ordered: readonly ResourceState[],
    condemned: ReadonlySet<ResourceState>,
    containers: ReadonlyMap<ResourceState, ResourceState>,
  ): Map<ResourceState, Set<ResourceState>> {
    const needs = new Map<ResourceState, Set<ResourceState>>(ordered.map((r) => [r, new Set()]));
    const counted = (r: ResourceState) => containers.get(r) ?? r;
    const reaches = (from: ResourceState, to: ResourceState, seen = new Set<ResourceState>()): boolean => {
      if (from === to) return true;
      if (seen.has(from)) return false;
      seen.add(from);
      return [...(needs.get(from) ?? [])].some((d) => reaches(d, to, seen));
    };
    const add = (resource: ResourceState, isAllowed: (other: ResourceState) => boolean): void => {
      const own = counted(resource);
      for (const d of this.dependenciesOf(resource)) {
        const other = counted(d);
        if (condemned.has(d) && other !== own && isAllowed(other)) needs.get(own)!.add(other);
      }
    };
    for (const r of ordered) if (!containers.has(r)) add(r, () => true);
    for (const r of ordered) if (containers.has(r)) add(r, (other) => !reaches(other, counted(r)));
    return needs;
  }
}
