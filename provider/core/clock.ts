import { setTimeout as wait } from "node:timers/promises";

/** Time as the provider uses it, replaceable so that tests need not wait. */
export interface Clock {
  /** Milliseconds from an arbitrary start; never goes backwards. */
  now(): number;
  /** Time of day in milliseconds since 1970, for states and records. The user may set it back. */
  date(): number;
  /**
   * Waits. `what`: what is being waited for, to show to people if it takes long. `longest`: upper bound in milliseconds of the whole
   * wait, of which this sleep may be a part.
   */
  sleep(ms: number, what?: string, longest?: number): Promise<void>;
}

export const systemClock: Clock = {
  // Not Date.now(): the user may set that clock back.
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (ms) => wait(ms),
};
