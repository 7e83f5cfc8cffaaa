/** The argument `deletionProtection`, for resources whose deletion cannot be undone. */
import { Failure } from "../core/failure";
import type { Properties } from "../core/pulumi-values";

/** Throws unless the state has it off. */
export function assertUnprotected(state: Properties, whom: string): void {
  if (state.deletionProtection === false) return;
  throw new Failure(
    "ESIGN1040",
    `deletionProtection protects ${whom}`,
    "Set deletionProtection: false and run `up`, then delete it",
  );
}
