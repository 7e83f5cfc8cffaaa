/** Receives the effects that the provider reports during a run: by calls from this process, and through a file from other processes. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../../fs/at-exit";
import { GrowingFile } from "../../fs/growing-file";
import { parseJsonLines } from "../../fs/json-lines";
import type { EffectRecord } from "../../provider/plan/effect";
import { cancelFileOf, effectsFileVariable, readEffects, requestsFile } from "../../provider/reporting/effect-reporter";
import type { RequestRecord } from "../../provider/reporting/request-counts";
import { offlineVariable } from "../../provider/session/offline";

export class EffectsFile {
  readonly #records: GrowingFile;
  /** Undefined for the file of another process. */
  readonly #folder: string | undefined;
  readonly #notAtExit: () => void;
  /** Reported in this process since the last call. */
  #reported: EffectRecord[] = [];
  readonly #stopReading: () => void;

  /**
   * @param path of the file in which the program that has started this one reads them, too
   * @param isOffline whether previews read nothing of the account
   */
  constructor(
    path?: string,
    readonly isOffline = false,
  ) {
    this.#folder = path ? undefined : mkdtempSync(join(tmpdir(), "esign-effects-"));
    const file = path || join(this.#folder!, "effects.jsonl");
    // Values of the account are in it.
    if (!path) writeFileSync(file, "", { mode: 0o600 });
    this.#records = new GrowingFile(file, statSync(file).size);
    // Another program's file has all, since that program reads it.
    this.#stopReading = path ? () => undefined : readEffects(file, (record) => this.#reported.push(record));
    this.#notAtExit = atExit(() => this.remove());
  }

  /** What the program and the providers need in their environment. */
  environment(preview = false): Record<string, string> {
    return { [effectsFileVariable]: this.#records.path, ...(preview && this.isOffline && { [offlineVariable]: "1" }) };
  }

  /** Tells the providers that the run is cancelled: none begins to write any more. Best effort, as the records are. */
  cancel(): void {
    try {
      writeFileSync(cancelFileOf(this.environment())!, "", { mode: 0o600 });
    } catch {}
  }

  /** The records that were added since the last call. */
  read(): EffectRecord[] {
    const reported = this.#reported;
    this.#reported = [];
    return [...reported, ...parseJsonLines<EffectRecord>(this.#records.lines().join("\n"))];
  }

  /** What the provider has counted up to now. */
  readRequests(): RequestRecord[] {
    const file = requestsFile(this.#records.path);
    if (!existsSync(file)) return [];
    return parseJsonLines<RequestRecord>(readFileSync(file, "utf8"));
  }

  remove(): void {
    this.#notAtExit();
    this.#stopReading();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
