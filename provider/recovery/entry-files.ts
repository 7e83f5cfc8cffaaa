/**
 * Small files in one folder beside the program, one for each entry. Each is read once: other processes only append to them
 * while this one runs, for the runs that follow, and most objects have none.
 */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isTemporaryName, writeDurably } from "../../fs/atomic-write";
import { isAbsent } from "../../fs/file-errors";
import { appendJsonLine } from "../../fs/json-lines";
import { assertNoLink, makeLocalFolder } from "../../fs/local-folder";
import { isEmptied } from "../../fs/optional-files";
import { Ages } from "../core/ages";
import { systemClock } from "../core/clock";
import { temporaryFileExpiry } from "../core/time-limits";

export class EntryFiles<T> {
  /** The entries by the names of their files; undefined while not read. */
  #entries: Map<string, T | undefined> | undefined;
  /** The names of temporary files that were there at first. */
  #temporary: string[] = [];

  constructor(
    readonly directory: string,
    readonly folder: string,
    readonly parse: (text: string, name: string) => T,
    /** Called for a file that a power failure has emptied. */
    readonly onEmptied: (path: string) => void = () => undefined,
  ) {}

  /** The names of the files. Throws if the folder cannot be read. */
  get names(): string[] {
    return [...this.#all.keys()];
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  /** The entry, or undefined if it does not exist or was emptied. Throws if it cannot be read or parsed. */
  read(name: string): T | undefined {
    if (!this.has(name)) return undefined;
    const cached = this.#all.get(name);
    if (cached !== undefined) return cached;
    let text: string;
    try {
      text = readFileSync(this.#path(name), "utf8");
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
    if (isEmptied(text)) {
      this.onEmptied(join(this.folder, name));
      this.#all.delete(name);
      return undefined;
    }
    const entry = this.parse(text, name);
    this.#all.set(name, entry);
    return entry;
  }

  /** `flush`: the file survives a power failure. */
  async write(name: string, entry: T, text: string, flush: boolean): Promise<void> {
    const isFirst = this.#all.size === 0;
    this.#removeTemporary();
    await writeDurably(this.#path(name), text, { mode: 0o600, folderMode: 0o700, flush });
    if (isFirst) makeLocalFolder(join(this.directory, dirname(this.folder)));
    this.#all.set(name, entry);
  }

  /** The names of the files of all processes, as they are now; none if the folder cannot be read. */
  get namesNow(): string[] {
    try {
      return readdirSync(join(this.directory, this.folder));
    } catch {
      return [];
    }
  }

  /** The entry of any process, as it is now. Throws if it does not exist or cannot be read. */
  readNow(name: string): T {
    return this.parse(readFileSync(this.#path(name), "utf8"), name);
  }

  /** Appends a line to a file, whichever process has written it. Throws if it was removed. `flush`: it survives a power failure. */
  append(name: string, line: object, flush: boolean): void {
    appendJsonLine(this.#path(name), line, { flush, mustExist: true });
  }

  remove(name: string): void {
    if (!this.has(name)) return;
    try {
      rmSync(this.#path(name));
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    this.#all.delete(name);
  }

  /** Removes once what killed processes have left of a write. Of one that goes on, it may be needed yet. Best effort. */
  #removeTemporary(): void {
    for (const name of this.#temporary.splice(0)) {
      try {
        const path = this.#path(name);
        if (Ages.by(systemClock).of(statSync(path).mtimeMs) > temporaryFileExpiry) rmSync(path, { force: true });
      } catch {}
    }
  }

  get #all(): Map<string, T | undefined> {
    if (this.#entries === undefined) {
      let names: string[] = [];
      assertNoLink(join(this.directory, this.folder));
      try {
        names = readdirSync(join(this.directory, this.folder));
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
      this.#temporary = names.filter(isTemporaryName);
      this.#entries = new Map(names.filter((name) => !isTemporaryName(name)).map((name) => [name, undefined]));
    }
    return this.#entries;
  }

  #path(name: string): string {
    const path = join(this.directory, this.folder, name);
    assertNoLink(path);
    return path;
  }
}
