/** Files that are either the old or the new one, whatever happens in between. */
import { copyFile, link, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import writeFileAtomic from "write-file-atomic";

/** The text of a file; undefined if there is none. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The names in a folder; none if there is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Writes a file beside the old one, waits until the disk has it, and lets it take the place. */
export async function writeDurably(file: string, data: string | Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFileAtomic(file, data, { fsync: true });
}

/** Makes `to` what `from` is now, without ever being without a `to`. */
export async function keepCopy(from: string, to: string): Promise<void> {
  const temporary = `${to}.${process.pid}.tmp`;
  await rm(temporary, { force: true });
  try {
    // A name for the same bytes; they stay when `from` is replaced. Much cheaper than copying them.
    await link(from, temporary);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return;
    await copyFile(from, temporary);
  }
  await rename(temporary, to);
  // Renaming onto a name of the same file does nothing and leaves the temporary one.
  await rm(temporary, { force: true });
}
