/** Waiting that a signal can abort. */
import { defaultMaxListeners, getMaxListeners, setMaxListeners } from "node:events";

/** Resolves to false when the signal ends the sleep early. */
export function sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const end = (slept: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(slept);
    };
    const onAbort = () => end(false);
    const timer = setTimeout(end, ms, true);
    signal?.addEventListener("abort", onAbort);
  });
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
