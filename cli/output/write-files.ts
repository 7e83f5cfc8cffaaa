/** Files that a command writes into a folder of the user's. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rejectLinks } from "../../account-folder/folder/symbolic-links";
import { writeDurably } from "../../fs/atomic-write";

/**
 * Writes them one by one, each whole or not at all, and says each that is there: the next one may fail. Writes none if one of
 * them would be written through a symbolic link.
 */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  say: (line: string) => void,
): Promise<void> {
  rejectLinks(folder, files.keys());
  for (const [path, text] of files) {
    const absolute = join(folder, path);
    await mkdir(dirname(absolute), { recursive: true });
    await writeDurably(absolute, text);
    say(`  wrote ${absolute}`);
  }
}
