/**
 * Replaces files atomically. After a crash, the file has the old or the new content; after a power failure, a completed write is not
 * lost. No npm package does the second: none flushes the folder that holds the new name (decisions/dependencies.md).
 */
import { randomBytes } from "node:crypto";
import { fsync } from "node:fs";
import { type FileHandle, open, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { namingFile, undefinedIfMissing } from "./file-errors";
import { makeFolder } from "./make-folder";

type Content = string | Buffer | Iterable<string> | AsyncIterable<Uint8Array>;

// File handles of Yarn's Plug'n'Play have no flush and accept no iterables.
const flushFile = ({ fd }: FileHandle) => promisify(fsync)(fd);

async function writeContent(handle: FileHandle, data: Content): Promise<void> {
  if (typeof data === "string" || Buffer.isBuffer(data)) return handle.writeFile(data);
  for await (const part of data) await handle.appendFile(part);
}

interface DurableOptions {
  /** Permissions of the file. Default: those of the old file; for a new one, the system's. */
  mode?: number;
  /** Permissions of folders that are created. Default: the system's. */
  folderMode?: number;
  /** Whether to flush to disk, to survive a power failure. Without it, the file survives only the end of the process. Default: true. */
  flush?: boolean;
}

/**
 * Writes a temporary file beside the old one and renames it when it is complete. Creates missing folders. On failure it throws the
 * system's error, and the old file is unchanged. A device, pipe or terminal, such as /dev/stdout, is written directly.
 */
export async function writeDurably(
  file: string,
  data: Content,
  { mode, folderMode, flush = true }: DurableOptions = {},
): Promise<void> {
  await makeDurableFolder(dirname(file), folderMode, flush);
  const old = await undefinedIfMissing(stat(file));
  const isSpecial = old !== undefined && !old.isFile() && !old.isDirectory();
  try {
    if (isSpecial) await writeFile(file, data);
    else await replace(file, data, mode ?? old?.mode, flush);
  } catch (error) {
    throw namingFile(error, file);
  }
}

async function replace(file: string, data: Content, mode: number | undefined, flush: boolean): Promise<void> {
  // Replaces the target of a symbolic link, not the link.
  const target = (await undefinedIfMissing(realpath(file))) ?? file;
  const temporary = temporaryNameFor(target);
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

/** Creates a folder and its parents, and flushes their names to disk. */
async function makeDurableFolder(folder: string, mode: number | undefined, flush: boolean): Promise<void> {
  const first = await makeFolder(folder, mode);
  if (first === undefined || !flush) return;
  for (let made = resolve(folder); ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === resolve(first) || made === dirname(made)) return;
  }
}

/** Flushes the file names in a folder: flushing a file does not include its name. Does nothing where the system cannot do it. */
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

/** Errors of folders that may be written but not read, and of file systems that cannot flush folders. */
const unsupported = new Set(["EACCES", "EPERM", "EINVAL", "EISDIR", "ENOTSUP", "ENOSYS", "EBADF"]);

/** A name for a temporary file beside a file. */
export const temporaryNameFor = (file: string): string => `${file}.${randomBytes(6).toString("hex")}.tmp`;

const temporaryName = /\.[0-9a-f]{12}\.tmp$/;

/** The file that a temporary file becomes; undefined for other files. */
export const fileOfTemporaryName = (name: string): string | undefined =>
  isTemporaryName(name) ? name.replace(temporaryName, "") : undefined;

/** True for the name of a temporary file: a killed process leaves it. */
export const isTemporaryName = (name: string): boolean => temporaryName.test(name);

/** Removes temporary files that killed processes left beside a file. Call it only if no other process writes the file. */
export async function removeTemporaryFiles(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of (await undefinedIfMissing(readdir(folder))) ?? []) {
    if (name.replace(temporaryName, "") !== basename(file) || !isTemporaryName(name)) continue;
    await rm(join(folder, name), { force: true });
  }
}
