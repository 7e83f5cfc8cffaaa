import { replay } from "./recording";

/** In parts, which run side by side. */
export function replaySmooth(): void {
  for (const scenario of ["basics", "check-and-diff", "config-and-secrets", "dynamic-resource", "explicit-providers"])
    replay(scenario);
  for (const scenario of ["options", "refresh", "replace", "stack-reference"]) replay(scenario);
}

export function replayTroubled(): void {
  replay("by-hand", { refused: { 19: "has the option import" } });
  for (const scenario of ["failed-replace", "failed-replace-interrupted", "interrupted"]) replay(scenario);
  // In step 26 the diff of one resource fails; whether another one was updated before that is chance.
  replay("failures", { leaveOut: [26] });
}
