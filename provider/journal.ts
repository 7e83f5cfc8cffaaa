/**
 * What branding and e-mails were like before the first change, kept in a small file beside the program from before the
 * first request until the state is known to have it: a run that gets killed in between loses nothing. Holds no key.
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { hashOf } from "./echo";
import { Failure } from "./errors";

export type Originals = Record<string, string | null>;

/** Where in the program's folder the files are. */
export const journalFolder = join(".esign", "journal");

export class Journal {
  constructor(readonly directory: string) {}

  /** What is remembered of an object; undefined when nothing is. */
  read(object: string): Originals | undefined {
    try {
      const { originals } = JSON.parse(readFileSync(this.#path(object), "utf8"));
      return originals !== null && typeof originals === "object" ? originals : undefined;
    } catch {
      return undefined;
    }
  }

  /** Remembers what is not remembered yet: the first original is the true one. */
  async add(object: string, originals: Originals): Promise<void> {
    const before = this.read(object) ?? {};
    if (Object.keys(originals).every((field) => field in before)) return;
    const entry = {
      note: "What was there before the first deployment. It is put back by a deletion. Remove this file to forget it.",
      originals: { ...originals, ...before },
    };
    try {
      mkdirSync(join(this.directory, journalFolder), { recursive: true, mode: 0o700 });
      await writeFileAtomic(this.#path(object), `${JSON.stringify(entry, null, 2)}\n`, { mode: 0o600 });
    } catch (error) {
      const { code = "unknown failure" } = error as NodeJS.ErrnoException;
      throw new Failure(
        `what is there now cannot be kept for a later deletion (${code} in ${journalFolder} beside the program), so nothing was changed; make that folder writable`,
      );
    }
  }

  forget(object: string): void {
    rmSync(this.#path(object), { force: true });
  }

  #path(object: string): string {
    return join(this.directory, journalFolder, `${hashOf(object)}.json`);
  }
}
