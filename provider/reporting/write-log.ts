/**
 * The log of all requests with which runs have changed accounts, beside the program: one line of JSON for each, written at once. It
 * contains names of fields, no values. Best effort: a line that cannot be written does not fail the request.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { appendJsonLine } from "../../fs/json-lines";
import { assertNoLink, localFolderName, makeLocalFolder } from "../../fs/local-folder";
import type { ResponseEvent } from "../../sdk/options";
import { type Actor, actorOf } from "./ci-variables";

/** The file, and the one before it. */
export const logFiles = ["writes.jsonl", "writes.1.jsonl"] as const;
/** Bytes at which a run begins a new file. */
const mostBytes = 2_000_000;

/** One request that changes an account, or may have. */
export interface WriteEntry {
  /** ISO 8601. */
  time: string;
  /** Of one process of a run; with `seq` it identifies the entry. */
  run: string;
  seq: number;
  /** The person, by the name that the system or CI knows. */
  user: string;
  /** Address of the CI job. */
  job?: string;
  stack?: string;
  /** Kind of the resource: `Webhook`. */
  kind?: string;
  /** Id of the object, with that of its subaccount. A create has it from a later line. */
  id?: string;
  /** `webhooks.create` */
  operation: string;
  /** Names of the API's fields that were sent. */
  fields?: string[];
  /** 1 for the first attempt. */
  attempt: number;
  /** HTTP status; absent without a response. */
  status?: number;
  /** The service's id of the request, where it returns one. */
  requestId?: string;
  outcome: "succeeded" | "failed" | "unknown";
}

/** A later line: the ids of created objects, or the URNs of objects by kind and id. */
export interface WriteNote {
  run?: string;
  seqs?: number[];
  id?: string;
  stack?: string;
  urns?: Record<string, string>;
}

interface Operation {
  log: WriteLog;
  kind: string;
  id?: string;
  /** Entries without an id. */
  unnamed: number[];
}

/** One for all logs: on Node 20 each that was ever used slows every promise of the process. */
const operations = new AsyncLocalStorage<Operation>();

export class WriteLog {
  readonly #run = randomBytes(6).toString("base64url");
  #actor: Actor | undefined;
  #seq = 0;

  /** @param directory folder of the program; undefined to log nothing */
  constructor(
    readonly directory: string | undefined,
    readonly environment: NodeJS.ProcessEnv,
    readonly stack: () => string,
  ) {}

  /** Does something for a resource: what it writes belongs to that. */
  during<T>(kind: string, work: () => Promise<T>): Promise<T> {
    return this.directory === undefined ? work() : operations.run({ log: this, kind, unnamed: [] }, work);
  }

  /** Takes the id of the object that is being worked on. */
  setId(id: string): void {
    const operation = this.#current();
    if (operation === undefined) return;
    operation.id = id;
    const seqs = operation.unnamed.splice(0);
    if (seqs.length > 0) this.#append({ run: this.#run, seqs, id });
  }

  add({ operation, method, attempt, fields, status, requestId, error, mayHaveSucceeded }: ResponseEvent): void {
    if (this.directory === undefined || method === "GET") return;
    const { kind, id, unnamed } = this.#current() ?? {};
    const seq = ++this.#seq;
    if (id === undefined) unnamed?.push(seq);
    const stack = this.stack() || this.environment.PULUMI_STACK;
    const outcome = error === undefined ? "succeeded" : mayHaveSucceeded ? "unknown" : "failed";
    this.#actor ??= actorOf(this.environment);
    const { user, job } = this.#actor;
    const entry: WriteEntry = {
      time: new Date().toISOString(),
      run: this.#run,
      seq,
      user,
      ...(job && { job }),
      ...(stack && { stack }),
      ...(kind && { kind }),
      ...(id !== undefined && { id }),
      operation,
      ...(fields?.length && { fields: [...fields] }),
      attempt,
      ...(status !== undefined && { status }),
      ...(requestId !== undefined && { requestId }),
      outcome,
    };
    this.#append(entry, seq === 1);
  }

  #current(): Operation | undefined {
    const operation = operations.getStore();
    return operation?.log === this ? operation : undefined;
  }

  #append(line: WriteEntry | WriteNote, isFirst = false): void {
    if (this.directory !== undefined) appendToLog(this.directory, line, isFirst);
  }
}

/** Adds a line to the log of a program's folder. */
export function appendToLog(directory: string, line: WriteEntry | WriteNote, isFirst = true): void {
  const folder = join(directory, localFolderName);
  const [file, older] = logFiles.map((name) => join(folder, name)) as [string, string];
  try {
    if (isFirst) {
      makeLocalFolder(folder);
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostBytes) renameSync(file, older);
    }
    assertNoLink(file);
    appendJsonLine(file, line);
  } catch {}
}
