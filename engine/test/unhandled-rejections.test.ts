/** Unhandled rejections, in runs at the same time. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { failingOnRejections } from "../backend/unhandled-rejections";

/** A run of some milliseconds, with unhandled rejections at some times. */
function run(name: string, length: number, failsAfter: readonly number[] = []) {
  const failures: unknown[] = [];
  const done = failingOnRejections(
    (error) => failures.push((error as Error).message),
    async () => {
      for (const after of failsAfter)
        void sleep(after).then(() => {
          throw new Error(`${name} ${after}`);
        });
      await sleep(length);
      return name;
    },
  );
  return { failures, done };
}

it("fail the run that they are from, whichever began first", async () => {
  const runs = [run("first", 120, [20]), run("second", 120, [10, 40]), run("third", 120), run("fourth", 60, [30])];
  expect(await Promise.all(runs.map(({ done }) => done))).toEqual(["first", "second", "third", "fourth"]);
  expect(runs.map(({ failures }) => failures)).toEqual([["first 20"], ["second 10", "second 40"], [], ["fourth 30"]]);
});

it("are a warning after the end of their run, while others go on", async () => {
  const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
  const [other, short] = [run("other", 120), run("short", 10, [40])];
  await Promise.all([other.done, short.done]);
  expect([other.failures, short.failures]).toEqual([[], []]);
  expect((await warned).message).toBe("a run that has ended had a failure that nothing handled");
});

it("are a warning after the end of the first run, too, with others in progress or none", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on("warning", note);
  const [first, other] = [run("first", 10, [30, 90]), run("other", 60)];
  await Promise.all([first.done, other.done]);
  const late = () =>
    warnings.filter((message) => message === "a run that has ended had a failure that nothing handled");
  await vi.waitUntil(() => late().length === 2, { timeout: 10_000 });
  process.off("warning", note);
  expect([first.failures, other.failures]).toEqual([[], []]);
});
