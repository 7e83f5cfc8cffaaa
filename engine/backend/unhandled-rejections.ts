/**
 * Promise rejections that nothing handles. During runs, each fails only the run that it comes from. Tracking the origin of promises costs
 * time, so a run that begins while no other is active is not tracked: a rejection without an origin belongs to it. Leftovers of a run may
 * also fail after its end: once a run has started, an unhandled rejection no longer ends the process.
 */
import { AsyncLocalStorage } from "node:async_hooks";

type Fail = (error: unknown) => void;

/** The tracked run to which the code that is executing belongs. */
const currentRun = new AsyncLocalStorage<Fail>();
/** The runs in progress. */
const running = new Set<Fail>();
/** The one of them that is not tracked. */
let untrackedRun: Fail | undefined;

function onRejection(error: unknown): void {
  const fail = currentRun.getStore() ?? untrackedRun;
  if (fail !== undefined && running.has(fail)) fail(error);
  // Other runs continue. The message may contain a secret, and its run's filter no longer exists, so it is not printed.
  else process.emitWarning("a run that has ended had a failure that nothing handled");
}

/** Executes the task of a run. `fail` is called when one of its promises is rejected and nothing handles it. */
export async function failingOnRejections<T>(fail: Fail, work: () => Promise<T>): Promise<T> {
  if (!process.listeners("unhandledRejection").includes(onRejection)) process.on("unhandledRejection", onRejection);
  const isTracked = running.size > 0;
  running.add(fail);
  if (!isTracked) untrackedRun = fail;
  try {
    return await (isTracked ? currentRun.run(fail, work) : work());
  } finally {
    running.delete(fail);
    if (!isTracked) untrackedRun = undefined;
  }
}
