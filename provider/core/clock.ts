import { setTimeout as wait } from "node:timers/promises";
import { noticeableWait } from "../../sdk/request/waits";

/** Time, replaceable so that tests need not wait. */
export interface Clock {
  /** Milliseconds, never going back. */
  now(): number;
  /**
   * `what`: what is waited for, to be shown to people where that takes long. `longest`: how long the whole wait takes at most from now on,
   * of which this may be a part, in milliseconds.
   */
  sleep(ms: number, what?: string, longest?: number): Promise<void>;
}

export const systemClock: Clock = {
  // Not the machine's clock, which may be set back.
  now: () => performance.now(),
  sleep: (ms) => wait(ms),
};

/** Sleeps of one reason within this time of each other are one wait. */
const pause = 1_000;

/** A clock that shows what is waited for, once for each wait that takes long. */
export function announcing(clock: Clock, print: (line: string) => void): Clock {
  const waits = new Map<string, { since: number; until: number; isShown: boolean }>();
  const note = (what: string, ms: number, longest: number) => {
    const now = clock.now();
    const last = waits.get(what);
    const current = last !== undefined && now <= last.until + pause ? last : { since: now, until: now, isShown: false };
    waits.set(what, current);
    current.until = Math.max(current.until, now + ms);
    if (current.isShown || current.until - current.since < noticeableWait) return;
    current.isShown = true;
    print(`waiting for ${what}, ${Math.max(1, Math.round(longest / 1000))} s at most`);
  };
  return {
    now: () => clock.now(),
    sleep: (ms, what, longest = ms) => {
      if (what !== undefined) note(what, ms, longest);
      return clock.sleep(ms);
    },
  };
}
