/** `.esign`, the folder beside a program for what belongs to one machine: journals, the emulator's data, a passphrase. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const localFolderName = ".esign";

/** Makes the folder, for its owner alone, and has Git ignore all that is in it. */
export function makeLocalFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { flag: "wx" });
  } catch {
    // It is there, or nothing can be written: whoever needs the folder reports that.
  }
}
