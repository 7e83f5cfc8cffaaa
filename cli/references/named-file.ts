/** Reads a file that a command line names. */
import { readFileSync } from "node:fs";
import { isAbsent } from "../../fs/file-errors";
import { UsageError } from "../output/errors";

/** @throws {UsageError} that says what is wrong with the name */
export function readNamedFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isAbsent(error)) throw new UsageError(`there is no file ${file}`);
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(code === "EISDIR" ? `${file} is a folder: name a file` : `cannot read ${file} (${code})`);
  }
}
