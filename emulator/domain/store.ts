/**
 * Keeps the data in memory and optionally in a file, which is written atomically before each response. What cannot be written is
 * not kept in memory either.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { removeTemporaryFiles, writeDurably } from "../../fs/atomic-write";
import { lock } from "../../fs/file-lock";
import { isOfLaterVersion } from "../../fs/format-version";
import { parseJsonText } from "../../fs/json-text";
import { localFolderName, makeLocalFolder } from "../../fs/local-folder";
import { makeFolderSync } from "../../fs/make-folder";
import {
  type Account,
  type Contact,
  type Data,
  type Envelope,
  formatVersion,
  data as schema,
  type Webhook,
} from "./data-schema";

/** A record of an account that is replaced when it changes, or passed to `markChanged`. */
type Stored = Webhook | Contact | Envelope;

export class Store {
  /** JSON of each account and record in the file; changed ones are removed. */
  readonly #json = new WeakMap<Account | Stored, string>();
  #dirty = false;
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** The content of the file. */
  #written = "";
  /** Number of writes to the file. */
  writes = 0;

  private constructor(
    readonly file: string | undefined,
    public data: Data,
    readonly unlock: () => void,
  ) {}

  /** Reads the file, or creates it with `fresh`. Throws if its content is not valid. */
  static async open(path: string | undefined, fresh: Data): Promise<Store> {
    if (path === undefined) return new Store(path, fresh, () => {});
    if (basename(dirname(resolve(path))) === localFolderName) makeLocalFolder(dirname(path));
    else makeFolderSync(dirname(path));
    const file = realPath(path);
    const unlock = lock(file, inUseError(file));
    try {
      await removeTemporaryFiles(file);
      if (existsSync(file)) {
        const store = new Store(file, readData(file), unlock);
        store.#written = store.text();
        return store;
      }
      const store = new Store(file, fresh, unlock);
      store.markChanged();
      await store.commit();
      return store;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Completes pending writes and unlocks the file. */
  async close(): Promise<void> {
    try {
      await this.commit();
    } finally {
      this.unlock();
    }
  }

  /**
   * Marks an account as changed; without one, the list of accounts. Webhooks and contacts are replaced when they change; an
   * envelope that was changed in place is passed.
   */
  markChanged(account?: Account, envelope?: Envelope): void {
    if (account) this.#json.delete(account);
    if (envelope) this.#json.delete(envelope);
    this.#dirty = true;
  }

  replace(data: Data): void {
    this.data = data;
    this.#dirty = true;
  }

  /**
   * Resolves when all changes up to now are in the file. Changes during a write wait together for the next one, so many
   * responses share a write. Rejects when a write fails: then all changes since the last successful one are undone.
   */
  commit(): Promise<void> {
    if (this.file === undefined || (!this.#dirty && !this.#writing)) return Promise.resolve();
    if (!this.#dirty) return this.#writing!;
    if (!this.#writing) return this.#write();
    this.#next ??= this.#writing.then(() => this.#write());
    return this.#next;
  }

  #write(): Promise<void> {
    this.#next = undefined;
    this.#dirty = false;
    this.writes++;
    // Without fsync: it is written before each response, and test data need not survive a power cut.
    const text = this.text();
    const end = () => {
      this.#writing = undefined;
    };
    this.#writing = writeDurably(this.file!, text, { flush: false, mode: 0o600 }).then(
      () => {
        end();
        this.#written = text;
      },
      (error: Error) => {
        end();
        this.#undo();
        throw new Error(`The data could not be saved (${error.message}). Nothing was changed.`, { cause: error });
      },
    );
    return this.#writing;
  }

  /** Changes that wait for the next write may build on those that failed: they are undone, too, and their commit rejects. */
  #undo(): void {
    this.data = this.#written === "" ? this.data : (JSON.parse(this.#written) as Data);
    this.#dirty = false;
    this.#next = undefined;
  }

  /** The file's content. Only what changed is serialized again, even in an account with thousands of envelopes. */
  text(): string {
    const accounts = this.data.accounts.map((account) => this.#cached(account, () => this.#accountJson(account)));
    const port = this.data.port === undefined ? "" : `  "port": ${this.data.port},\n`;
    return `{\n  "version": ${this.data.version},\n${port}  "accounts": ${joinList(accounts, 2)}\n}\n`;
  }

  /** An account with its records, each serialized once. */
  #accountJson(account: Account): string {
    let text = indent({ ...account, webhooks: [], contacts: [], envelopes: [] }, 4);
    for (const name of ["webhooks", "contacts", "envelopes"] as const) {
      const records = account[name].map((record) => this.#cached(record, () => indent(record, 8)));
      // No other line begins like this: line breaks in strings are escaped, and other members are indented more.
      text = text.replace(`\n      "${name}": []`, () => `\n      "${name}": ${joinList(records, 6)}`);
    }
    return text;
  }

  #cached(part: Account | Stored, write: () => string): string {
    let text = this.#json.get(part);
    if (text === undefined) {
      text = write();
      this.#json.set(part, text);
    }
    return text;
  }
}

/** Indented JSON. Joined by lines, which is faster than a replacement of line breaks. */
function indent(value: object, indent: number): string {
  const lines = JSON.stringify(value, null, 2).split("\n");
  return lines.map((line) => " ".repeat(indent) + line).join("\n");
}

/** A JSON list of serialized items. */
function joinList(texts: readonly string[], indent: number): string {
  return texts.length > 0 ? `[\n${texts.join(",\n")}\n${" ".repeat(indent)}]` : "[]";
}

/** Resolves links: a file has one lock, and its temporary files are next to it. */
function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
}

function readData(file: string): Data {
  let value: unknown;
  try {
    value = parseJsonText(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} is not valid JSON (${(error as Error).message}). Move it away to start over.`);
  }
  if (isOfLaterVersion(value, formatVersion))
    throw new Error(`${file} was written by a later version of the emulator. Use that version, or move the file away.`);
  const parsed = schema.safeParse(value);
  // Not the parsed value, whose members have another order: the file must not change.
  if (parsed.success) return value as Data;
  const issue = parsed.error.issues[0]!;
  throw new Error(
    `${file} is not a data file of the emulator: ${issue.path.join(".")} ${issue.message}. Move it away.`,
  );
}

/** Another emulator has the data file open. */
export class DataFileInUse extends Error {
  override readonly name = "DataFileInUse";
}

const inUseError = (file: string) => (pid: number | undefined, lockPath: string) =>
  new DataFileInUse(
    `${file} is in use by another emulator (process ${pid ?? "unknown"}). Stop it, or delete ${lockPath} if that process is not an emulator.`,
  );
