import type { openProject } from "../index";
import { replay } from "./recording";

/** Divided into parts, which run in parallel. */
export function replaySmooth(open?: typeof openProject): void {
  for (const scenario of ["check-and-diff", "config-and-secrets", "dynamic-resource", "explicit-providers"])
    replay(scenario, { open });
  for (const scenario of ["options", "refresh", "replace", "stack-reference"]) replay(scenario, { open });
}

/** What the others do as well, on their way to something else. */
export function replayBasics(open?: typeof openProject): void {
  replay("basics", { open });
}

export function replayTroubled(open?: typeof openProject): void {
  replay("by-hand", { open, refused: { 19: "has the option import" } });
  for (const scenario of ["failed-replace", "failed-replace-interrupted", "interrupted"]) replay(scenario, { open });
  // In step 26 the diff of one resource fails; whether another one was updated before that depends on timing.
  replay("failures", { open, leaveOut: [26] });
}
