/**
 * Edits of a state by hand. Nothing is called and nothing is written here: a deployment is changed in memory.
 *
 * Serves: `state unprotect`, `protect`, `taint`, `untaint` and `delete`.
 */
import { EngineError } from "./errors";
import { type Deployment, type ResourceState, referencesOf } from "./state";
import { isProviderType, providerUrnOf } from "./urn";

const missing = (urn: string): EngineError =>
  new EngineError(`there is no resource ${urn} in the state of this stack`, "not-found");

/** Sets or clears a flag of resources; says how many were changed. */
export function flag(d: Deployment, urns: string[] | "all", field: "protect" | "taint", on: boolean): number {
  if (urns !== "all") for (const urn of urns) if (!d.resources.some((r) => r.urn === urn)) throw missing(urn);
  const marked = d.resources.filter(
    (r) =>
      (urns === "all" ? field === "protect" || canBeTainted(r) : urns.includes(r.urn)) && (r[field] === true) !== on,
  );
  for (const r of marked)
    if (on) r[field] = true;
    else delete r[field];
  return marked.length;
}

const canBeTainted = (r: ResourceState): boolean => r.custom && !isProviderType(r.type);

/** Takes a resource out of the state, without deleting the object. */
export function forget(d: Deployment, urn: string, { force = false, targetDependents = false } = {}): void {
  const found = d.resources.filter((r) => r.urn === urn);
  if (found.length === 0) throw missing(urn);
  if (found.length > 1)
    throw new EngineError(
      `there are ${found.length} resources ${urn}, old versions among them: run an update, which deletes those, first`,
    );
  const gone = new Set([urn]);
  for (const r of d.resources) {
    const depends =
      referencesOf(r).some((ref) => gone.has(ref.urn)) ||
      (r.provider !== undefined && gone.has(providerUrnOf(r.provider)));
    if (!depends) continue;
    if (!targetDependents)
      throw new EngineError(
        `${r.urn} depends on ${urn}: forget it first, or forget what depends on it, too (--target-dependents)`,
      );
    gone.add(r.urn);
  }
  const guarded = d.resources.find((r) => gone.has(r.urn) && r.protect);
  if (guarded !== undefined && !force)
    throw new EngineError(`${guarded.urn} is protected: unprotect it first, or force its removal from the state`);
  d.resources = d.resources.filter((r) => !gone.has(r.urn));
}
