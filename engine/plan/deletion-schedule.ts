/**
 * The order of deletions. A resource that is deleted with another one is removed from the state in the same write: if that deletion
 * fails, the object still exists and must remain in the state.
 */
import type { DependencyGraph } from "../resource/dependency-graph";
import type { ResourceState } from "../resource/resource-state";
import type { Step } from "./step";

/** A deletion, and the deletions that it completes. */
export interface ScheduledDelete {
  step: Step;
  /** No provider is called for them. In the order in which they leave the state. */
  cascade: Step[];
}

export interface DeletionSchedule {
  /** Each group can be deleted when the groups before it are deleted. */
  groups: ScheduledDelete[][];
  /** Something in a cascade needs what is deleted before. */
  mayDangle: boolean;
}

export function scheduleDeletes(
  deletes: readonly Step[],
  graph: DependencyGraph,
  isDeletedWithAnother: (r: ResourceState) => boolean,
): DeletionSchedule {
  const steps = new Map(deletes.map((step) => [step.old as ResourceState, step]));
  const containers = outermost(addBetween(steps, graph, containersOf([...steps.keys()], isDeletedWithAnother)));
  const cascades = new Map<ResourceState, Step[]>();
  // The latest first: it may refer to the ones before it.
  for (const [r, container] of [...containers].sort(([a], [b]) => graph.position(b) - graph.position(a)))
    cascades.set(container, [...(cascades.get(container) ?? []), steps.get(r) as Step]);
  const order = graph.deletionOrder(new Set(steps.keys()), containers);
  const places = new Map(order.flatMap((group, i) => group.map((r) => [r, i] as const)));
  const placeOf = (r: ResourceState) => places.get(containers.get(r) ?? r) ?? Number.POSITIVE_INFINITY;
  const mayDangle = [...containers.keys()].some((r) =>
    [...graph.dependenciesOf(r)].some((needed) => placeOf(needed) < placeOf(r)),
  );
  const groups = order.map((group) =>
    group.map((r) => ({ step: steps.get(r) as Step, cascade: cascades.get(r) ?? [] })),
  );
  return { groups, mayDangle };
}

/** The steps of one registration: a resource that is deleted before its replacement is created has a cascade, too. */
export function scheduleChain(steps: readonly Step[]): ScheduledDelete[] {
  const isInCascade = (step: Step) => step.op === "delete-replaced" && !step.callsProvider && step.old?.deletedWith;
  const deletes = steps.filter((step) => step.op === "delete-replaced");
  const containerOf = (step: Step): Step => {
    const container = deletes.find(({ urn }, i) => urn === step.old?.deletedWith && i > deletes.indexOf(step));
    return isInCascade(step) && container !== undefined ? containerOf(container) : step;
  };
  const containers = new Map(deletes.map((step) => [step, containerOf(step)]));
  return steps
    .filter((step) => (containers.get(step) ?? step) === step)
    .map((step) => ({ step, cascade: deletes.filter((other) => other !== step && containers.get(other) === step) }));
}

/** By resource that is deleted with another, the one with which it is deleted. */
function containersOf(
  resources: readonly ResourceState[],
  isDeletedWithAnother: (r: ResourceState) => boolean,
): Map<ResourceState, ResourceState> {
  const byUrn = new Map(resources.map((r) => [`${r.delete === true} ${r.urn}`, r]));
  const direct = new Map<ResourceState, ResourceState>();
  for (const r of resources) {
    if (!isDeletedWithAnother(r)) continue;
    const container = byUrn.get(`false ${r.deletedWith}`) ?? byUrn.get(`true ${r.deletedWith}`);
    if (container !== undefined) direct.set(r, container);
  }
  return outermost(direct);
}

/** A container may itself be deleted with another one: then that deletion deletes all of them. */
function outermost(containers: ReadonlyMap<ResourceState, ResourceState>): Map<ResourceState, ResourceState> {
  const of = (resource: ResourceState): ResourceState => {
    const container = containers.get(resource);
    return container === undefined ? resource : of(container);
  };
  return new Map([...containers.keys()].map((r) => [r, of(r)]));
}

/** A resource between the two that needs no call, such as an explicit provider with a company's key, is deleted at the same time. */
function addBetween(
  steps: ReadonlyMap<ResourceState, Step>,
  graph: DependencyGraph,
  deletedWith: ReadonlyMap<ResourceState, ResourceState>,
): Map<ResourceState, ResourceState> {
  const containers = new Map(deletedWith);
  const needed = new Map<ResourceState, Set<ResourceState>>();
  const neededBy = (resource: ResourceState): Set<ResourceState> => {
    const found = needed.get(resource) ?? graph.transitiveDependenciesOf(resource);
    needed.set(resource, found);
    return found;
  };
  for (const [r, container] of [...containers])
    for (const other of graph.transitiveDependenciesOf(r)) {
      const step = steps.get(other);
      if (step === undefined || step.callsProvider || other === container || containers.has(other)) continue;
      if (neededBy(other).has(container)) containers.set(other, container);
    }
  return containers;
}
