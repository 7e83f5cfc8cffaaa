import type { PendingOperation, ResourceState } from "../resource/state";

/** Everything a stack's state holds. */
export interface Deployment {
  resources: ResourceState[];
  pendingOperations: PendingOperation[];
  /** Fields of the deployment besides those above, kept as they are. */
  rest: Record<string, unknown>;
}
