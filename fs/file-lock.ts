/** Keeps two processes from writing one file: each would overwrite the data of the other. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { currentProcess, hasEnded, type ProcessReference } from "./process-identity";

/** Lock files that this process holds. */
const ownLocks = new Set<string>();

/** Milliseconds after which, of two processes that remove the same stale lock, the last writer is certain. */
const SETTLE = 50;

/** Makes the error for a file that another process, or this one, has locked. */
type InUse = (pid: number, lockPath: string) => Error;

/**
 * Locks the file for this process, before it is opened; returns how to release it. A stale lock is replaced; one of another container
 * on this machine counts as held.
 */
export async function lock(file: string, inUse: InUse): Promise<() => void> {
  const path = `${resolve(file)}.lock`;
  if (ownLocks.has(path)) throw inUse(process.pid, path);
  ownLocks.add(path);
  try {
    await acquire(path, inUse);
  } catch (error) {
    ownLocks.delete(path);
    throw error;
  }
  let isHeld = true;
  return () => {
    // Only once: after that it may be another one's.
    if (!isHeld) return;
    isHeld = false;
    ownLocks.delete(path);
    rmSync(path, { force: true });
  };
}

async function acquire(path: string, inUse: InUse): Promise<void> {
  const own = JSON.stringify(currentProcess());
  try {
    writeFileSync(path, own, { flag: "wx" });
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const other = readHolder(path);
  // This process's PID without a start time was written before this process started.
  const isOld = other.pid === process.pid && other.life === undefined;
  if (!isOld && !hasEnded(other) && JSON.stringify(other) !== own) throw inUse(other.pid, path);
  writeFileSync(path, own);
  await wait(SETTLE);
  const winner = readHolder(path);
  if (JSON.stringify(winner) !== own) throw inUse(winner.pid, path);
}

/** PID 0, which is no process, if the file cannot be parsed. */
function readHolder(path: string): ProcessReference {
  try {
    const content = JSON.parse(readFileSync(path, "utf8")) as ProcessReference | number;
    return typeof content === "number" ? { pid: content } : content;
  } catch {
    return { pid: 0 };
  }
}
