/** The end of a program: when it has registered everything, and when its process has exited. */
import { ShuttingDown } from "../errors";
import type { RunningProgram } from "../plugin/language-host";
import type { Lifecycle } from "./operation-lifecycle";

/** How long a program that has registered everything may take to exit, in milliseconds. */
const PROGRAM_EXIT_TIMEOUT = 10_000;

/**
 * After a failure of the operation: how long a program may send no message, and how long it may take at most, in milliseconds. It may
 * have thrown an error of its own, which is on its way behind other messages: the SDK sends each one after the response to the last.
 * Why nothing better tells: `engine/decisions/compatibility.md`.
 */
const [QUIET_TIMEOUT, REPORT_TIMEOUT] = [250, 2_000];

/** Waits until the program has registered everything, which it may signal, or has ended, or the operation stops. */
export async function awaitRegistrations(
  { result }: RunningProgram,
  signalled: Promise<undefined>,
  lifecycle: Lifecycle,
): Promise<void> {
  const outcome = await Promise.race([result, signalled, lifecycle.untilStopped()]);
  if (outcome === undefined || outcome.ok) return;
  // The registered resources are completed, but nothing is deleted after a program that failed.
  await lifecycle.drain();
  lifecycle.fail(outcome.message);
  throw new ShuttingDown();
}

/**
 * A program that has ended, or has thrown an error, exits by itself; otherwise it is killed.
 *
 * @param lastMessage when the program sent its last message, as `performance.now()`
 */
export async function awaitExit(
  { result, kill }: RunningProgram,
  lifecycle: Lifecycle,
  lastMessage: () => number,
): Promise<void> {
  const start = performance.now();
  const deadline = () => {
    if (lifecycle.isCancelled) return start;
    if (!lifecycle.isStopped) return start + PROGRAM_EXIT_TIMEOUT;
    return Math.min(start + REPORT_TIMEOUT, Math.max(start, lastMessage()) + QUIET_TIMEOUT);
  };
  let timeout: NodeJS.Timeout;
  const killWhenDue = () => {
    const left = deadline() - performance.now();
    if (left <= 0) kill();
    else timeout = setTimeout(killWhenDue, left);
  };
  killWhenDue();
  const outcome = await result;
  clearTimeout(timeout!);
  if (!outcome.ok && !lifecycle.hasFailed && !lifecycle.isStopped) lifecycle.fail(outcome.message);
}
