/** The short form of `npm run chaos`. */
import { expect, it } from "vitest";
import { fc } from "../chance";
import { live, nothingYet, scenario } from "./campaign";

it("random programs, faults and kills leave what the program says, after a clean up", {
  timeout: 180_000,
}, async () => {
  const figures = nothingYet();
  await fc.assert(
    fc.asyncProperty(scenario, (life) => live(life, figures)),
    // A failure is reported as it occurred: to shrink it would take many more processes.
    { numRuns: 4, seed: 6, endOnFailure: true },
  );
  expect(figures.kills).toBeGreaterThan(0);
  expect(figures.faults).toBeGreaterThan(0);
});
