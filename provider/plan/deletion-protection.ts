/** What is protected from its deletion, and how that ends: by the argument `deletionProtection`, or by the engine's option `protect`. */
import { Failure } from "../core/failure";
import type { Properties } from "../core/pulumi-values";
import { hasDeletionProtection, type ResourceDefinition } from "../core/resource-definition";

/** Why a plan does not delete what the engine protects. */
export function whyProtected(definition: ResourceDefinition, isAdoptedByOther = false): string {
  if (isAdoptedByOther)
    return "protected, and another resource adopts it. If you renamed it, add an alias (option `aliases`; for a renamed folder, in company.yaml)";
  const option = hasDeletionProtection(definition) ? "deletionProtection" : "protect";
  return `protected; set ${option}: false and run \`up\` first`;
}

/** Throws unless the state has `deletionProtection` off. */
export function assertUnprotected(state: Properties, whom: string): void {
  if (state.deletionProtection === false) return;
  throw new Failure("ESIGN1040", `deletionProtection protects ${whom}`);
}
