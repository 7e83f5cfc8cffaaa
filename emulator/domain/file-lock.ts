/** Keeps two services off one file: each would write its own data over the other's. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { currentProcess, hasEnded, type ProcessReference } from "../../fs/process-identity";

/** Files that services of this very process have open. */
const openHere = new Set<string>();

/** Milliseconds after which of two that found the same dead lock one must have overwritten the other's. */
const SETTLE = 50;

/** Takes the file for this process; answers how to give it back. A lock whose process is dead counts for nothing. */
export async function lock(file: string): Promise<() => void> {
  const path = `${resolve(file)}.lock`;
  if (openHere.has(path)) throw inUseError(file, path, process.pid);
  openHere.add(path);
  try {
    await acquire(file, path);
  } catch (error) {
    openHere.delete(path);
    throw error;
  }
  let held = true;
  return () => {
    // Given back once: then it may be another service's.
    if (!held) return;
    held = false;
    openHere.delete(path);
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
  // With our number and nothing more it was written before this process began.
  const isOld = other.pid === process.pid && other.life === undefined;
  if (!isOld && !hasEnded(other) && JSON.stringify(other) !== own) throw inUseError(file, path, other.pid);
  writeFileSync(path, own);
  await wait(SETTLE);
  const winner = readHolder(path);
  if (JSON.stringify(winner) !== own) throw inUseError(file, path, winner.pid);
}

/** Nobody's, when the file cannot be understood. */
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
    `${file} is in use by the service of process ${pid}. Stop that one (or delete ${path} if it is none).`,
  );
}
