/**
 * What processes of one user publish to one another: a file of lines for each process, among the system's temporary files, since a
 * preview publishes, too, and leaves nothing beside the program. A line is found by its key, its first word. Holds no API key.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addTo } from "../../definitions/group-by";
import { isAbsent } from "../../fs/file-errors";
import { appendJsonLine, parseJsonLines } from "../../fs/json-lines";
import { SharedFolder } from "./shared-folder";

interface SharedLinesOptions {
  /** What the names of the files begin with that belong together. */
  prefix: string;
  /** The first line of each file. */
  header: string;
  /** True for a file that is of no use any more. `header`: reads its first line; undefined for what is being written. */
  isStale(file: { path: string; header: () => string | undefined }): boolean;
  /** Name of the folder. */
  folder: string;
  /** The folder that it is in. Default: that of temporary files. */
  parent?: string | undefined;
}

/** What was read of the file of another process. */
interface ReadFile {
  bytes: number;
  /** By key, the rest of each line. */
  lines: Map<string, string[]>;
}

export class SharedLines {
  /** The name of its file: another one for each that it begins, of which the others have read nothing. */
  #own = "";
  readonly #folder: SharedFolder;
  /** By name. */
  readonly #others = new Map<string, ReadFile>();
  #isOpen = false;
  #isSwept = false;

  constructor(readonly options: SharedLinesOptions) {
    this.#folder = new SharedFolder(options.folder, options.parent);
  }

  /** Best effort: where nothing can be written, the other processes do not see it. */
  publish(key: string, text: string): void {
    const line = `${key} ${text}`;
    try {
      this.#append(line);
    } catch (error) {
      // It was removed: another process takes it for stale after the clock has changed.
      if (!this.#isOpen || !isAbsent(error)) return;
      this.#isOpen = false;
      try {
        this.#append(line);
      } catch {}
    }
  }

  #append(line: string): void {
    if (!this.#isOpen) this.#open();
    appendJsonLine(this.#path(this.#own), line, { mustExist: true });
  }

  /** Reads what the other processes have published since. Best effort: where nothing can be read, they have published nothing. */
  read(): void {
    try {
      this.#read();
    } catch {}
  }

  #read(): void {
    if (this.#folder.isOwn) this.#sweep();
    const names = new Set(this.#folder.isOwn ? this.#files.filter((name) => this.#isOfOther(name)) : []);
    for (const name of this.#others.keys()) if (!names.has(name)) this.#others.delete(name);
    for (const name of names) this.#readFile(name);
  }

  /** Of the lines with this key that were read, the rest of each. */
  *find(key: string): Iterable<string> {
    for (const { lines } of this.#others.values()) yield* lines.get(key) ?? [];
  }

  /** Removes what it has published: for a process that goes on. Best effort: what has ended is removed by the next one. */
  close(): void {
    try {
      if (this.#isOpen) rmSync(this.#path(this.#own), { force: true });
    } catch {}
    this.#isOpen = false;
  }

  #open(): void {
    this.#folder.make();
    this.#sweep();
    this.#own = `${this.options.prefix}${randomBytes(6).toString("base64url")}`;
    const path = this.#path(this.#own);
    try {
      writeFileSync(path, `${this.options.header}\n`, { mode: 0o600, flag: "wx" });
    } catch (error) {
      // Of a full disk it may have the beginning of its first line.
      rmSync(path, { force: true });
      throw error;
    }
    this.#isOpen = true;
  }

  /**
   * Removes once, before anything is read or written, what is of no use any more: whoever has ended has removed nothing, as an engine ends the
   * processes of its run, and a later run may have the same name.
   */
  #sweep(): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    for (const name of this.#files) {
      const path = this.#path(name);
      if (this.options.isStale({ path, header: () => headerOf(path) })) rmSync(path, { force: true });
    }
  }

  #isOfOther(name: string): boolean {
    return name.startsWith(this.options.prefix) && name !== this.#own;
  }

  #path(name: string): string {
    return join(this.#folder.path, name);
  }

  get #files(): string[] {
    try {
      return readdirSync(this.#folder.path);
    } catch {
      return [];
    }
  }

  /** Reads what was appended to a file. What is being written is not a line yet. */
  #readFile(name: string): void {
    const file = this.#others.get(name) ?? { bytes: 0, lines: new Map() };
    this.#others.set(name, file);
    const path = this.#path(name);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === file.bytes) return;
    const lines = linesFrom(path, file.bytes);
    if (lines === undefined) return;
    const header = file.bytes === 0 ? 1 + lines.text.indexOf("\n") : 0;
    file.bytes += lines.bytes;
    for (const line of parseJsonLines<string>(lines.text.slice(header))) {
      const end = line.indexOf(" ");
      addTo(file.lines, line.slice(0, end), line.slice(end + 1));
    }
  }
}

const headerOf = (path: string): string | undefined => linesFrom(path, 0)?.text.split("\n", 1)[0];

const newLine = 10;

/** The whole lines of a file from a position on; undefined if there is none. */
function linesFrom(path: string, from: number): { text: string; bytes: number } | undefined {
  try {
    const text = bytesFrom(path, from);
    const end = text.lastIndexOf(newLine);
    return end < 0 ? undefined : { text: text.toString("utf8", 0, end + 1), bytes: end + 1 };
  } catch {
    return undefined;
  }
}

function bytesFrom(path: string, from: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
