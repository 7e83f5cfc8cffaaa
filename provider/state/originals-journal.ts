/**
 * What the state may not know of an object, kept in a small file beside the program from before a request until the state has
 * it: a run that gets killed, or whose answer is lost, loses nothing. Holds no key.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeDurably } from "../../fs/atomic-write";
import { Failure } from "../core/failure";
import { hashOf } from "../core/hash";

/** What was there before the first change, by field; `null` when there was nothing. */
export type Originals = Record<string, string | null>;
/** Marks of the values that were sent, by field: a value of the account that has one of them is this project's own. */
export type Fingerprints = Record<string, string[]>;

/** What is remembered of one object. */
export interface JournalEntry {
  originals: Originals;
  sentFingerprints: Fingerprints;
  /** Name of the last write. A state that has this name has heard of all that was sent; absent when nothing was. */
  lastWrite?: string | undefined;
  /** By field, what was there before a former owner of the object, instead of that one's value, which the new one has found. */
  transferred?: Record<string, TransferredOriginal> | undefined;
}
/** A value of a former owner, and what was there before it. */
export interface TransferredOriginal {
  replacedValue: string;
  /** Hash of what its state showed: the service answers a value as another one, and that is what the new owner has found. */
  displayedHash?: string | undefined;
  original: string | null;
}

/** The format of the files. */
const format = z.object({
  originals: z.record(z.string(), z.string().nullable()),
  sent: z.record(z.string(), z.array(z.string())).default({}),
  write: z.string().optional(),
  handed: z
    .record(
      z.string(),
      z.object({ instead: z.string(), shown: z.string().optional(), original: z.string().nullable() }),
    )
    .optional(),
});

function decode(json: unknown): JournalEntry {
  const { originals, sent, write, handed } = format.parse(json);
  const transferred =
    handed &&
    mapValues(handed, ({ instead, shown, original }) => ({ replacedValue: instead, displayedHash: shown, original }));
  return { originals, sentFingerprints: sent, lastWrite: write, ...(transferred && { transferred }) };
}

function encode({ originals, sentFingerprints, lastWrite, transferred }: JournalEntry): z.input<typeof format> {
  const handed =
    transferred &&
    mapValues(transferred, ({ replacedValue, displayedHash, original }) => ({
      instead: replacedValue,
      shown: displayedHash,
      original,
    }));
  return { originals, sent: sentFingerprints, write: lastWrite, handed };
}

