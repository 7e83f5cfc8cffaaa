/** Keeps two processes from writing one file: each would overwrite the data of the other. */
import { readFileSync, rmSync, statSync } from "node:fs";
import { uptime } from "node:os";
import { resolve } from "node:path";
import { createFile } from "./create-file";
import { currentProcess, hasEnded, type ProcessReference } from "./process-identity";

/** Makes the error for a file that another process, or this one, has locked; without a PID where the lock does not name it. */
type InUse = (pid: number | undefined, lockPath: string) => Error;

/** Milliseconds after which a lock without content is of no process: writing it takes less than one. */
const emptyExpiry = 60_000;

/**
 * Locks the file for this process, before it is opened; returns how to release it. A lock whose process has ended is replaced; one of
 * another container on this machine counts as held.
 */
export function lock(file: string, inUse: InUse): () => void {
  const path = `${resolve(file)}.lock`;
  if (!make(path)) replaceStale(path, inUse);
  let isHeld = true;
  return () => {
    // Only once: after that it may be another one's.
    if (!isHeld) return;
    isHeld = false;
    rmSync(path, { force: true });
  };
}

/** Only one process at a time replaces a lock: a second one would remove the lock that the first has just made. */
function replaceStale(path: string, inUse: InUse): void {
  assertStale(path, inUse);
  const replacing = `${path}.replace`;
  if (!make(replacing)) throw inUse(readHolder(replacing)?.pid, replacing);
  try {
    assertStale(path, inUse);
    rmSync(path, { force: true });
    if (!make(path)) throw inUse(readHolder(path)?.pid, path);
  } finally {
    rmSync(replacing, { force: true });
  }
}

function assertStale(path: string, inUse: InUse): void {
  const holder = readHolder(path);
  const isStale = holder === undefined ? isAbandoned(path) : hasEnded(holder) || isOfEarlierProcess(holder);
  if (!isStale) throw inUse(holder?.pid, path);
}

/** Where no start times are known, this process's PID in a file is that of an earlier one: this one has no lock there. */
const isOfEarlierProcess = ({ pid, life }: ProcessReference) => pid === process.pid && life === undefined;

const make = (path: string): boolean => createFile(path, JSON.stringify(currentProcess()));

/** Undefined if the file cannot be parsed: it is being written, or a power failure has emptied it. */
function readHolder(path: string): ProcessReference | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, "utf8")) as ProcessReference;
    return Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** True for a lock that is gone, and for one without content that is not being written: not since the machine was started. */
function isAbandoned(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  const age = file && Date.now() - file.mtimeMs;
  return age === undefined || age > Math.min(emptyExpiry, uptime() * 1_000);
}
