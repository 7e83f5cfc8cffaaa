/** Creates of one run, in several processes, that claim one object at the same time. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { claimExpiry } from "../../provider/core/time-limits";
import { Claims } from "../../provider/processes/claims";
import { SharedFolder } from "../../provider/processes/shared-folder";
import { temporaryFolder } from "../files";

/** Makes the claims of this process those of one that has ended. */
function end(folder: string, pid: number): void {
  for (const path of readdirSync(folder).map((name) => join(folder, name)))
    if (JSON.parse(readFileSync(path, "utf8")).pid === process.pid) writeFileSync(path, JSON.stringify({ pid }));
}
/** Beyond every process ID. */
const noPid = 2 ** 30;

it.for([
  ["an ended run", 1],
  ["an ended run and its ended successor", 2],
] as const)("one of two has what %s of the same name left, however their steps alternate", ([_, runs]) => {
  const parent = temporaryFolder();
  const folder = new SharedFolder("claims", parent).path;
  for (let run = 0; run < runs; run++) {
    expect(new Claims("run", parent).claim("object")).toBe(true);
    end(folder, noPid + run);
  }
  // The second process takes all of its steps while the first one has read that the earlier process has ended.
  const [first, second] = [new Claims("run", parent), new Claims("run", parent)];
  let ofSecond: boolean | undefined;
  const kill = vi.spyOn(process, "kill").mockImplementationOnce(() => {
    ofSecond = second.claim("object");
    throw Object.assign(new Error("no such process"), { code: "ESRCH" });
  });
  expect([first.claim("object"), ofSecond]).toEqual([false, true]);
  kill.mockRestore();
  // The one that has it releases it at its end, and a later one gets it.
  second.close();
  expect(new Claims("run", parent).claim("object")).toBe(true);
});

it("what an ended run left is kept for as long as its successor", () => {
  const parent = temporaryFolder();
  const folder = new SharedFolder("claims", parent).path;
  expect(new Claims("run", parent).claim("object")).toBe(true);
  const [left] = readdirSync(folder);
  end(folder, noPid);
  const [first, later] = [new Claims("run", parent), new Claims("run", parent)];
  expect(first.claim("another object")).toBe(true);
  const madeAt = new Date(Date.now() - claimExpiry - 1000);
  utimesSync(join(folder, left!), madeAt, madeAt);
  expect(first.claim("object")).toBe(true);
  // It deletes first what has expired.
  expect(later.claim("object")).toBe(false);
});

it("what a process has claimed is its own for as long as it goes on, also where another one of a long run begins later", () => {
  const parent = temporaryFolder();
  const folder = new SharedFolder("claims", parent).path;
  const first = new Claims("run", parent);
  expect(first.claim("object")).toBe(true);
  const long = new Date(Date.now() - 10 * claimExpiry);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), long, long);
  expect(new Claims("run", parent).claim("object")).toBe(false);
  // Of a process that cannot be known, as in another container that is gone, nothing is kept for ever.
  const [name] = readdirSync(folder);
  writeFileSync(join(folder, name!), "");
  utimesSync(join(folder, name!), long, long);
  expect(new Claims("run", parent).claim("object")).toBe(true);
});
