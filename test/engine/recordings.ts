import { replay } from "./recording";

/** All that were made, for each way to run them. */
export function replayAll(): void {
  for (const scenario of [
    "basics",
    "check-and-diff",
    "config-and-secrets",
    "dynamic-resource",
    "explicit-providers",
    "failed-replace",
    "failed-replace-interrupted",
    "interrupted",
    "options",
    "refresh",
    "replace",
    "stack-reference",
  ])
    replay(scenario);
  replay("by-hand", { refused: { 19: "has the option import" } });
  // In step 26 the diff of one resource fails; whether another one was updated before that is chance.
  replay("failures", { leaveOut: [26] });
}
