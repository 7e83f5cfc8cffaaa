/**
 * Files that people would miss are either the old or the new one, whatever happens in between. By hand, since
 * write-file-atomic takes a write that a full disk cut short for a whole one, and puts half a file in place.
 */
import { randomBytes } from "node:crypto";
import { open, realpath, rename, rm, stat } from "node:fs/promises";

/**
 * Writes a file beside the old one, waits until the disk has all of it, and lets it take the place.
 * `mode`: permissions. Default: those of the old file, or the system's for a new one.
 * Throws the system's error; the old file is then as it was.
 */
export async function writeDurably(file: string, text: string, { mode }: { mode?: number } = {}): Promise<void> {
  // What a link leads to is written, the link stays.
  const target = await unlessAbsent(realpath(file), file);
  const permissions = mode ?? (await unlessAbsent(stat(target), undefined))?.mode;
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx", permissions);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function unlessAbsent<T>(found: Promise<T>, otherwise: T): Promise<T>;
async function unlessAbsent<T>(found: Promise<T>, otherwise: undefined): Promise<T | undefined>;
async function unlessAbsent<T>(found: Promise<T>, otherwise: T | undefined): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return otherwise;
    throw error;
  }
}
