import { setTimeout as wait } from "node:timers/promises";

/** Time, replaceable so that tests need not wait. */
export interface Clock {
  /** Milliseconds, never going back. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  // Not the machine's clock, which may be set back.
  now: () => performance.now(),
  sleep: (ms) => wait(ms),
};
