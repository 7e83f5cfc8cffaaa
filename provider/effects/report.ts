/** Reports effects to the program that has started the run: one line of JSON each, in the file that it names. */
import { appendFileSync } from "node:fs";
import type { EffectRecord } from "./effect";

/** Environment variable with the path of the file. */
export const effectsFileVariable = "ESIGN_EFFECTS_FILE";
/** Environment variable that keeps previews from reading the account. */
export const offlineVariable = "ESIGN_OFFLINE";

export class EffectReporter {
  readonly #file: string | undefined;

  constructor(environment: NodeJS.ProcessEnv = process.env) {
    this.#file = environment[effectsFileVariable] || undefined;
  }

  /** True if the records are read: then a plan shows all that will be refused, instead of failing at the first. */
  get hasReader(): boolean {
    return this.#file !== undefined;
  }

  /** Adds a record; a later one of the same resource replaces it. Best effort: a display is no reason to fail. */
  report(record: EffectRecord): void {
    if (this.#file === undefined) return;
    try {
      appendFileSync(this.#file, `${JSON.stringify(record)}\n`);
    } catch {}
  }
}
