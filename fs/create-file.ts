import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs";
import { temporaryNameFor } from "./atomic-write";

/** Errors of file systems that have no hard links. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/**
 * Creates a file with its content at once, so that none reads it empty. False if it exists: of several processes, the first one's counts.
 * `mode`: its permissions. `flush`: it survives a power failure.
 */
export function createFile(path: string, content: string, options: { mode?: number; flush?: boolean } = {}): boolean {
  const temporary = temporaryNameFor(path);
  try {
    write(temporary, content, options);
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (!withoutLinks.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      write(path, content, options);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function write(path: string, content: string, { mode, flush = false }: { mode?: number; flush?: boolean }): void {
  const handle = openSync(path, "wx", mode);
  try {
    writeFileSync(handle, content);
    if (flush) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
