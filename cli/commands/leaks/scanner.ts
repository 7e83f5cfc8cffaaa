/** Searches for known keys in texts and files, in every encoding in which one may have been written. */
import { createReadStream } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import { shortestKey } from "../../../redaction/shortest-secrets";
import { writtenForms } from "./written-forms";

/** A key that must be nowhere. */
export interface KnownKey {
  /** The key itself. Never printed. */
  key: string;
  /** Whose it is, for people: `company 4711`. */
  name: string;
}

/** A place where a key is. */
export interface Leak {
  file: string;
  /** Counted from 1. */
  line: number;
  /** Whose key it is. */
  key: string;
  /** How it is written there. */
  encoding: string;
}

/** Characters by which a possible place is found, before it is compared whole. */
const longestPrefix = 8;
/** Folders that hold other people's code, or only compressed data. */
const skippedFolders = new Set(["node_modules", ".git"]);

interface Needle {
  /** Bytes, one a character. */
  text: string;
  name: string;
  encoding: string;
}

export class Scanner {
  readonly #prefix: number;
  readonly #longest: number;
  /** By their first characters: how long a search takes does not depend on how many keys there are. */
  readonly #needles = new Map<string, Needle[]>();

  constructor(keys: readonly KnownKey[]) {
    const needles = keys
      .filter(({ key }) => key.length >= shortestKey)
      .flatMap(({ key, name }) => writtenForms(key).map(({ encoding, bytes: text }) => ({ text, name, encoding })));
    const lengths = needles.map(({ text }) => text.length);
    this.#prefix = Math.min(longestPrefix, ...lengths);
    this.#longest = Math.max(0, ...lengths);
    for (const needle of needles) {
      const start = needle.text.slice(0, this.#prefix);
      this.#needles.set(start, [...(this.#needles.get(start) ?? []), needle]);
    }
  }

  /** The leaks of bytes that come in pieces of latin1, each place once. If the text breaks off, `failed` is called, and the rest counts. */
  async scan(file: string, pieces: AsyncIterable<string>, failed: (error: Error) => void): Promise<Leak[]> {
    const leaks = new Map<string, Leak>();
    let rest = "";
    let line = 1;
    try {
      for await (const piece of pieces) {
        // As needles are: a text of 16 bits a character, as some shells write their logs, has zeros.
        const text = rest + piece.replaceAll("\0", "");
        // What may go on in the next piece is looked at with that one.
        const end = Math.max(0, text.length - this.#longest + 1);
        line = this.#search(file, text, end, line, leaks);
        rest = text.slice(end);
      }
    } catch (error) {
      failed(error as Error);
    }
    this.#search(file, rest, rest.length, line, leaks);
    return [...leaks.values()];
  }

  #search(file: string, text: string, end: number, first: number, leaks: Map<string, Leak>): number {
    let line = first;
    for (let at = 0; at < end; at++) {
      if (text.charCodeAt(at) === 10) line++;
      for (const needle of this.#needles.get(text.slice(at, at + this.#prefix)) ?? []) {
        if (!text.startsWith(needle.text, at)) continue;
        const place = `${line} ${needle.name}`;
        if (!leaks.has(place)) leaks.set(place, { file, line, key: needle.name, encoding: needle.encoding });
      }
    }
    return line;
  }

  scanFile(file: string, failed: (error: Error) => void): Promise<Leak[]> {
    return this.scan(file, textOf(file), failed);
  }
}

/** What a file holds; what is in it, where it is compressed. */
async function* textOf(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  const content = file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes;
  bytes.once("error", (error) => content.destroy(error));
  for await (const piece of content) yield (piece as Buffer).toString("latin1");
}

/**
 * All files of a folder and below it, links followed; a file itself. Each once: real paths in `seen` are ignored, and new ones
 * added. `failed` is called with what cannot be read.
 */
export async function filesOf(
  path: string,
  seen: Set<string>,
  failed: (path: string, error: Error) => void,
): Promise<string[]> {
  try {
    // A shell's pipe has a name that leads nowhere.
    const real = await realpath(path).catch(() => path);
    if (seen.has(real)) return [];
    seen.add(real);
    if (!(await stat(path)).isDirectory()) return [path];
    const found: string[] = [];
    for (const { name } of await readdir(path, { withFileTypes: true })) {
      const inside = join(path, name);
      // Nothing is behind a link that leads nowhere, and nothing ends in a socket.
      const about = await stat(inside).catch(() => undefined);
      if (about?.isFile() || (about?.isDirectory() && !skippedFolders.has(name)))
        found.push(...(await filesOf(inside, seen, failed)));
    }
    return found;
  } catch (error) {
    failed(path, error as Error);
    return [];
  }
}
