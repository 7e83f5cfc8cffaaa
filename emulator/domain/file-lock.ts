/** Keeps two emulators from using one file: each would overwrite the other's data. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { currentProcess, hasEnded, type ProcessReference } from "../../fs/process-identity";

/** Lock files that emulators of this process hold. */
const ownLocks = new Set<string>();

/** Milliseconds after which, of two processes that remove the same stale lock, the last writer is certain. */
const SETTLE = 50;

/** Locks the file for this process; returns how to release it. A stale lock is replaced. */
export async function lock(file: string): Promise<() => void> {
  const path = `${resolve(file)}.lock`;
  if (ownLocks.has(path)) throw inUseError(file, path, process.pid);
  ownLocks.add(path);
  try {
    await acquire(file, path);
  } catch (error) {
    ownLocks.delete(path);
    throw error;
  }
  let isHeld = true;
  return () => {
    // Only once: after that it may be another emulator's.
    if (!isHeld) return;
    isHeld = false;
    ownLocks.delete(path);
    rmSync(path, { force: true });
  };
}

async function acquire(file: string, path: string): Promise<void> {
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
  if (!isOld && !hasEnded(other) && JSON.stringify(other) !== own) throw inUseError(file, path, other.pid);
  writeFileSync(path, own);
  await wait(SETTLE);
  const winner = readHolder(path);
  if (JSON.stringify(winner) !== own) throw inUseError(file, path, winner.pid);
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

function inUseError(file: string, path: string, pid: number): Error {
  return new Error(
    `${file} is in use by another emulator (process ${pid}). Stop it, or delete ${path} if that process is not an emulator.`,
  );
}
