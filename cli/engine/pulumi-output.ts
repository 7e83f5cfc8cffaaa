/** What the Pulumi CLI prints, and where to. */
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";

/** A text without the marks of colours that the CLI leaves in events and in its output. */
export const withoutColours = (text: string): string => text.replace(/<\{%.*?%\}>/g, "");

type Texts = [stdout: string, stderr: string];

export class OutputPipes {
  readonly streams = ["pipe", "pipe"] as const;
  readonly #chunks: [Buffer[], Buffer[]] = [[], []];

  attach({ stdout, stderr }: ChildProcess): void {
    // What could not be started, since the system has no more files to open, has none of them.
    stdout?.on("data", (chunk: Buffer) => this.#chunks[0].push(chunk));
    stderr?.on("data", (chunk: Buffer) => this.#chunks[1].push(chunk));
  }

  texts(): Texts {
    return this.#chunks.map((chunks) => Buffer.concat(chunks).toString()) as Texts;
  }
}

/** Of an operation, which ends in order also where this process is gone: it must not die of a closed pipe. */
export class OutputFiles {
  readonly streams: readonly [number, number];
  readonly #paths: readonly string[];

  constructor(path: string) {
    this.#paths = [`${path}.out`, `${path}.err`];
    this.streams = this.#paths.map((each) => openSync(each, "w", 0o600)) as [number, number];
  }

  /** The process has its own descriptors by now. */
  attach(_: ChildProcess): void {
    for (const stream of this.streams) closeSync(stream);
  }

  texts(): Texts {
    const texts = this.#paths.map((path) => readFileSync(path, "utf8")) as Texts;
    for (const path of this.#paths) rmSync(path, { force: true });
    return texts;
  }
}
