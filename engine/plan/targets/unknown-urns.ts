/** URNs that an operation names and that neither the stack nor the program has. */
import type { PlanState } from "../plan-state";
import { PlanFailure } from "../step";

export function rejectUnknownUrns(plan: PlanState, urns: readonly string[]): void {
  const unknown = urns.filter((urn) => plan.isUnknownUrn(urn));
  if (unknown.length === 0) return;
  throw new PlanFailure(
    `no such resource in the stack or the program: ${unknown.join(", ")}. \`stack resources --json\` lists the URNs`,
  );
}
