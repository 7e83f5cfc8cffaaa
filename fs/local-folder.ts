/** `.esign`, the folder beside a program for what belongs to one machine: journals, the emulator's data, a passphrase. */
import { lstatSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isAbsent } from "./file-errors";
import { makeFolderSync } from "./make-folder";

export const localFolderName = ".esign";

/** Makes the folder, for its owner alone, and has Git ignore all that is in it. Throws if it is a symbolic link. */
export function makeLocalFolder(folder: string): void {
  assertNoLink(folder);
  makeFolderSync(folder, 0o700);
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { flag: "wx" });
  } catch {
    // It is there, or nothing can be written: whoever needs the folder reports that.
  }
}

/**
 * A repository may contain a link of this name: what belongs to this machine alone would be read from, and written to, wherever it leads.
 * @param path the folder, or a path in it
 * @throws {Error} with code `ELOOP` if the folder, or anything below it on the path, is a symbolic link
 */
export function assertNoLink(path: string): void {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const isInside = parent.split(/[\\/]/).includes(localFolderName);
  if (isInside) assertNoLink(parent);
  if (!isLink(absolute)) return;
  const message = `${absolute} is a symbolic link: what belongs to this machine alone is not kept elsewhere. Remove the link`;
  throw Object.assign(new Error(message), { code: "ELOOP" });
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch (error) {
    // Also below what is no folder: whoever needs one reports that.
    if (isAbsent(error)) return false;
    throw error;
  }
}
