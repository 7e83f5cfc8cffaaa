/** What a test reads of a run's events. */
import { expect, test } from "vitest";
import type { RunEvent } from "../../testing/run-esign";
import { summarize } from "../../testing/test-stack";

const end = (account?: RunEvent["account"]): RunEvent => ({
  type: "end",
  result: { preview: true },
  ...(account && { account }),
});

test.each([
  ["exactly 0", [end({ writes: 0 })], 0],
  ["exactly 2", [end({ writes: 2 })], 2],
  ["no resource of an account", [end()], 0],
  ["at most 3", [end({ writes: { least: 0, most: 3 } })], 3],
  ["the update after its preview", [end({ writes: 5 }), end({ writes: 1 })], 1],
])("writes that are known are a number: %s", (_, events, writes) => {
  expect(summarize(events).writes).toBe(writes);
});

test.each([
  ["nothing is known", [end({ writes: { least: 0 } })]],
  ["at least 2", [end({ writes: { least: 2 } })]],
  ["the run has no end", []],
])("writes that are not known are not 0: %s", (_, events) => {
  expect(summarize(events).writes).toBeUndefined();
});
