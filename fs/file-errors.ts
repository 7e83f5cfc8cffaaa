/** What the system's errors of files say: that a file is missing, and which one. */

/** True for the error that a file, or a folder above it, does not exist. */
export const isAbsent = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

/**
 * Undefined if the file or folder does not exist. If a file is where a folder should be, the error is thrown: nothing can be written
 * there.
 */
export async function undefinedIfMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The error, with the file's name: that of a full disk, or of a folder in the place of a file, does not contain it. */
export function namingFile(error: unknown, file: string): unknown {
  if (error instanceof Error && !("path" in error)) Object.assign(error, { path: file }).message += ` '${file}'`;
  return error;
}
