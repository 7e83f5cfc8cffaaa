import { AsyncResource } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { noticeableWait } from "../../sdk/request/waits";
import { waitGap } from "./time-limits";

/** Time, replaceable so that tests need not wait. */
export interface Clock {
  /** Milliseconds, never going back. */
  now(): number;
  /** The time of day in milliseconds since 1970, which states and records name. It may be set back. */
  date(): number;
  /**
   * `what`: what is waited for, to be shown to people where that takes long. `longest`: how long the whole wait takes at most from now on,
   * of which this may be a part, in milliseconds.
   */
  sleep(ms: number, what?: string, longest?: number): Promise<void>;
}

export const systemClock: Clock = {
  // Not the machine's clock, which may be set back.
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (ms) => wait(ms),
};

/**
 * A clock that shows what is waited for, once for each wait that takes long.
 * @param end called when that has ended, in the asynchronous context of the call that showed it
 */
export function announcing(clock: Clock, print: (line: string) => void, end: () => void): Clock {
  const waits = new Map<string, LongWait>();
  const begin = (what: string, ms: number, longest: number): LongWait => {
    const now = clock.now();
    const last = waits.get(what);
    const isSame = last !== undefined && now <= last.until + waitGap;
    const current: LongWait = isSame ? last : { since: now, until: now, sleeping: 0 };
    waits.set(what, current);
    current.until = Math.max(current.until, now + ms);
    if (current.end !== undefined || current.until - current.since < noticeableWait) return current;
    current.end = AsyncResource.bind(() => {
      // What comes later is another wait.
      current.until = Number.NEGATIVE_INFINITY;
      end();
    });
    print(`waiting for ${what}, ${Math.max(1, Math.round(longest / 1000))} s at most`);
    return current;
  };
  return {
    now: () => clock.now(),
    date: () => clock.date(),
    async sleep(ms, what, longest = ms) {
      if (what === undefined) return clock.sleep(ms);
      const current = begin(what, ms, longest);
      clearTimeout(current.timer);
      current.sleeping++;
      await clock.sleep(ms);
      current.sleeping--;
      // Another sleep of the same may follow: only its absence tells that this one was the last.
      if (current.sleeping === 0 && current.end !== undefined) current.timer = setTimeout(current.end, waitGap).unref();
    },
  };
}

interface LongWait {
  since: number;
  until: number;
  sleeping: number;
  /** Of one that is shown. */
  end?: () => void;
  timer?: NodeJS.Timeout;
}

/**
 * Where several waits are shown at a time, in one place: the empty notice is sent when the last of them has ended.
 * @param send gets each notice
 */
export function endingWithLast(send: (notice: string) => void): (notice: string) => void {
  let shown = 0;
  return (notice) => {
    shown += notice === "" ? -1 : 1;
    if (notice !== "" || shown === 0) send(notice);
  };
}
