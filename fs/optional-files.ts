/** Reads files and folders that may not exist, and copies files. */
import { copyFile, link, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { temporaryNameFor } from "./atomic-write";
import { namingFile, undefinedIfMissing } from "./file-errors";

/** The text of a file; undefined if it does not exist. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await undefinedIfMissing(readFile(file, "utf8"));
  } catch (error) {
    throw namingFile(error, file);
  }
}

/**
 * True for a file without content. After a power failure, a file whose content was not flushed is empty or filled with zero bytes;
 * readers treat it as missing.
 */
export const isEmptied = (text: string): boolean => /^[\0\s]*$/.test(text);

/** The names in a folder; empty if it does not exist. */
export const namesIn = async (folder: string): Promise<string[]> => (await undefinedIfMissing(readdir(folder))) ?? [];

/**
 * Makes `to` a copy of `from`. At every moment, `to` is either the old or the new copy. The next durable write into its folder flushes
 * it.
 */
export async function keepCopy(from: string, to: string): Promise<void> {
  const temporary = temporaryNameFor(to);
  try {
    // A hard link to the same bytes, which remain when `from` is replaced. Much faster than copying.
    await link(await realpath(from), temporary);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return;
    await copyFile(from, temporary);
  }
  try {
    await rename(temporary, to);
  } finally {
    // If `to` is a link to the same file already, or on failure, renaming leaves the temporary link.
    await rm(temporary, { force: true });
  }
}
