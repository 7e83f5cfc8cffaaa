/**
 * Rejections that nothing waits for, during runs: one fails the run that it is from, and no other. To follow where each promise comes from
 * costs time, so that a run that is alone is not followed: what is from nowhere is its.
 */
import { AsyncLocalStorage } from "node:async_hooks";

type Fail = (error: unknown) => void;

const followed = new AsyncLocalStorage<Fail>();
/** All runs in progress, and those of them that are not followed, of which there is one at most. */
const running = new Set<Fail>();
const alone = new Set<Fail>();

function onRejection(error: unknown): void {
  const own = followed.getStore();
  const fail = own ?? alone.values().next().value;
  // From no run: the process ends, as it would without any.
  if (fail === undefined) throw error;
  if (running.has(fail)) fail(error);
  // Other runs go on. What it says may be secret, and the filter of its run is gone.
  else process.emitWarning("a run that has ended had a failure that nothing waited for");
}

/** Does the work of a run. `fail` is called when a promise of it is rejected with nothing that waits for it. */
export async function failingOnRejections<T>(fail: Fail, work: () => Promise<T>): Promise<T> {
  if (running.size === 0) process.on("unhandledRejection", onRejection);
  const isAlone = running.size === 0;
  running.add(fail);
  if (isAlone) alone.add(fail);
  try {
    return await (isAlone ? work() : followed.run(fail, work));
  } finally {
    running.delete(fail);
    alone.delete(fail);
    if (running.size === 0) process.off("unhandledRejection", onRejection);
  }
}
