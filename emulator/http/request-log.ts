/** The log of requests and their counts. It contains fingerprints of keys, never the keys. */

import { longestLoggedField, mostLoggedFields } from "../domain/limits";
import type { Fields } from "../handlers/body-fields";

export interface LogEntry {
  /** Position, counted from 1. */
  n: number;
  /** The emulator's time, ISO 8601. */
  time: string;
  method: string;
  /** Path with its query. */
  path: string;
  /** `webhooks.create`; absent for an unknown URL. */
  operation?: string;
  /** Fingerprint of the key; absent without a key. */
  key?: string;
  /** ID of the key's account. */
  account?: string;
  /** HTTP status; 0 without a response. */
  status: number;
  /** The API's error code. */
  code?: number;
  /** Kind of the injected fault. */
  fault?: string;
  /** Milliseconds. */
  elapsed: number;
  /** Names of the form's fields. */
  fields?: string[];
}

/** Numbers of requests. */
export interface Counts {
  total: number;
  byMethod: Record<string, number>;
  /** By endpoint, `webhooks.create`. */
  byOperation: Record<string, number>;
  byStatus: Record<string, number>;
  /** By the key's fingerprint. */
  byKey: Record<string, number>;
  /** By kind of injected fault. */
  byFault: Record<string, number>;
  /** Maximum number of concurrent requests. */
  maxInFlight: number;
  /** Opened connections. */
  connections: number;
}

export class RequestLog {
  readonly #entries: LogEntry[] = [];
  #counts = empty();
  #inFlight = 0;

  constructor(
    /** Maximum number of entries. */
    readonly capacity: number,
    /** Called for each entry. */
    readonly listener?: (entry: LogEntry) => void,
  ) {}

  begin(): void {
    this.#inFlight++;
    this.#counts.maxInFlight = Math.max(this.#counts.maxInFlight, this.#inFlight);
  }

  end(entry: Omit<LogEntry, "n">): void {
    this.#inFlight--;
    const counts = this.#counts;
    counts.total++;
    increment(counts.byMethod, entry.method);
    increment(counts.byOperation, entry.operation ?? "unknown");
    increment(counts.byStatus, String(entry.status));
    if (entry.key) increment(counts.byKey, entry.key);
    if (entry.fault) increment(counts.byFault, entry.fault);
    const numbered = { n: counts.total, ...entry };
    this.#entries.push(numbered);
    if (this.#entries.length > this.capacity) this.#entries.shift();
    this.listener?.(numbered);
  }

  connected(): void {
    this.#counts.connections++;
  }

  /** Oldest first. */
  entries(): LogEntry[] {
    return structuredClone(this.#entries);
  }

  counts(): Counts {
    return structuredClone(this.#counts);
  }

  clear(): void {
    this.#entries.length = 0;
    this.#counts = empty();
    this.#counts.maxInFlight = this.#inFlight;
  }
}

function empty(): Counts {
  return {
    total: 0,
    byMethod: {},
    byOperation: {},
    byStatus: {},
    byKey: {},
    byFault: {},
    maxInFlight: 0,
    connections: 0,
  };
}

function increment(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** Field names for the log. Of a body that is not a form one name may be as long as the body. */
export function loggedFieldNames(form: Fields): string[] {
  const names = Object.keys(form).slice(0, mostLoggedFields);
  return names.map((name) => (name.length > longestLoggedField ? `${name.slice(0, longestLoggedField)}…` : name));
}
