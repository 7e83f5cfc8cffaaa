import type { PendingOperation, ResourceState } from "./state";

/** Everything a stack's state holds. */
export interface Deployment {
  resources: ResourceState[];
  pendingOperations: PendingOperation[];
  /** Fields of the deployment besides those above, kept as they are. */
  rest: Record<string, unknown>;
}
