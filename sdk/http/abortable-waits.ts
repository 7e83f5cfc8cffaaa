/**
 * Waiting that a signal can abort. By listeners on the signal itself: with Node 20, a signal of `AbortSignal.any` no longer fires when
 * a timeout among its sources was garbage-collected.
 */
import { defaultMaxListeners, getMaxListeners, setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";

/** Milliseconds of the longest timer: one for longer would end at once. */
export const longestTimer = 0x7fffffff;

/** Resolves to false when the signal ends the sleep early. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
  const wait = (part: number) => setTimeout(part, true, { signal }).catch(() => false);
  let left = ms;
  for (; left > longestTimer; left -= longestTimer) if (!(await wait(longestTimer))) return false;
  return wait(left);
}

/** Resolves like the promise, or to undefined as soon as the signal aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return promise;
  return new Promise<T | undefined>((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** One signal may abort many calls at once: no leak, though Node warns of one at the eleventh listener. */
export function raiseListenerLimit(signal: AbortSignal): void {
  try {
    // Not 0, which would mean the same: with it Node no longer recognizes the signal.
    if (getMaxListeners(signal) === defaultMaxListeners) setMaxListeners(Number.POSITIVE_INFINITY, signal);
  } catch {
    // Not one of Node's signals, or its owner has set the limit to 0.
  }
}
