/** Announces long waits of calls, so that a program does not look stuck. What the provider waits for: `provider/reporting/wait-notices.ts`. */
import type { WaitEvent } from "../options";

/** Milliseconds from which a wait is reported. */
export const noticeableWait = 2_000;
/** Milliseconds between two announcements of the same: many calls wait for it. */
const repeatAfter = 10_000;

const belowLimit = "`requestsPerSecond` stays below a limit";
const ends: Record<WaitEvent["reason"], (seconds: number, isThrottled: boolean) => string> = {
  turn: () => "other processes use the shared limit (`waitForTurn`; --requests-per-second of `esign fleet`)",
  response: (seconds) =>
    Number.isFinite(seconds) ? `waiting another ${seconds} s (\`timeout\`)` : "waiting until it comes (`timeout`)",
  retry: (seconds, isThrottled) =>
    `the next attempt follows in ${seconds} s (${isThrottled ? belowLimit : "`retries`"})`,
  queue: (seconds) =>
    `as fast as responses come now, for ${seconds} s (\`requestsPerSecond\`, \`maxConcurrency\`, and what the service allows)`,
  throttling: (seconds) => `this call waits for ${seconds} s (${belowLimit})`,
};

/** `remaining`: in milliseconds; undefined where it is not known. */
export interface Wait {
  reason: WaitEvent["reason"];
  remaining: number | undefined;
  cause: string;
  /** Of a retry: fewer requests would have been answered. */
  isThrottled?: boolean;
}

export function waitEvent(operation: string, wait: Wait, ended: Promise<void>): WaitEvent {
  const { reason, remaining, cause, isThrottled = false } = wait;
  const end = ends[reason](Math.max(1, Math.round((remaining ?? 0) / 1000)), isThrottled);
  return {
    operation,
    reason,
    ...(Number.isFinite(remaining) && { remaining: remaining! }),
    message: `${operation}: ${cause}; ${end}`,
    ended,
  };
}

/**
 * An `onWait` that shows people what is waited for: one call of those that wait for the same.
 * @param end called for each printed wait when it has ended, in the asynchronous context of its call
 */
export function announceWaits(
  print: (line: string) => void,
  end: () => void = () => {},
  now = () => performance.now(),
): (event: WaitEvent) => void {
  const waits = new Map<string, { shownAt: number; calls: number }>();
  return ({ operation, reason, message, ended }) => {
    // The others are of the key, whatever is called.
    const what = reason === "response" || reason === "retry" ? `${reason} ${operation}` : reason;
    const wait = waits.get(what) ?? { shownAt: Number.NEGATIVE_INFINITY, calls: 0 };
    waits.set(what, wait);
    wait.calls++;
    // What comes later is another wait.
    void ended.then(() => --wait.calls === 0 && waits.delete(what));
    if (now() - wait.shownAt < repeatAfter) return;
    wait.shownAt = now();
    print(message);
    void ended.then(end);
  };
}
