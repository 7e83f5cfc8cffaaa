/** Keeps two services off one file: each would write its own data over the other's. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Files that services of this very process have open. */
const own = new Set<string>();

/** Milliseconds after which of two that found the same dead lock one must have overwritten the other's. */
const SETTLE = 50;

/** Takes the file for this process; answers how to give it back. A lock whose process is dead counts for nothing. */
export async function lock(file: string): Promise<() => void> {
  const path = `${resolve(file)}.lock`;
  if (own.has(path)) throw inUse(file, path, process.pid);
  own.add(path);
  try {
    await take(file, path);
  } catch (error) {
    own.delete(path);
    throw error;
  }
  return () => {
    own.delete(path);
    rmSync(path, { force: true });
  };
}

async function take(file: string, path: string): Promise<void> {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const holder = holderOf(path);
  if (holder !== process.pid && alive(holder)) throw inUse(file, path, holder);
  writeFileSync(path, `${process.pid}\n`);
  await wait(SETTLE);
  const winner = holderOf(path);
  if (winner !== process.pid) throw inUse(file, path, winner);
}

function holderOf(path: string): number {
  return Number(readFileSync(path, "utf8"));
}

function inUse(file: string, path: string, pid: number): Error {
  return new Error(
    `${file} is in use by the service of process ${pid}. Stop that one (or delete ${path} if it is none).`,
  );
}

function alive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
