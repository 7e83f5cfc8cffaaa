/** What a run waits for is shown, once for each wait that takes long. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endAfterLastWait, withWaitNotices } from "../../provider/reporting/wait-notices";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const setUp = () => {
  const lines: string[] = [];
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const clock = withWaitNotices(
    { now: () => now, date: () => now, sleep },
    (line) => lines.push(line),
    () => lines.push(""),
  );
  return { lines, clock };
};

it("says what is waited for, once, when it takes two seconds in all", async () => {
  const { lines, clock } = setUp();
  for (let n = 0; n < 19; n++) await clock.sleep(100, "the list", 5_000 - n * 100);
  expect(lines).toEqual([]);
  for (let n = 19; n < 50; n++) await clock.sleep(100, "the list", 5_000 - n * 100);
  expect(lines).toEqual(["waiting for the list, 3 s at most"]);
});

it("says it before a long sleep, and again for another wait", async () => {
  const { lines, clock } = setUp();
  const slept = clock.sleep(5_000, "the list");
  expect(lines).toEqual(["waiting for the list, 5 s at most"]);
  await slept;
  await clock.sleep(60_000);
  await clock.sleep(2_000, "the list");
  await clock.sleep(1_999, "another process");
  expect(lines).toEqual(["waiting for the list, 5 s at most", "waiting for the list, 2 s at most"]);
});

it("does not add up what waits at the same time", async () => {
  const { lines, clock } = setUp();
  await Promise.all(Array.from({ length: 100 }, () => clock.sleep(19, "the list")));
  expect(lines).toEqual([]);
});

it("says when it is over: once no sleep of the same has followed", async () => {
  const { lines, clock } = setUp();
  await clock.sleep(2_000, "the list");
  vi.advanceTimersByTime(999);
  await clock.sleep(100, "the list");
  vi.advanceTimersByTime(999);
  expect(lines).toEqual(["waiting for the list, 2 s at most"]);
  vi.advanceTimersByTime(1);
  await clock.sleep(2_000, "the list");
  expect(lines).toEqual(["waiting for the list, 2 s at most", "", "waiting for the list, 2 s at most"]);
});

it("of several that are shown in one place, the last one ends them", () => {
  const sent: string[] = [];
  const send = endAfterLastWait((notice) => sent.push(notice));
  for (const notice of ["a", "b", "", "c", "", "", "d", ""]) send(notice);
  expect(sent).toEqual(["a", "b", "c", "", "d", ""]);
});
