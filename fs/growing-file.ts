/** Reads a file to which other processes append, or which they start over. */
import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

/** By so many bytes at its beginning a file is known to be the same. */
const headSize = 64;

export class GrowingFile {
  #rest = "";
  #head: Buffer = Buffer.alloc(0);
  /** A character may be cut off where another process is writing. */
  #decoder = new StringDecoder();

  #offset: number;

  /** @param offset of the first byte to read */
  constructor(
    readonly path: string,
    offset = 0,
  ) {
    this.#offset = offset;
  }

  /** The whole lines that were added since the last call. */
  lines(): string[] {
    const file = openSync(this.path, "r");
    try {
      this.#beginAgainIfReplaced(file);
      const lines = (this.#rest + this.#readNew(file)).split("\n");
      this.#rest = lines.pop() ?? "";
      return lines;
    } finally {
      closeSync(file);
    }
  }

  #beginAgainIfReplaced(file: number): void {
    const head = readAt(file, 0, headSize);
    if (!head.subarray(0, this.#head.length).equals(this.#head))
      [this.#offset, this.#rest, this.#decoder] = [0, "", new StringDecoder()];
    this.#head = head;
  }

  #readNew(file: number): string {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = readAt(file, this.#offset, 65_536);
      if (chunk.length === 0) break;
      this.#offset += chunk.length;
      chunks.push(chunk);
    }
    return this.#decoder.write(Buffer.concat(chunks));
  }
}

function readAt(file: number, offset: number, size: number): Buffer {
  const buffer = Buffer.alloc(size);
  return buffer.subarray(0, readSync(file, buffer, 0, size, offset));
}
