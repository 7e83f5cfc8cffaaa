/**
 * What a run left open that was interrupted: it is not known whether it took place.
 *
 * Serves: `pending_operations` of the state.
 */

import type { Operation } from "../events";
import type { PendingOperation } from "../resource/state";
import type { Snapshot } from "./snapshot";

/**
 * What a run was changing or deleting when it was interrupted, by URN, and which of it. What waits for its deletion, since another
 * one took its place, is deleted again in any case.
 */
export const pendingOperationsByUrn = ({ pendingOperations }: Snapshot): Map<string, PendingOperation["type"]> =>
  new Map(
    pendingOperations.flatMap(({ type, resource }) =>
      type === "creating" || resource.delete ? [] : [[resource.urn, type]],
    ),
  );

/** What to tell before a run that does not refresh; undefined when nothing is open. */
export function pendingOperationsWarning(
  state: Snapshot,
  operation: Exclude<Operation, "preview">,
): string | undefined {
  // A creation stays on record until it is cleared, as the CLI keeps it; what is in the state by now is no question any more.
  const made = new Set(state.resources.map((r) => r.urn));
  const open = state.pendingOperations.filter((p) => p.type !== "creating" || !made.has(p.resource.urn));
  if (open.length === 0) return undefined;
  const lines = [...new Set(open.map((p) => `  ${p.resource.urn}, interrupted while ${p.type}`))];
  if (operation === "update" && open.some((p) => p.type !== "creating"))
    lines.push("What was being changed or deleted is looked at before this run touches it.");
  if (open.some((p) => p.type === "creating"))
    lines.push(
      "Look at the service for what was being created; `refresh --clear-pending-creates` forgets creations that did not happen.",
    );
  return `the last run was interrupted; it is not known whether these operations took place:\n${lines.join("\n")}`;
}
