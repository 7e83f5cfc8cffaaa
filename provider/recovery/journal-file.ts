/**
 * The file of one object in `.esign/journal`: its original values and the fingerprints of what was sent, encrypted under the key of this
 * machine, and the name of its last write. From the first release on the names of the members never change.
 */
import { join } from "node:path";
import { z } from "zod";
import { isOfLaterVersion } from "../../fs/format-version";
import { localFolderName } from "../../fs/local-folder";
import { seal, unseal } from "../../fs/machine-key";
import { hashOf } from "../core/hash";
import { laterVersion } from "../core/later-version";
import type { TransferredOriginal } from "../state/drift";
import type { Fingerprints, Originals } from "../state/metadata";

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

export function parseEntry(text: string, file: string): JournalEntry {
  const json: unknown = JSON.parse(text);
  if (isOfLaterVersion(json, formatVersion)) throw laterVersion(join(journalFolder, file));
  const { lastWrite, createdFor, sealed } = format.parse(json);
  const opened = unseal(file, sealed);
  if (opened === undefined) return { ...emptyEntry, lastWrite, createdFor, isSealed: true };
  return { ...content.parse(JSON.parse(opened)), lastWrite, createdFor };
}

export function renderEntry(file: string, entry: JournalEntry): string {
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

export const textOf = (entry: JournalEntry): string =>
  JSON.stringify([contentOf(entry), entry.lastWrite, entry.createdFor]);

export const journalFileOf = (object: string) => `${hashOf(object)}.json`;
