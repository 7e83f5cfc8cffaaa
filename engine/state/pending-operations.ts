/**
 * Operations that an interrupted run left pending: their outcome is unknown.
 *
 * Used for: `pending_operations` of the state.
 */

import type { Operation } from "../events";
import type { PendingOperation } from "../resource/resource-state";
import type { Snapshot } from "./snapshot";

/** The updates and deletions that did not finish, by URN. An old version is deleted again in any case. */
export const pendingOperationsByUrn = ({ pendingOperations }: Snapshot): Map<string, PendingOperation["type"]> =>
  new Map(
    pendingOperations.flatMap(({ type, resource }) =>
      type === "creating" || resource.delete ? [] : [[resource.urn, type]],
    ),
  );

/** The warning before a run that does not refresh; undefined when nothing is pending. */
export function pendingOperationsWarning(
  state: Snapshot,
  operation: Exclude<Operation, "preview">,
): string | undefined {
  // The CLI keeps a create pending until a refresh, even if its resource is in the state by now.
  const existing = new Set(state.resources.map((r) => r.urn));
  const open = state.pendingOperations.filter((p) => p.type !== "creating" || !existing.has(p.resource.urn));
  if (open.length === 0) return undefined;
  const lines = [...new Set(open.map((p) => `  ${p.resource.urn}, interrupted while ${p.type}`))];
  if (operation === "update" && open.some((p) => p.type !== "creating"))
    lines.push("Resources that were being updated or deleted are read before they are changed.");
  if (open.some((p) => p.type === "creating"))
    lines.push(
      "This run repeats or looks up what was being created. If the next run still lists some, check the account, then run `refresh --clear-pending-creates`.",
    );
  return `the last deployment was interrupted. The outcome of these operations is unknown:\n${lines.join("\n")}`;
}
