/**
 * Edits of a state by hand. Changes a deployment in memory, without calling a provider or writing a file.
 *
 * Used for: `state unprotect`, `protect`, `taint`, `untaint`, `rename` and `delete`.
 */

import { EngineError } from "../errors";
import { rewriteUrns } from "../resource/rename-urns";
import { type ResourceState, refersToAny } from "../resource/resource-state";
import { createUrn, isProviderType, projectOf, qualifiedType, stackOf } from "../resource/urn";
import type { Snapshot } from "./snapshot";

const notFound = (urn: string): EngineError =>
  new EngineError(`there is no resource ${urn} in the state of this stack`, "not-found");

/** Sets or clears a flag of resources; returns the number of changed ones. */
export function setFlag(snapshot: Snapshot, urns: string[] | "all", field: "protect" | "taint", on: boolean): number {
  if (urns !== "all") for (const urn of urns) if (!snapshot.resources.some((r) => r.urn === urn)) throw notFound(urn);
  const marked = snapshot.resources.filter(
    (r) =>
      (urns === "all" ? field === "protect" || canBeTainted(r) : urns.includes(r.urn)) && (r[field] === true) !== on,
  );
  for (const r of marked)
    if (on) r[field] = true;
    else delete r[field];
  return marked.length;
}

const canBeTainted = (r: ResourceState): boolean => r.custom && !isProviderType(r.type);

function assertOne(snapshot: Snapshot, urn: string): void {
  const count = snapshot.resources.filter((r) => r.urn === urn).length;
  if (count === 0) throw notFound(urn);
  if (count > 1)
    throw new EngineError(
      `there are ${count} resources ${urn}, old versions among them: run an update, which deletes those, first`,
    );
}

/** Renames a resource, as the program now names it, and all references to it. */
export function renameInState(snapshot: Snapshot, urn: string, name: string): void {
  assertOne(snapshot, urn);
  if (name === "") throw new EngineError(`the new name of ${urn} is empty`, "invalid");
  const to = createUrn(stackOf(urn), projectOf(urn), "", qualifiedType(urn), name);
  if (to === urn) return;
  if (snapshot.resources.some((r) => r.urn === to))
    throw new EngineError(`there is a resource ${to} already`, "invalid");
  snapshot.resources = snapshot.resources.map((r) => {
    const renamed = rewriteUrns(r, (u) => (u === urn ? to : u));
    return r.urn === urn ? renamed : withoutEmptyLists(renamed);
  });
  snapshot.pendingOperations = snapshot.pendingOperations.map((p) => ({
    ...p,
    resource: rewriteUrns(p.resource, (u) => (u === urn ? to : u)),
  }));
}

/** Removes empty lists, as a refresh and the CLI do; the next update restores them. */
function withoutEmptyLists({ propertyDependencies: lists, ...rest }: ResourceState): ResourceState {
  const filled = Object.entries(lists ?? {}).filter(([, urns]) => (urns ?? []).length > 0);
  return { ...rest, ...(filled.length > 0 && { propertyDependencies: Object.fromEntries(filled) }) } as ResourceState;
}

/** Removes a resource from the state, without deleting the object. */
export function deleteFromState(
  snapshot: Snapshot,
  urn: string,
  { force = false, targetDependents = false } = {},
): void {
  assertOne(snapshot, urn);
  const gone = new Set([urn]);
  for (const r of snapshot.resources) {
    if (!refersToAny(r, gone)) continue;
    if (!targetDependents)
      throw new EngineError(
        `${r.urn} depends on ${urn}: remove it from the state first, or remove its dependents too (--target-dependents)`,
      );
    gone.add(r.urn);
  }
  const guarded = snapshot.resources.find((r) => gone.has(r.urn) && r.protect);
  if (guarded !== undefined && !force)
    throw new EngineError(`${guarded.urn} is protected: unprotect it first, or force its removal from the state`);
  snapshot.resources = snapshot.resources.filter((r) => !gone.has(r.urn));
  snapshot.pendingOperations = snapshot.pendingOperations.filter((p) => !gone.has(p.resource.urn));
}
