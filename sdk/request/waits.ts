/** What a call says while it waits: programs that take long without a word look as if they hung. */
import type { WaitEvent } from "../options";

/** Milliseconds from which a wait is reported. */
export const noticeableWait = 2_000;
/** Milliseconds between two announcements of one reason: many calls wait for the same. */
const repeatAfter = 10_000;

const ends: Record<WaitEvent["reason"], (seconds: number) => string> = {
  response: (seconds) => `it is awaited for another ${seconds} s (\`timeout\`)`,
  retry: (seconds) => `the next attempt follows in ${seconds} s (\`retries\`)`,
  queue: (seconds) =>
    `as fast as responses come now, for ${seconds} s (\`requestsPerSecond\`, \`maxConcurrency\`, and what the service allows)`,
  throttling: (seconds) => `this call waits for ${seconds} s (\`requestsPerSecond\` stays below a limit)`,
};

export function waitEvent(operation: string, reason: WaitEvent["reason"], remaining: number, cause: string): WaitEvent {
  const end = ends[reason](Math.max(1, Math.round(remaining / 1000)));
  const start = cause.startsWith(`${operation}: `) ? cause : `${operation}: ${cause}`;
  return { operation, reason, remaining, message: `${start}; ${end}` };
}

/** An `onWait` that shows people what is waited for: one call of those that wait for the same reason. */
export function announceWaits(print: (line: string) => void, now = () => performance.now()) {
  const shown = new Map<WaitEvent["reason"], number>();
  return ({ reason, message }: WaitEvent): void => {
    const last = shown.get(reason);
    if (last !== undefined && now() - last < repeatAfter) return;
    shown.set(reason, now());
    print(message);
  };
}
