/** Creates of one run, in several processes, that claim one object at the same time. */
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import * as processes from "../../fs/process-identity";
import { claimExpiry } from "../../provider/core/time-limits";
import { Claims } from "../../provider/processes/claims";
import { SharedFolder } from "../../provider/processes/shared-folder";
import { temporaryFolder } from "../files";

vi.mock("../../fs/process-identity", { spy: true });

it.for([
  ["an ended run", 1],
  ["an ended run and its ended successor", 2],
] as const)("one of two has what %s of the same name left, however their steps alternate", ([_, runs]) => {
  const parent = temporaryFolder();
  const folder = new SharedFolder("claims", parent).path;
  for (let run = 0; run < runs; run++) {
    expect(new Claims("run", parent).claim("object")).toBe(true);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), JSON.stringify({ pid: -1 - run }));
  }
  // The second process takes all of its steps while the first one has read that the earlier process has ended.
  const [first, second] = [new Claims("run", parent), new Claims("run", parent)];
  let ofSecond: boolean | undefined;
  vi.mocked(processes.namesEndedProcess).mockImplementationOnce(() => {
    ofSecond = second.claim("object");
    return true;
  });
  expect([first.claim("object"), ofSecond]).toEqual([false, true]);
  // The one that has it releases it at its end, and a later one gets it.
  second.close();
  expect(new Claims("run", parent).claim("object")).toBe(true);
});

it("what an ended run left is kept for as long as its successor", () => {
  const parent = temporaryFolder();
  const folder = new SharedFolder("claims", parent).path;
  expect(new Claims("run", parent).claim("object")).toBe(true);
  const [left] = readdirSync(folder);
  writeFileSync(join(folder, left!), JSON.stringify({ pid: -1 }));
  const [first, later] = [new Claims("run", parent), new Claims("run", parent)];
  expect(first.claim("another object")).toBe(true);
  const madeAt = new Date(Date.now() - claimExpiry - 1000);
  utimesSync(join(folder, left!), madeAt, madeAt);
  expect(first.claim("object")).toBe(true);
  // It deletes first what has expired.
  expect(later.claim("object")).toBe(false);
});
