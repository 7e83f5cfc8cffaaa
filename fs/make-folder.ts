/**
 * Makes a folder and those above it. Node's own `recursive` never ends where a folder exists and nothing can be made in it, as in /proc on
 * Linux: it takes the system's ENOENT for a missing parent, again and again.
 */
import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

const isMissingParent = (error: unknown, folder: string): boolean =>
  (error as NodeJS.ErrnoException).code === "ENOENT" && dirname(folder) !== folder;

/** Resolves to the topmost folder that was made; undefined if the folder existed. `mode`: permissions of each that is made. */
export async function makeFolder(folder: string, mode?: number): Promise<string | undefined> {
  try {
    return (await makeOne(folder, mode)) ? folder : undefined;
  } catch (error) {
    if (!isMissingParent(error, folder)) throw error;
  }
  const first = await makeFolder(dirname(folder), mode);
  return (await makeOne(folder, mode)) ? (first ?? folder) : first;
}

/** The same, at once. */
export function makeFolderSync(folder: string, mode?: number): void {
  try {
    makeOneSync(folder, mode);
  } catch (error) {
    if (!isMissingParent(error, folder)) throw error;
    makeFolderSync(dirname(folder), mode);
    makeOneSync(folder, mode);
  }
}

const absent = ["ENOENT", "ENOTDIR"];

/** False if it exists. */
async function makeOne(folder: string, mode: number | undefined): Promise<boolean> {
  try {
    await mkdir(folder, { ...(mode !== undefined && { mode }) });
    return true;
  } catch (error) {
    const found = await stat(folder).catch((cause) => {
      throw absent.includes(cause.code) ? error : cause;
    });
    if (found.isDirectory()) return false;
    throw error;
  }
}

function makeOneSync(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, { ...(mode !== undefined && { mode }) });
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
