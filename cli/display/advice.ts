/** What to do after a plan: about conflicts, and about what was not read. */
import type { Operation } from "../../engine/events";
import type { Counts } from "./summary";

/** Above a plan with --offline. */
export const offlineNotice = "The account was not read: these are operations on the stack's state.";

/** What a plan did not look at, and what to do about what stops it. */
export function adviceLines({ shown }: Pick<Counts, "shown">, operation: Operation, refreshed: boolean): string[] {
  if (shown.conflict)
    return [
      "To continue, run `esign refresh`: it reads the changes into the state, and the next plan shows what `up` overwrites.",
      "To always keep the declared values: `esign config set esign:onConflict overwrite`.",
    ];
  const { same = 0, ...others } = shown;
  const comparesState = (operation === "preview" || operation === "update") && !refreshed;
  if (!comparesState || same === 0 || Object.values(others).some(Boolean)) return [];
  return ["Compared with the state only. To find what has changed in the account since: `esign drift`, or --refresh."];
}
