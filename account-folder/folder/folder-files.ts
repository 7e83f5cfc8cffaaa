/** The files below an account's folder, each read once. Nothing else in this room reads files. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { TextDecoder } from "node:util";
import type { Finding } from "../finding";
import { SourceFile } from "../placeholders/source-map";
import { findMergeConflict } from "./merge-conflict";
import { FolderError, isInside, realPathIn } from "./symbolic-links";

/** Where files come from. Paths are below the folder, with slashes; the empty one is the folder itself. */
interface FileTree {
  /** Undefined if it is not a file. */
  read(path: string): Buffer | undefined;
  /** The names in a directory; none if there is no directory. */
  names(path: string): string[];
  isDirectory(path: string): boolean;
}

/** A folder on disk. Links that stay in the folder are followed; others throw. */
class DiskTree implements FileTree {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  read(path: string): Buffer | undefined {
    const file = realPathIn(this.#root, path);
    return file !== undefined && statSync(file).isFile() ? readFileSync(file) : undefined;
  }

  names(path: string): string[] {
    const directory = realPathIn(this.#root, path);
    return directory !== undefined && statSync(directory).isDirectory() ? readdirSync(directory) : [];
  }

  isDirectory(path: string): boolean {
    const directory = realPathIn(this.#root, path);
    return directory !== undefined && statSync(directory).isDirectory();
  }
}

/** A folder that exists only as texts by path. */
class TextTree implements FileTree {
  readonly #directories = new Map<string, Set<string>>([["", new Set()]]);

  readonly #texts: ReadonlyMap<string, string>;

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
    for (const path of texts.keys()) this.#add(path);
  }

  #add(path: string): void {
    const at = path.lastIndexOf("/");
    const directory = path.slice(0, Math.max(0, at));
    const names = this.#directories.get(directory);
    if (names) names.add(path.slice(at + 1));
    else {
      this.#directories.set(directory, new Set([path.slice(at + 1)]));
      this.#add(directory);
    }
  }

  read(path: string): Buffer | undefined {
    const text = this.#texts.get(path);
    return text === undefined ? undefined : Buffer.from(text);
  }

  names(path: string): string[] {
    return [...(this.#directories.get(path) ?? [])];
  }

  isDirectory(path: string): boolean {
    return this.#directories.has(path);
  }
}

export class FolderFiles {
  /** The files that were read, by path. */
  readonly sources = new Map<string, SourceFile>();
  readonly #tree: FileTree;

  readonly #findings: Finding[];

  /** With `texts`, these are the folder's files, and nothing is read from disk. */
  constructor(root: string, findings: Finding[], texts?: ReadonlyMap<string, string>) {
    this.#findings = findings;
    if (texts === undefined && !isDirectory(root)) throw new FolderError(`there is no folder "${root}"`);
    this.#tree = texts === undefined ? new DiskTree(root) : new TextTree(texts);
  }

  /** A file, read once; undefined if it does not exist. */
  file(path: string): SourceFile | undefined {
    const before = this.sources.get(path);
    if (before) return before;
    const bytes = this.#tree.read(path);
    if (bytes === undefined) return undefined;
    const file = this.#decode(path, bytes);
    const conflict = findMergeConflict(file);
    if (conflict !== undefined) this.#findings.push(conflict);
    this.sources.set(path, file);
    return file;
  }

  #decode(path: string, bytes: Buffer): SourceFile {
    try {
      // A byte order mark belongs to the file: a body without it is what is sent.
      return new SourceFile(path, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      const file = new SourceFile(path, bytes.toString("utf8"));
      const offset = file.text.indexOf("\ufffd");
      this.#findings.push({
        ...file.place(offset, offset + 1),
        rule: "encoding",
        severity: "error",
        message: "the file is not UTF-8",
        fix: "save it as UTF-8",
      });
      return file;
    }
  }

  /** The names in a directory, without hidden files, in the same order on every machine. */
  entries(path: string): string[] {
    return this.#tree
      .names(path)
      .filter((name) => !name.startsWith("."))
      .sort();
  }

  isDirectory(path: string): boolean {
    return this.#tree.isDirectory(path);
  }
}

const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The names in a directory of a folder; none if there is none. No content is read, so links are followed. */
export const namesIn = (root: string, path = ""): string[] =>
  isDirectory(join(root, path)) ? readdirSync(join(root, path)) : [];

/** The text of a file that the user names. If it is in the folder, a link must not lead out of the folder. */
export function readFileIn(root: string, file: string): string {
  const inside = isInside(resolve(root), resolve(file)) ? realPathIn(root, relative(root, file)) : undefined;
  return readFileSync(inside ?? file, "utf8");
}
