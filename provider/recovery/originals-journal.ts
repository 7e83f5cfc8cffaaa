/**
 * The write-ahead journal of one program: original values and fingerprints of what is sent, in a small file for each
 * object from before a request until the state has them. A run that is killed, or whose response is lost, loses nothing.
 * Holds no key; what may be secret is encrypted under the key of this machine. From the first release on the
 * names of the members in the files never change.
 */
import { join } from "node:path";
import { z } from "zod";
import { exhaustionRemedy } from "../../fs/exhausted";
import { isOfLaterVersion } from "../../fs/format-version";
import { localFolderName } from "../../fs/local-folder";
import { MachineKeyError, machineKeyVariable, seal, unseal } from "../../fs/machine-key";
import { Failure } from "../core/failure";
import { hashOf } from "../core/hash";
import { laterVersion } from "../core/later-version";
import type { TransferredOriginal } from "../state/drift";
import type { Fingerprints, Originals } from "../state/metadata";
import { EntryFiles } from "./entry-files";
import { isEarlier } from "./write-names";

/** What is recorded of one object. */
export interface JournalEntry {
  originals: Originals;
  sentFingerprints: Fingerprints;
  /** Name of the last write; absent if nothing was sent. */
  lastWrite?: string | undefined;
  /** By field, what a former resource leaves to the next one of the same object. */
  transferred?: Record<string, TransferredOriginal> | undefined;
  /** Instance id of the resource that has adopted the object from a former one of the stack, which had created it. */
  createdFor?: string | undefined;
  /** True where the rest was encrypted on another machine: only the names of the writes are known. */
  isSealed?: boolean | undefined;
}

/** Where in the program's folder the files are. */
export const journalFolder = join(localFolderName, "journal");

export const emptyEntry: JournalEntry = { originals: {}, sentFingerprints: {} };

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
    this.#files = typeof place === "string" ? new EntryFiles(place, journalFolder, decode, onEmptied) : place;
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
    const file = fileOf(object);
    return this.#readable(file, () => this.#files.read(file)) ?? emptyEntry;
  }

  /** As {@link read}, where all of it is needed. */
  readAll(object: string): JournalEntry {
    const entry = this.read(object);
    if (entry.isSealed !== true) return entry;
    throw new Failure(
      "ESIGN1052",
      `${join(journalFolder, fileOf(object))} was encrypted on another machine; nothing was changed`,
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
      await this.#files.write(fileOf(object), entry, encode(fileOf(object), entry), hasOriginals);
    } catch (error) {
      const code = codeOf(error);
      throw new Failure(
        "ESIGN1051",
        `cannot save the original value (${code} in ${journalFolder}); nothing was changed`,
        error instanceof MachineKeyError
          ? `${error.message}. Or set ${machineKeyVariable}`
          : `${exhaustionRemedy(error) ?? "Make that folder writable"} and rerun`,
      );
    }
  }

  remove(object: string): void {
    const file = fileOf(object);
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

/** Several entries as one: of originals and what was transferred the first, of writes the last, of fingerprints all. */
export function mergeEntries(entries: readonly JournalEntry[]): JournalEntry {
  const all: JournalEntry = { originals: {}, sentFingerprints: {} };
  for (const { originals, sentFingerprints, lastWrite, transferred, createdFor } of entries) {
    all.originals = { ...originals, ...all.originals };
    if (transferred !== undefined) all.transferred = { ...transferred, ...all.transferred };
    for (const [field, sent] of Object.entries(sentFingerprints)) {
      all.sentFingerprints[field] = [...new Set([...(all.sentFingerprints[field] ?? []), ...sent])];
    }
    if (lastWrite !== undefined) all.lastWrite = lastWrite;
    if (createdFor !== undefined) all.createdFor = createdFor;
  }
  return all;
}

const formatVersion = 1;

/** What may be secret, which is encrypted. */
const content = z.object({
  originals: z.record(z.string(), z.string().nullable()),
  sentFingerprints: z.record(z.string(), z.array(z.string())),
  transferred: z
    .record(
      z.string(),
      z.object({
        replacedValue: z.string(),
        displayedHash: z.string().optional(),
        original: z.string().nullable(),
      }),
    )
    .optional(),
});

const format = z.object({
  version: z.literal(formatVersion),
  lastWrite: z.string().optional(),
  createdFor: z.string().optional(),
  sealed: z.string(),
});

function decode(text: string, file: string): JournalEntry {
  const json: unknown = JSON.parse(text);
  if (isOfLaterVersion(json, formatVersion)) throw laterVersion(join(journalFolder, file));
  const { lastWrite, createdFor, sealed } = format.parse(json);
  const opened = unseal(file, sealed);
  if (opened === undefined) return { ...emptyEntry, lastWrite, createdFor, isSealed: true };
  return { ...content.parse(JSON.parse(opened)), lastWrite, createdFor };
}

function encode(file: string, entry: JournalEntry): string {
  const { lastWrite, createdFor } = entry;
  const note =
    "Original values, which a deletion restores, and hashes of what was sent and may not be in the state, encrypted under the key of this machine. Remove this file to give them up.";
  const sealed = seal(file, JSON.stringify(contentOf(entry)));
  return `${JSON.stringify({ version: formatVersion, note, lastWrite, createdFor, sealed }, null, 2)}\n`;
}

const contentOf = ({ originals, sentFingerprints, transferred }: JournalEntry): z.output<typeof content> => ({
  originals,
  sentFingerprints,
  transferred,
});

const textOf = (entry: JournalEntry): string => JSON.stringify([contentOf(entry), entry.lastWrite, entry.createdFor]);

const fileOf = (object: string) => `${hashOf(object)}.json`;
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "unknown failure";
