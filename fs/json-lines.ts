/**
 * Files to which lines of JSON are appended, by several processes in turns. A full disk cuts a line off, and a power failure may leave zero
 * bytes in its place: neither is JSON, and the next line never continues it.
 */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";

/** No number: one that is cut off is another number. */
type JsonLine = object | string;

interface AppendOptions {
  /** Permissions of a file that does not exist yet. Default: its owner's alone. */
  mode?: number;
  /** Whether it survives a power failure. Default: false. */
  flush?: boolean;
  /** Throws if the file does not exist. Default: it is created. */
  mustExist?: boolean;
}

/** Appends one line. Throws the system's error, also where the disk has had room for a part of it only. */
export function appendJsonLine(file: string, value: JsonLine, options: AppendOptions = {}): void {
  const { mode = 0o600, flush = false, mustExist = false } = options;
  const handle = openSync(file, mustExist ? appendToExisting : "a+", mode);
  try {
    const bytes = Buffer.from(`${endsInLine(handle) ? "" : "\n"}${JSON.stringify(value)}\n`);
    // In one write: lines of other processes come before or after it.
    if (writeSync(handle, bytes) < bytes.length) throw diskFull(file);
    if (flush) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The values of all whole lines of a text. Lines that are cut off, and any other text, are passed over. */
export const parseJsonLines = <T extends JsonLine>(text: string): T[] =>
  text.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      const value = JSON.parse(line) as T | number | boolean | null;
      return value !== null && ["object", "string"].includes(typeof value) ? [value as T] : [];
    } catch {
      return [];
    }
  });

const appendToExisting = constants.O_RDWR | constants.O_APPEND;

const lineEnd = 10;

/** True for an empty file, and for what cannot be read at a position. */
function endsInLine(handle: number): boolean {
  const { size } = fstatSync(handle);
  const last = Buffer.alloc(1, lineEnd);
  if (size > 0) readSync(handle, last, 0, 1, size - 1);
  return last[0] === lineEnd;
}

function diskFull(file: string): Error {
  return Object.assign(new Error(`ENOSPC: no space left on device, write '${file}'`), { code: "ENOSPC", path: file });
}
