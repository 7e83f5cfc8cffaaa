/** Reads a file while others append to it. */
import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

export class GrowingFile {
  private rest = "";
  /** A character may be cut off where another process is writing. */
  private readonly decoder = new StringDecoder();

  /** @param offset of the first byte to read */
  constructor(
    readonly path: string,
    private offset = 0,
  ) {}

  /** The whole lines that were added since the last call. */
  lines(): string[] {
    const lines = (this.rest + this.readNew()).split("\n");
    this.rest = lines.pop() ?? "";
    return lines;
  }

  private readNew(): string {
    const chunks: Buffer[] = [];
    const file = openSync(this.path, "r");
    try {
      for (;;) {
        const chunk = Buffer.alloc(65_536);
        const size = readSync(file, chunk, 0, chunk.length, this.offset);
        if (size === 0) break;
        this.offset += size;
        chunks.push(chunk.subarray(0, size));
      }
    } finally {
      closeSync(file);
    }
    return this.decoder.write(Buffer.concat(chunks));
  }
}
