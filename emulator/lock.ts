/** Keeps two services off one file: each would write its own data over the other's. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** Files that services of this very process have open. */
const own = new Set<string>();

/** Takes the file for this process; answers how to give it back. A lock whose process is dead counts for nothing. */
export function lock(file: string): () => void {
  const path = `${resolve(file)}.lock`;
  if (own.has(path)) throw inUse(file, path, process.pid);
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const holder = Number(readFileSync(path, "utf8"));
    if (holder !== process.pid && alive(holder)) throw inUse(file, path, holder);
    writeFileSync(path, `${process.pid}\n`);
  }
  own.add(path);
  return () => {
    own.delete(path);
    rmSync(path, { force: true });
  };
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
