/**
 * Files that people would miss are either the old or the new one, whatever happens in between. By hand, since the
 * packages for it take a write that a full disk cut short for a whole one, and put half a file in place.
 */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface DurableOptions {
  /** Permissions. Default: those of the old file, or the system's for a new one. */
  mode?: number;
  /** Wait until the disk has it: for power cuts. Without, the file survives the death of the process only. Default: true. */
  flush?: boolean;
}

type Content = string | Buffer | Iterable<string> | AsyncIterable<Uint8Array>;

/**
 * Writes a file beside the old one, and lets it take the place when all of it is there. Missing folders are made.
 * Throws the system's error; the old file is then as it was. Nothing takes the place of a device, a pipe or a terminal, such as
 * /dev/stdout: it is written to.
 */
export async function writeDurably(
  file: string,
  data: Content,
  { mode, flush = true }: DurableOptions = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const old = await unlessAbsent(stat(file));
  const isSpecial = old !== undefined && !old.isFile() && !old.isDirectory();
  try {
    if (isSpecial) await writeFile(file, data);
    else await replace(file, data, mode ?? old?.mode, flush);
  } catch (error) {
    // A disk that is full does not say which file did not fit.
    if (error instanceof Error && !("path" in error)) Object.assign(error, { path: file }).message += ` '${file}'`;
    throw error;
  }
}

async function replace(file: string, data: Content, mode: number | undefined, flush: boolean): Promise<void> {
  // What a link leads to is written, the link stays.
  const target = (await unlessAbsent(realpath(file))) ?? file;
  const temporary = besideIt(target);
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await writeFile(handle, data);
      if (flush) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** A name for what is to take a file's place; what is left there is found by {@link removeRemains}. */
export const besideIt = (file: string): string => `${file}.${randomBytes(6).toString("hex")}.tmp`;

/** Removes what processes that were killed while they wrote this file have left beside it. Only for who has the file for himself. */
export async function removeRemains(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of (await unlessAbsent(readdir(folder))) ?? []) {
    if (!name.startsWith(`${basename(file)}.`) || !/^\.[0-9a-f]{12}\.tmp$/.test(name.slice(basename(file).length)))
      continue;
    await rm(join(folder, name), { force: true });
  }
}

async function unlessAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
