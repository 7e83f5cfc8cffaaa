/** Files and folders that may be missing, and copies of files. */
import { copyFile, link, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { besideIt, unlessAbsent } from "./atomic-write";

/** The text of a file; undefined if it does not exist. */
export async function readText(file: string): Promise<string | undefined> {
  return unlessAbsent(readFile(file, "utf8"));
}

/**
 * True for what a power failure leaves of a file whose content had not been flushed: nothing, or zero bytes. It says nothing,
 * so for its readers there is no file.
 */
export const isEmptied = (text: string): boolean => /^[\0\s]*$/.test(text);

/** The names in a folder; none if there is no folder. */
export const namesIn = async (folder: string): Promise<string[]> => (await unlessAbsent(readdir(folder))) ?? [];

/** True for the error of no file, or of no folder that could hold one. */
export const isAbsent = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Makes `to` what `from` is now, without ever being without a `to`. Flushed with the next durable write into that folder. */
export async function keepCopy(from: string, to: string): Promise<void> {
  const temporary = besideIt(to);
  try {
    // A name for the same bytes; they stay when `from` is replaced. Much cheaper than copying them.
    await link(await realpath(from), temporary);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return;
    await copyFile(from, temporary);
  }
  try {
    await rename(temporary, to);
  } finally {
    // Renaming onto a name of the same file does nothing and leaves the temporary one; so does a failure.
    await rm(temporary, { force: true });
  }
}
