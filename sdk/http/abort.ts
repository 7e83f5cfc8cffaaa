/** Waiting that a caller's signal ends. */
import { defaultMaxListeners, getMaxListeners, setMaxListeners } from "node:events";

/** Sleeps; false when the signal ended the sleep. */
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

/** What the promise resolves to, or undefined as soon as the signal says so. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return promise;
  return new Promise<T | undefined>((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** One signal may end many calls at once. That is no leak, though Node would warn of one at the eleventh listener. */
export function bearMany(signal: AbortSignal): void {
  try {
    // Not 0, which means the same: with that, Node does not take the signal for one any more.
    if (getMaxListeners(signal) === defaultMaxListeners) setMaxListeners(Number.POSITIVE_INFINITY, signal);
  } catch {
    // A signal of another kind, or one that its owner has set to 0.
  }
}
