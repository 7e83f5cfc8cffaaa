/** Runs cleanup when this process ends, also by a signal. One listener serves all: from eleven listeners on, Node warns. */
import { constants } from "node:os";

const works = new Set<() => void>();
/** All of it, even if one fails. */
const doAll = (): void => {
  const failures = [...works].flatMap((work) => {
    try {
      work();
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (failures.length > 0) throw failures[0];
};

/** Of a signal that is not handled, Node dies without the event. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const end = (signal: NodeJS.Signals): void => {
  // Another listener decides what it means.
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
};

/** Returns what cancels it. */
export function atExit(work: () => void): () => void {
  if (works.size === 0) {
    process.on("exit", doAll);
    for (const signal of signals) process.on(signal, end);
  }
  works.add(work);
  return () => {
    works.delete(work);
    if (works.size > 0) return;
    process.off("exit", doAll);
    for (const signal of signals) process.off(signal, end);
  };
}
