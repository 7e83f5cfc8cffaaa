/** Notices of what the provider waits for long. The waits of calls: `sdk/request/announce-waits.ts`. */
import { AsyncResource } from "node:async_hooks";
import { noticeableWait } from "../../sdk/request/announce-waits";
import type { Clock } from "../core/clock";
import { waitGap } from "../core/time-limits";

/**
 * A clock that prints each long wait once, with what is being waited for.
 * @param end called when that wait has ended, in the asynchronous context of the call that printed it
 */
export function withWaitNotices(clock: Clock, print: (line: string) => void, end: () => void): Clock {
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
      // A later sleep starts a new wait.
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
      // The same wait may continue with another sleep. It has ended only if none follows for `waitGap`.
      if (current.sleeping === 0 && current.end !== undefined) current.timer = setTimeout(current.end, waitGap).unref();
    },
  };
}

interface LongWait {
  since: number;
  until: number;
  sleeping: number;
  /** Set if the wait was printed. */
  end?: () => void;
  timer?: NodeJS.Timeout;
}

/**
 * For displays that show several waits in one place: passes on the notices, and the empty notice only after the last wait has ended.
 * @param send called with each notice
 */
export function endAfterLastWait(send: (notice: string) => void): (notice: string) => void {
  let shown = 0;
  return (notice) => {
    shown += notice === "" ? -1 : 1;
    if (notice !== "" || shown === 0) send(notice);
  };
}
