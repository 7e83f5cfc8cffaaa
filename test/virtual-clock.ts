/**
 * The time of the provider and of the emulators in a test's process. It goes by the machine's clock, and ahead to the end of a sleep as soon
 * as nothing else is in progress in the process: a wait costs a millisecond, however long it is, and while requests are sent and answered
 * nothing expires earlier than it would for users.
 */
import { promisify } from "node:util";
import type { Clock } from "../provider/core/clock";

// The machine's own, also while a test has replaced them by fake ones: sleeps that an earlier test left are still watched then.
const wait = promisify(setTimeout);
const nextTurn = promisify(setImmediate);
const machineTime = performance.now.bind(performance);
const machineDate = Date.now;
const nodeTiming = performance.nodeTiming as unknown as { uvMetricsInfo: { events: number } };

/** By how many milliseconds it is ahead of the machine's clock. */
let ahead = 0;
const sleepers = new Set<{ until: number; wake: () => void }>();
let isWatching = false;

export const virtualClock: Clock = {
  now: () => machineTime() + ahead,
  date: () => machineDate() + ahead,
  sleep: (ms) =>
    new Promise((wake) => {
      sleepers.add({ until: virtualClock.now() + ms, wake });
      if (!isWatching) void wakeSleepers();
    }),
};

async function wakeSleepers(): Promise<void> {
  isWatching = true;
  while (sleepers.size > 0) {
    if (await isQuiet()) {
      const next = Math.min(...[...sleepers].map(({ until }) => until));
      ahead += Math.max(0, next - virtualClock.now());
    }
    for (const sleeper of sleepers) {
      if (sleeper.until > virtualClock.now()) continue;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
  isWatching = false;
}

/**
 * True if for a millisecond nothing has reached the process, and it waits for no file, name or connection. Both ends of a request are in
 * the process: of one that is not held, something arrives at once, also on a busy machine, where this takes as much longer.
 */
async function isQuiet(): Promise<boolean> {
  const before = events();
  await wait(1);
  // Reads what has arrived meanwhile.
  await nextTurn();
  await nextTurn();
  return events() === before && !process.getActiveResourcesInfo().some((name) => /Req|ConnectWrap/.test(name));
}

/** How many events of the operating system the process has read, without timers. */
function events(): number {
  return nodeTiming.uvMetricsInfo.events;
}
