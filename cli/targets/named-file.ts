/** Reads a file that a command line names. */
import { readFileSync } from "node:fs";
import { UsageError } from "../output/exit-codes";

/** @throws {UsageError} that says what is wrong with the name */
export function readNamedFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new UsageError(`there is no file ${file}`);
    throw new UsageError(code === "EISDIR" ? `${file} is a folder: name a file` : `cannot read ${file} (${code})`);
  }
}
