/**
 * What processes of one user publish to one another: a file of lines for each process, among the system's temporary files, since a
 * preview publishes, too, and leaves nothing beside the program. Holds no key.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SharedFolder } from "./shared-folder";

export interface SharedLinesOptions {
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

export class SharedLines {
  readonly #own: string;
  readonly #folder: SharedFolder;
  /** By the names of the others' files, what was read of each: a run asks for each of its resources. */
  readonly #seen = new Map<string, { lines: string[]; bytes: number }>();
  #isOpen = false;

  constructor(readonly options: SharedLinesOptions) {
    this.#folder = new SharedFolder(options.folder, options.parent);
    this.#own = `${options.prefix}${randomBytes(6).toString("base64url")}`;
  }

  /** Best effort: where nothing can be written, the other processes do not see it. */
  publish(line: string): void {
    try {
      if (!this.#isOpen) this.#open();
      appendFileSync(this.#path(this.#own), `${line}\n`);
    } catch {}
  }

  /** What the other processes have published. */
  get published(): string[] {
    if (!this.#folder.isOwn) return [];
    return this.#files
      .filter((name) => name.startsWith(this.options.prefix) && name !== this.#own)
      .flatMap((name) => this.#linesOf(name).slice(1));
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
    // Whoever has ended removes nothing: an engine ends the processes of its run.
    for (const name of this.#files) {
      const path = this.#path(name);
      if (this.options.isStale({ path, header: () => this.#linesOf(name)[0] })) rmSync(path, { force: true });
    }
    writeFileSync(this.#path(this.#own), `${this.options.header}\n`, { mode: 0o600, flag: "wx" });
    this.#isOpen = true;
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

  /** What is being written is not a line yet. */
  #linesOf(name: string): readonly string[] {
    try {
      const seen = this.#seen.get(name) ?? { lines: [], bytes: 0 };
      const text = textFrom(this.#path(name), seen.bytes);
      const end = text.lastIndexOf(newLine) + 1;
      if (end > 0) seen.lines.push(...text.toString("utf8", 0, end - 1).split("\n"));
      seen.bytes += end;
      this.#seen.set(name, seen);
      return seen.lines;
    } catch {
      return [];
    }
  }
}

const newLine = 10;

/** The bytes of a file from a position on. */
function textFrom(path: string, from: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
