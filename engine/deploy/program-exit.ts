/** The end of a program: when it has registered everything, and when its process has exited. */
import { ShuttingDown } from "../errors";
import type { RunningProgram } from "../plugin/language-host";
import type { Lifecycle } from "./operation-lifecycle";

/** How long a program that has registered everything may take to exit, in milliseconds. */
const PROGRAM_EXIT_TIMEOUT = 10_000;

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

/** A successful program exits by itself; otherwise it is killed. */
export async function awaitExit({ result, kill }: RunningProgram, lifecycle: Lifecycle): Promise<void> {
  const timeout = setTimeout(kill, lifecycle.isStopped ? 0 : PROGRAM_EXIT_TIMEOUT);
  const outcome = await result;
  clearTimeout(timeout);
  if (!outcome.ok && !lifecycle.hasFailed && !lifecycle.isStopped) lifecycle.fail(outcome.message);
}
