import { afterEach, expect, it, vi } from "vitest";
import { virtualClock } from "../virtual-clock";

afterEach(() => void vi.useRealTimers());

it("goes ahead to the end of a sleep", async () => {
  const begin = performance.now();
  const start = virtualClock.now();
  await virtualClock.sleep(3_600_000);
  expect(virtualClock.now() - start).toBeGreaterThanOrEqual(3_600_000);
  expect(performance.now() - begin).toBeLessThan(3_600_000);
});

it("goes on beside fake timers of another test", async () => {
  const slept = virtualClock.sleep(60_000);
  vi.useFakeTimers();
  await slept;
  await virtualClock.sleep(60_000);
});
