/** Files that are either the old or the new one, whatever happens in between. */
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** The text of a file; undefined if there is none. */
export async function readText(file: string): Promise<string | undefined> {
  return (await readBytes(file))?.toString("utf8");
}

/** The content of a file; undefined if there is none. */
export async function readBytes(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
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

/**
 * Writes a file beside the old one, waits until the disk has it, and lets it take the place. By hand, since
 * write-file-atomic takes a write that a full disk cut short for a whole one, and puts half a file in place.
 */
export async function writeDurably(file: string, data: string | Buffer | Iterable<string>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const mode = await stat(file).then(
    (old) => old.mode,
    () => undefined,
  );
  const temporary = `${file}.${process.pid}.${++written}.tmp`;
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await writeFile(handle, data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
/** Tells the temporary files of this process apart. */
let written = 0;

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
