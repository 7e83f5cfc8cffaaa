/** The file in which the provider's hooks report the effects of a run. */
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../../../fs/at-exit";
import type { EffectRecord } from "../../../provider/effects/effect";
import { effectsFileVariable, requestsFile } from "../../../provider/effects/report";
import type { RequestRecord } from "../../../provider/effects/request-counts";

export class EffectsFile {
  /** Environment of the program and the providers. */
  readonly env: Record<string, string>;
  private readonly path: string;
  /** Undefined for the file of another process. */
  private readonly folder: string | undefined;
  private offset = 0;
  private rest = "";
  private readonly notAtExit: () => void;

  /** @param path of the file in which the program that has started this one reads them, too */
  constructor(path?: string) {
    this.folder = path ? undefined : mkdtempSync(join(tmpdir(), "esign-effects-"));
    this.path = path || join(this.folder!, "effects.jsonl");
    // Values of the account are in it.
    if (!path) writeFileSync(this.path, "", { mode: 0o600 });
    else this.offset = statSync(path).size;
    this.env = { [effectsFileVariable]: this.path };
    this.notAtExit = atExit(() => this.remove());
  }

  /** The records that were added since the last call. */
  read(): EffectRecord[] {
    const lines = (this.rest + this.readNew()).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.flatMap((line) => parse<EffectRecord>(line));
  }

  /** What the provider's processes have counted up to now: the last line of each counts. */
  readRequests(): RequestRecord[] {
    const file = requestsFile(this.path);
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line) => parse<RequestRecord>(line));
  }

  remove(): void {
    this.notAtExit();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
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
    return Buffer.concat(chunks).toString();
  }
}

/** Another version of the package may write what this one does not know. */
function parse<T>(line: string): T[] {
  try {
    return [JSON.parse(line) as T];
  } catch {
    return [];
  }
}
