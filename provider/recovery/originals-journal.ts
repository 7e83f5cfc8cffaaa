/**
 * The write-ahead journal of one program: original values and fingerprints of what is sent, in a small file for each
 * object from before a request until the state has them. A run that is killed, or whose response is lost, loses nothing.
 * Holds no key; what may be secret is encrypted under the key of this machine.
 */
import { join } from "node:path";
import { z } from "zod";
import { exhaustionRemedy } from "../../fs/exhausted";
import { MachineKeyError, machineKeyVariable } from "../../fs/machine-key";
import { Failure } from "../core/failure";
import { EntryFiles } from "./entry-files";
import {
  emptyEntry,
  type JournalEntry,
  journalFileOf,
  journalFolder,
  mergeEntries,
  parseEntry,
  renderEntry,
  textOf,
} from "./journal-file";
import { isEarlier } from "./write-names";

export class OriginalsJournal {
  readonly #files: EntryFiles<JournalEntry>;
  /** Called for a damaged file of an object that has no original values; undefined where there may be some. */
  readonly #onDamaged: ((path: string, reason: string) => void) | undefined;

  /** `log` shows a notice to the user. */
  constructor(directory: string, log?: (notice: string) => void);
  constructor(files: EntryFiles<JournalEntry>, onDamaged: (path: string, reason: string) => void);
  constructor(place: string | EntryFiles<JournalEntry>, log?: (path: string, reason: string) => void) {
    this.#onDamaged = typeof place === "string" ? undefined : log;
    // What has an original value is flushed before it gets its name, so an empty file had none.
    const onEmptied = (path: string) => log?.(`${path} was emptied by a power failure: ignored`, "");
    this.#files = typeof place === "string" ? new EntryFiles(place, journalFolder, parseEntry, onEmptied) : place;
  }

  /** The same files, for objects whose deletion restores nothing: of a damaged one only a notice is lost, and it goes with the next write. */
  withoutOriginals(log: (notice: string) => void): OriginalsJournal {
    const reported = new Set<string>();
    return new OriginalsJournal(this.#files, (path, reason) => {
      if (!reported.has(path)) log(`${path} is damaged (${reason}) and holds no original value: ignored`);
      reported.add(path);
    });
  }

  /** True if anything is recorded of any object. */
  get hasEntries(): boolean {
    return this.#readable("", () => this.#files.names.length > 0) === true;
  }

  /** What is recorded of an object; of what was encrypted on another machine the names of writes. Never guessed: a file that cannot be read is an error. */
  read(object: string): JournalEntry {
    const file = journalFileOf(object);
    return this.#readable(file, () => this.#files.read(file)) ?? emptyEntry;
  }

  /** As {@link read}, where all of it is needed. */
  readAll(object: string): JournalEntry {
    const entry = this.read(object);
    if (entry.isSealed !== true) return entry;
    throw new Failure(
      "ESIGN1052",
      `${join(journalFolder, journalFileOf(object))} was encrypted on another machine; nothing was changed`,
      `Run this on the machine where the interrupted deployment ran, or set ${machineKeyVariable} to the same value on both; or remove the file if you can do without the original values in it`,
    );
  }

  /** Records more: the first original is the true one. Returns how to undo that. */
  async append(object: string, entry: JournalEntry): Promise<() => Promise<void>> {
    const previous = this.#readBefore(object, entry);
    try {
      await this.replace(object, mergeEntries([previous, entry]));
    } catch (error) {
      const isOriginal = Object.keys(entry.originals).some((field) => !(field in previous.originals));
      if (isOriginal || Object.keys(entry.transferred ?? {}).length > 0) throw error;
      // Fingerprints only spare the user a question. Nothing is lost without them.
      return async () => undefined;
    }
    return () => this.replace(object, previous);
  }

  /** What is recorded before a write. What is sealed may go if the state, whose next write this is, includes it. */
  #readBefore(object: string, { lastWrite = "" }: JournalEntry): JournalEntry {
    const previous = this.read(object);
    const isIncluded = previous.isSealed === true && isEarlier(previous.lastWrite ?? "", lastWrite);
    return isIncluded ? emptyEntry : this.readAll(object);
  }

  /** Records this and nothing else. */
  async replace(object: string, entry: JournalEntry): Promise<void> {
    const previous = this.read(object);
    const isEmpty = Object.keys(entry.originals).length === 0 && entry.lastWrite === undefined;
    if (isEmpty) return this.remove(object);
    if (previous.isSealed !== true && textOf(entry) === textOf(previous)) return;
    // The journal alone has the originals. Where there are none, a power failure may take the fingerprints.
    const hasOriginals = [entry, previous].some(({ originals }) => Object.keys(originals).length > 0);
    try {
      await this.#files.write(journalFileOf(object), entry, renderEntry(journalFileOf(object), entry), hasOriginals);
    } catch (error) {
      const code = codeOf(error);
      throw new Failure(
        "ESIGN1051",
        `cannot save the original value (${code} in ${journalFolder}); nothing was changed`,
        error instanceof MachineKeyError
          ? `${error.message}. Or set ${machineKeyVariable}`
          : `${exhaustionRemedy(code) ?? "Make that folder writable"} and rerun`,
      );
    }
  }

  remove(object: string): void {
    const file = journalFileOf(object);
    this.#readable(file, () => this.#files.has(file));
    try {
      this.#files.remove(file);
    } catch (error) {
      throw new Failure(
        "ESIGN1053",
        `${join(journalFolder, file)} is no longer needed and cannot be removed (${codeOf(error)})`,
      );
    }
  }

  /** Original values that cannot be read would be lost for good if the run went on without them. */
  #readable<R>(file: string, read: () => R): R | undefined {
    try {
      return read();
    } catch (error) {
      if (error instanceof Failure) throw error;
      const isInvalid = error instanceof z.ZodError;
      const reason = isInvalid ? "invalid content" : error instanceof SyntaxError ? "not JSON" : codeOf(error);
      if (this.#onDamaged !== undefined && (isInvalid || error instanceof SyntaxError)) {
        this.#onDamaged(join(journalFolder, file), reason);
        return undefined;
      }
      throw new Failure(
        "ESIGN1052",
        `cannot read the original values in ${join(journalFolder, file)} (${reason}); nothing was changed`,
      );
    }
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "unknown failure";
