/** Which requests came, and how many. Keys are told apart by a fingerprint; the keys themselves are never kept. */

export interface LogEntry {
  /** Position, counted from 1. */
  n: number;
  /** The service's time, ISO 8601. */
  time: string;
  method: string;
  /** Path with its query. */
  path: string;
  /** `webhooks.create`; absent for an unknown address. */
  operation?: string;
  /** Fingerprint of the key; absent without a key. */
  key?: string;
  /** Id of the account whose key it is. */
  account?: string;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  /** The service's error code. */
  code?: number;
  /** Kind of the fault that struck. */
  fault?: string;
  /** Milliseconds. */
  elapsed: number;
  /** Names of the form's fields. */
  fields?: string[];
}

/** How many requests there were, by what they had in common. */
export interface Counts {
  total: number;
  byMethod: Record<string, number>;
  /** By endpoint, `webhooks.create`. */
  byOperation: Record<string, number>;
  byStatus: Record<string, number>;
  /** By the key's fingerprint. */
  byKey: Record<string, number>;
  /** By the fault that struck. */
  byFault: Record<string, number>;
  /** Most requests that were in flight at once. */
  maxInFlight: number;
  /** Connections that were opened. */
  connections: number;
}

export class RequestLog {
  readonly #entries: LogEntry[] = [];
  #counts = empty();
  #inFlight = 0;

  constructor(
    /** Most entries that are kept. */
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
