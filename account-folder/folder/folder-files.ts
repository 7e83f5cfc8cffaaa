/** The files below a folder, each read once. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { TextDecoder } from "node:util";
import type { Finding } from "../finding";
import { SourceFile } from "../template/source-map";

export class FolderFiles {
  /** The files that were read, by path. */
  readonly sources = new Map<string, SourceFile>();

  constructor(
    private readonly root: string,
    private readonly findings: Finding[],
  ) {}

  /** A file, read once; undefined if it does not exist. */
  file(path: string): SourceFile | undefined {
    const before = this.sources.get(path);
    if (before) return before;
    const absolute = join(this.root, path);
    if (!existsSync(absolute) || !statSync(absolute).isFile()) return undefined;
    const file = this.decode(path, readFileSync(absolute));
    this.sources.set(path, file);
    return file;
  }

  /** A file, or one without content. */
  fileOrEmpty(path: string): SourceFile {
    return this.file(path) ?? new SourceFile(path, "");
  }

  private decode(path: string, bytes: Buffer): SourceFile {
    try {
      // A byte order mark is kept: a body is used byte for byte.
      return new SourceFile(path, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      const file = new SourceFile(path, bytes.toString("utf8"));
      const offset = file.text.indexOf("\ufffd");
      this.findings.push({
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
    if (!this.isDirectory(path)) return [];
    return readdirSync(join(this.root, path))
      .filter((name) => !name.startsWith("."))
      .sort();
  }

  isDirectory(path: string): boolean {
    const absolute = join(this.root, path);
    return existsSync(absolute) && statSync(absolute).isDirectory();
  }
}