const mapValues = <T, R>(object: Record<string, T>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** Where in the program's folder the files are. */
export const journalFolder = join(".esign", "journal");

export class OriginalsJournal {
  /** Files that are there, with what is in those that were read: most objects have none, and each is read once. */
  #files: Map<string, JournalEntry | undefined> | undefined;

  constructor(readonly directory: string) {}

  /** True when something is remembered of any object. */
  get hasEntries(): boolean {
    return this.#entries.size > 0;
  }

  /** Fails where the folder cannot be read: before anything is made, since the state would not get it then. */
  assertReadable(): void {
    void this.#entries;
  }

  /** What is remembered of an object, read once: nobody else writes while this process runs. Never guessed: a file that cannot be read is an error. */
  read(object: string): JournalEntry {
    const file = fileOf(object);
    if (!this.#entries.has(file)) return { originals: {}, sentFingerprints: {} };
    const known = this.#entries.get(file);
    if (known !== undefined) return known;
    let text: string;
    try {
      text = readFileSync(this.#path(file), "utf8");
    } catch (error) {
      if (isAbsent(error)) return { originals: {}, sentFingerprints: {} };
      throw unreadableFailure(file, (error as NodeJS.ErrnoException).code ?? "unknown failure");
    }
    try {
      const entry = decode(JSON.parse(text));
      this.#entries.set(file, entry);
      return entry;
    } catch (error) {
      throw unreadableFailure(file, error instanceof z.ZodError ? "members are missing or wrong" : "it is not JSON");
    }
  }

  /** Remembers more: the first original is the true one. Answers how to take that back. */
  async append(object: string, entry: JournalEntry): Promise<() => Promise<void>> {
    const before = this.read(object);
    try {
      await this.replace(object, mergeEntries([before, entry]));
    } catch (error) {
      const isOriginal = Object.keys(entry.originals).some((field) => !(field in before.originals));
      if (isOriginal || entry.transferred !== undefined) throw error;
      // Marks only spare people a question. Nothing is lost without them.
      return async () => undefined;
    }
    return () => this.replace(object, before);
  }

  /** Remembers this and nothing else. */
  async replace(object: string, entry: JournalEntry): Promise<void> {
    const before = this.read(object);
    const isEmpty = Object.keys(entry.originals).length === 0 && entry.lastWrite === undefined;
    if (isEmpty) this.remove(object);
    else if (JSON.stringify(entry) !== JSON.stringify(before)) await this.#write(fileOf(object), entry, before);
  }

  async #write(file: string, entry: JournalEntry, before: JournalEntry): Promise<void> {
    const note =
      "What was there before the first deployment, which a deletion puts back, and hashes of what was sent and may not be in the state. Remove this file to forget it.";
    // Nobody else knows what was there before. Of marks a power cut may take the last.
    const known = ({ originals, transferred }: JournalEntry) => JSON.stringify([originals, transferred]);
    const flush = known(entry) !== known(before);
    try {
      mkdirSync(join(this.directory, journalFolder), { recursive: true, mode: 0o700 });
      const text = `${JSON.stringify({ note, ...encode(entry) }, null, 2)}\n`;
      await writeDurably(this.#path(file), text, { mode: 0o600, flush });
      this.#entries.set(file, entry);
    } catch (error) {
      const { code = "unknown failure" } = error as NodeJS.ErrnoException;
      const remedy = ["ENOSPC", "EDQUOT"].includes(code) ? "make room on its disk" : "make that folder writable";
      throw new Failure(
        `what is there now cannot be kept for a later deletion (${code} in ${journalFolder} beside the program), so nothing was changed; ${remedy}`,
      );
    }
  }

  remove(object: string): void {
    const file = fileOf(object);
    if (!this.#entries.has(file)) return;
    try {
      rmSync(this.#path(file));
    } catch (error) {
      if (!isAbsent(error)) {
        // What stays would be taken for the original of a later deployment.
        const { code = "unknown failure" } = error as NodeJS.ErrnoException;
        throw new Failure(`${nameOf(file)} is not needed any more and cannot be removed (${code}); remove it`);
      }
    }
    this.#entries.delete(file);
  }

  get #entries(): Map<string, JournalEntry | undefined> {
    if (this.#files === undefined) {
      try {
        const names = readdirSync(join(this.directory, journalFolder));
        this.#files = new Map(names.map((name) => [name, undefined]));
      } catch (error) {
        if (!isAbsent(error)) throw unreadableFailure("", (error as NodeJS.ErrnoException).code ?? "unknown failure");
        this.#files = new Map();
      }
    }
    return this.#files;
  }

  #path(file: string): string {
    return join(this.directory, nameOf(file));
  }
}

/** All of several entries: of originals the first, of writes the last. */
export function mergeEntries(entries: readonly JournalEntry[]): JournalEntry {
  const all: JournalEntry = { originals: {}, sentFingerprints: {} };
  for (const { originals, sentFingerprints, lastWrite, transferred } of entries) {
    all.originals = { ...originals, ...all.originals };
    if (transferred !== undefined) all.transferred = { ...transferred, ...all.transferred };
    for (const [field, marks] of Object.entries(sentFingerprints))
      all.sentFingerprints[field] = [...new Set([...(all.sentFingerprints[field] ?? []), ...marks])];
    if (lastWrite !== undefined) all.lastWrite = lastWrite;
  }
  return all;
}

const fileOf = (object: string) => `${hashOf(object)}.json`;
const nameOf = (file: string) => join(journalFolder, file);

/** What was there before would be lost for good if this went on without it. */
function unreadableFailure(file: string, why: string): Failure {
  return new Failure(
    `what was there before the first deployment is in ${nameOf(file)} beside the program, and that cannot be read (${why}), so nothing was changed; put a good copy of the file in its place, or remove it to forget what was there before`,
  );
}

/** No file, or no folder that could hold one. */
function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}
