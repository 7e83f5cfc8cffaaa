/**
 * Replaces files atomically: a crash leaves either the old or the new content, and a power failure loses nothing that was
 * written before. No package does the second: none flushes the folder, which has the file's new name (decisions/dependencies.md).
 */
import { randomBytes } from "node:crypto";
import { fsync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

type Content = string | Buffer | Iterable<string> | AsyncIterable<Uint8Array>;

// The file handles of Yarn's Plug'n'Play do not flush, and take no iterables.
const flushFile = ({ fd }: FileHandle) => promisify(fsync)(fd);

async function writeContent(handle: FileHandle, data: Content): Promise<void> {
  if (typeof data === "string" || Buffer.isBuffer(data)) return handle.writeFile(data);
  for await (const part of data) await handle.appendFile(part);
}

export interface DurableOptions {
  /** Permissions. Default: those of the old file, or the system's for a new one. */
  mode?: number;
  /** Permissions of folders that are created. Default: the system's. */
  folderMode?: number;
  /** Flush to disk, to survive a power failure. Without it, the file survives only the end of the process. Default: true. */
  flush?: boolean;
}

/**
 * Writes a temporary file beside the old one and renames it when it is complete. Missing directories are created.
 * Throws the system's error, and then leaves the old file unchanged. A device, a pipe or a terminal, such as /dev/stdout, is
 * written to directly.
 */
export async function writeDurably(
  file: string,
  data: Content,
  { mode, folderMode, flush = true }: DurableOptions = {},
): Promise<void> {
  await makeFolder(dirname(file), folderMode, flush);
  const old = await unlessAbsent(stat(file));
  const isSpecial = old !== undefined && !old.isFile() && !old.isDirectory();
  try {
    if (isSpecial) await writeFile(file, data);
    else await replace(file, data, mode ?? old?.mode, flush);
  } catch (error) {
    // The error of a full disk does not name the file.
    if (error instanceof Error && !("path" in error)) Object.assign(error, { path: file }).message += ` '${file}'`;
    throw error;
  }
}

async function replace(file: string, data: Content, mode: number | undefined, flush: boolean): Promise<void> {
  // Writes the target of a symbolic link, and keeps the link.
  const target = (await unlessAbsent(realpath(file))) ?? file;
  const temporary = besideIt(target);
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await writeContent(handle, data);
      if (flush) await flushFile(handle);
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
    if (flush) await syncFolder(dirname(target));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Makes a folder and those above it, and flushes their names. */
async function makeFolder(folder: string, mode: number | undefined, flush: boolean): Promise<void> {
  const first = await mkdir(folder, { recursive: true, ...(mode !== undefined && { mode }) });
  if (first === undefined || !flush) return;
  for (let made = resolve(folder); ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === resolve(first) || made === dirname(made)) return;
  }
}

/** Flushes the names in a folder: a file's own flush does not include its name. Where the system has no such flush, it is left out. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  try {
    const handle = await open(folder, "r");
    try {
      await flushFile(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!unsupported.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** A folder that may be written but not read, and file systems that flush no folders. */
const unsupported = new Set(["EACCES", "EPERM", "EINVAL", "EISDIR", "ENOTSUP", "ENOSYS", "EBADF"]);

/** The name of a temporary file; {@link removeTemporaryFiles} finds those that are left over. */
export const besideIt = (file: string): string => `${file}.${randomBytes(6).toString("hex")}.tmp`;

/** Removes temporary files that killed processes left beside a file. Call it only while no other process writes the file. */
export async function removeTemporaryFiles(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of (await unlessAbsent(readdir(folder))) ?? []) {
    if (!name.startsWith(`${basename(file)}.`) || !/^\.[0-9a-f]{12}\.tmp$/.test(name.slice(basename(file).length)))
      continue;
    await rm(join(folder, name), { force: true });
  }
}

/** Undefined where there is no such file or folder. That a file is where a folder should be remains an error: nothing is written below it. */
export async function unlessAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
