/**
 * The rules for a valid state; the CLI rejects any other. They are checked when a state is read and before each write, so that a
 * damaged state is never written.
 *
 * Used for: the checkpoint file, versions 3 and 4.
 */
import { createHash } from "node:crypto";
import { EngineError } from "../errors";
import { type ResourceState, referencesOf } from "../resource/resource-state";
import { isProviderType } from "../resource/urn";

/** The "magic" that belongs to a manifest's version. */
export const magicOf = (version: string): string =>
  version === "" ? "" : createHash("sha256").update(version).digest("hex");

/** The broken rules of a list of resources. */
function integrityErrors(resources: readonly ResourceState[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, number>();
  const providers = new Set<string>();
  const all = new Set(resources.map((r) => r.urn));
  const words = {
    parent: "parent",
    dependency: "dependency",
    property: "property dependency",
    deletedWith: "deletedWith",
    replaceWith: "replaceWith",
    provider: "provider",
  } as const;
  for (const [i, r] of resources.entries()) {
    if (!r.urn) problems.push(`resource ${i} has no URN`);
    if (!r.type) problems.push(`${r.urn} has no type`);
    if (!r.custom && r.id) problems.push(`${r.urn} is not a custom resource, but has an id`);
    if (isProviderType(r.type)) {
      if (!r.id) problems.push(`provider ${r.urn} has no id`);
      providers.add(`${r.urn}::${r.id}`);
    }
    if (r.provider && !providers.has(r.provider) && !r.pendingReplacement)
      problems.push(`${r.urn} refers to the provider ${r.provider}, which does not come before it`);
    for (const ref of referencesOf(r))
      if (!seen.has(ref.urn))
        problems.push(
          `the ${words[ref.kind]} ${ref.urn} of ${r.urn} ${all.has(ref.urn) ? "comes after it" : "is missing"}`,
        );
    seen.set(r.urn, (seen.get(r.urn) ?? 0) + (r.delete ? 0 : 1));
  }
  for (const [urn, living] of seen) if (living > 1) problems.push(`there are ${living} resources ${urn}`);
  return problems;
}

/** Which state is checked, and what to do if it is damaged. */
export interface StateSource {
  what: string;
  remedy: string;
}

/** A state that was read. */
export const readState = (what = "the state of the stack"): StateSource => ({
  what,
  remedy:
    "Go back to a backup (the .bak file beside the state, or its backups folder) or repair it with `pulumi state repair`",
});

/** A state that was about to be written. */
export const newState = (what: string): StateSource => ({ what, remedy: "The state is as it was" });

/** Throws, with all problems, if there are any. */
export function assertIntegrity(resources: readonly ResourceState[], origin: StateSource): void {
  throwIfAny(integrityErrors(resources), origin);
}

/** Throws, with all problems, if there are any. */
export function throwIfAny(problems: readonly string[], { what, remedy }: StateSource): void {
  if (problems.length === 0) return;
  throw new EngineError(
    `${what} is damaged and was not used: ${problems.slice(0, 5).join("; ")}${problems.length > 5 ? ` (and ${problems.length - 5} more)` : ""}. ${remedy}`,
    "integrity",
  );
}
