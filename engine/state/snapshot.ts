import type { PendingOperation, ResourceState } from "../resource/resource-state";

/** Everything a stack's state holds. */
export interface Snapshot {
  resources: ResourceState[];
  pendingOperations: PendingOperation[];
  /** Fields of the deployment besides those above, kept as they are. */
  unknownFields: Record<string, unknown>;
}
