/**
 * The file of a pending create in `.esign/pending-creates`: a first line, written before the request, and what is known of it later, a line
 * each. Named after the instance id that the resource would have in the state. From the first release on the names of the members never change.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isOfLaterVersion } from "../../fs/format-version";
import { parseJsonLines } from "../../fs/json-lines";
import { localFolderName } from "../../fs/local-folder";
import { laterVersion } from "../core/later-version";

/** Where in the program's folder the files are, one for each create. */
export const pendingCreatesFolder = join(localFolderName, "pending-creates");

const formatVersion = 1;

/** The first line of a file, written with it. */
const format = z.object({
  version: z.literal(formatVersion),
  /** The process that sends it. */
  process: z.object({
    pid: z.number(),
    life: z.object({ boot: z.string(), namespace: z.string(), started: z.string() }).optional(),
  }),
  /** Hash of what is created. */
  target: z.string(),
  /** Ids of the identical objects that existed before it. */
  existing: z.array(z.string()).readonly(),
  kind: z.string(),
  stack: z.string(),
  /** The company that it is in. */
  company: z.string().optional(),
  /** The key that it was sent with, and the address, as a hash. */
  sender: z.string(),
  /** Of the resource; see {@link CreatingResource}. */
  urn: z.string().optional(),
  isAlike: z.boolean(),
  isReplacement: z.boolean(),
});

/** A line that follows it. */
const appendedFormat = z.object({
  /** The object that it created, once that was known. */
  createdObject: z.string().optional(),
  /** ID of an object that another create has made. */
  excludedId: z.string().optional(),
});

export type FirstLine = Omit<z.output<typeof format>, "version">;
export type AppendedLine = z.output<typeof appendedFormat>;

/** What is recorded of a create. */
export interface RecordedCreate extends FirstLine {
  /** The instance id that its resource would have in the state. */
  instanceId: string;
  createdObject?: string | undefined;
}

const suffix = ".json";

export const pendingCreateFileOf = (instanceId: string): string => `${instanceId}${suffix}`;

/** Undefined for a file that is not one of a create. */
export const instanceIdOf = (name: string): string | undefined =>
  name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;

/**
 * Null: the file is not understood.
 *
 * @throws {Failure} for one of a later version, whose create would be sent a second time without it
 */
export function parsePendingCreate(text: string, name: string): RecordedCreate | null {
  const [first, ...more] = text.split("\n");
  const [json] = parseJsonLines<object>(first!);
  if (isOfLaterVersion(json, formatVersion)) throw laterVersion(join(pendingCreatesFolder, name));
  const { data: record } = format.safeParse(json);
  if (record === undefined) return null;
  const lines = parseJsonLines<object>(more.join("\n")).flatMap((line) => appendedFormat.safeParse(line).data ?? []);
  const excluded = lines.flatMap(({ excludedId }) => excludedId ?? []);
  const createdObject = lines.find((line) => line.createdObject !== undefined)?.createdObject;
  return { ...record, instanceId: instanceIdOf(name)!, existing: [...record.existing, ...excluded], createdObject };
}

/** The text of a new file. */
export const renderPendingCreate = (line: FirstLine): string =>
  `${JSON.stringify({ version: formatVersion, ...line })}\n`;

/** Removes the record of a create whose result is in the state, for a process that has no records of its own. */
export function endPendingCreate(directory: string, instanceId: string | undefined): void {
  if (instanceId === undefined || !/^[\w-]+$/.test(instanceId)) return;
  try {
    rmSync(join(directory, pendingCreatesFolder, pendingCreateFileOf(instanceId)), { force: true });
  } catch {}
}
