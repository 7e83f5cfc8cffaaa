/** Files that a command writes into a folder of the user's. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rejectLinks } from "../../account-folder/folder/symbolic-links";
import { writeDurably } from "../../fs/atomic-write";
import { makeFolder } from "../../fs/make-folder";

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
    await makeFolder(dirname(absolute));
    await writeDurably(absolute, (await hasMark(absolute)) ? withMark(text) : text);
    say(`  wrote ${absolute}`);
  }
}

const MARK = "\ufeff";
const withMark = (text: string): string => (text.startsWith(MARK) ? text : MARK + text);

/** True for a file that begins with a byte order mark: it is the editor's, and kept. */
const hasMark = async (path: string): Promise<boolean> =>
  (await readFile(path, "utf8").catch(() => "")).startsWith(MARK);
