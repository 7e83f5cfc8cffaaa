/**
 * Reports effects to the program that started the run: by a call if it is this process, otherwise as lines of JSON in the file that
 * `ESIGN_EFFECTS_FILE` names.
 */
import { appendJsonLine } from "../../fs/json-lines";
import type { Registration } from "../core/registration";
import type { Effect, EffectRecord } from "../plan/effect";
import type { RequestRecord } from "./request-counts";

/** Environment variable with the path of the file. */
export const effectsFileVariable = "ESIGN_EFFECTS_FILE";

/** By the path of their file, the readers that are in this process. */
const readers = new Map<string, (record: EffectRecord) => void>();

/** Has what this process reports read by a call. Returns what ends that. */
export function readEffects(file: string, read: (record: EffectRecord) => void): () => void {
  readers.set(file, read);
  return () => readers.delete(file);
}

type Registered = Pick<Registration, "urn">;

/** Writes all records, whatever they are about. */
export class EffectReporter {
  readonly #file: string | undefined;

  constructor(environment: NodeJS.ProcessEnv = process.env) {
    this.#file = environment[effectsFileVariable] || undefined;
  }

  /** True if the records are read: then a plan shows all that will be refused, instead of failing at the first. */
  get hasReader(): boolean {
    return this.#file !== undefined;
  }

  /** Reports what the run will do for a resource. `account`: the fingerprint of the key, of a create. */
  reportPlan(kind: string, { urn }: Registered, effect: Effect, account?: string): void {
    this.#report({
      ...{ ...effect, kind, done: false },
      ...(urn !== undefined && { urn }),
      ...(account !== undefined && { account }),
    });
  }

  /** Reports what was done for a resource. */
  reportDone(kind: string, { urn }: Registered, effect: Effect): void {
    this.#report({ ...effect, kind, done: true, ...(urn !== undefined && { urn }) });
  }

  #report(record: EffectRecord): void {
    if (this.#file === undefined) return;
    const read = readers.get(this.#file);
    // The reader keeps it: what becomes of the object later is not what was reported.
    if (read !== undefined) read(structuredClone(record));
    else append(this.#file, record);
  }

  /** Adds what was counted since the last call, in a file beside the other. */
  reportRequests(record: RequestRecord): void {
    if (this.#file !== undefined) append(requestsFile(this.#file), record);
  }
}

/** Where the requests are reported, by the path of the effects. */
export const requestsFile = (effectsFile: string): string => `${effectsFile}.requests`;

/** The file whose existence tells the providers of a run that it is cancelled; undefined where no program reads effects. */
export function cancelFileOf(environment: NodeJS.ProcessEnv): string | undefined {
  const file = environment[effectsFileVariable];
  return file ? `${file}.cancelled` : undefined;
}

/** Best effort: a display is no reason to fail. */
function append(file: string, record: object): void {
  try {
    appendJsonLine(file, record);
  } catch {}
}
