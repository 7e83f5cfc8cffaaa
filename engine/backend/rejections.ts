/**
 * Rejections that nothing waits for, during runs: one fails the run that it is from, and no other. To follow where each promise comes from
 * costs time, so that a run that is alone is not followed: what is from nowhere is its. What is left of a run may fail after it: from the
 * first run on the process is not ended by that.
 */
import { AsyncLocalStorage } from "node:async_hooks";

type Fail = (error: unknown) => void;

const followed = new AsyncLocalStorage<Fail>();
/** The runs in progress. */
const running = new Set<Fail>();
/** That of them which is not followed. */
let alone: Fail | undefined;

function onRejection(error: unknown): void {
  const fail = followed.getStore() ?? alone;
  if (fail !== undefined && running.has(fail)) fail(error);
  // Other runs go on. What it says may be secret, and the filter of its run is gone.
  else process.emitWarning("a run that has ended had a failure that nothing waited for");
}

/** Does the work of a run. `fail` is called when a promise of it is rejected with nothing that waits for it. */
export async function failingOnRejections<T>(fail: Fail, work: () => Promise<T>): Promise<T> {
  if (!process.listeners("unhandledRejection").includes(onRejection)) process.on("unhandledRejection", onRejection);
  const isAlone = running.size === 0;
  running.add(fail);
  if (isAlone) alone = fail;
  try {
    return await (isAlone ? work() : followed.run(fail, work));
  } finally {
    running.delete(fail);
    if (isAlone) alone = undefined;
  }
}
