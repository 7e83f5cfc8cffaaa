/** Keeps the data in memory and, when a file is given, in that file: written whole and atomically, before the answer. */
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { removeTemporaryFiles, writeDurably } from "../../fs/atomic-write";
import { lock } from "./file-lock";
import { type Account, type Data, type Envelope, data as schema, type Webhook } from "./schema";

export class Store {
  /** Text of each account and record as it stands in the file; what changed is taken out. */
  readonly #json = new WeakMap<Account | Webhook | Envelope, string>();
  #dirty = false;
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** How often the file was written. */
  writes = 0;

  private constructor(
    readonly file: string | undefined,
    public data: Data,
    readonly unlock: () => void,
  ) {}

  /** Reads the file, or begins with `fresh` when there is none. A file that is not understood is refused. */
  static async open(path: string | undefined, fresh: Data): Promise<Store> {
    if (path === undefined) return new Store(path, fresh, () => {});
    mkdirSync(dirname(path), { recursive: true });
    const file = realPath(path);
    const unlock = await lock(file);
    try {
      await removeTemporaryFiles(file);
      if (existsSync(file)) return new Store(file, readData(file), unlock);
      const store = new Store(file, fresh, unlock);
      store.markChanged();
      await store.commit();
      return store;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Waits for what is being written and gives the file back. */
  async close(): Promise<void> {
    try {
      await this.commit();
    } finally {
      this.unlock();
    }
  }

  /**
   * Says that something of the account changed (or, without one, which accounts there are). Webhooks are replaced when they
   * change; an envelope that changed in itself is named.
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
   * Resolves when all changes up to now are in the file. Changes that come while the file is being written wait
   * together for one next write, so many answers share a write.
   */
  commit(): Promise<void> {
    if (this.file === undefined || (!this.#dirty && !this.#writing)) return Promise.resolve();
    if (!this.#dirty) return this.#writing!;
    if (!this.#writing) return this.#write();
    this.#next ??= this.#writing.catch(() => {}).then(() => this.#write());
    return this.#next;
  }

  #write(): Promise<void> {
    this.#next = undefined;
    this.#dirty = false;
    this.writes++;
    // It is written before each answer, and nobody's account is lost with it in a power cut.
    const write = writeDurably(this.file!, this.text(), { flush: false, mode: 0o600 });
    const done: Promise<void> = write
      .catch((error) => {
        this.#dirty = true;
        throw error;
      })
      .finally(() => {
        if (this.#writing === done) this.#writing = undefined;
      });
    this.#writing = done;
    return done;
  }

  /** The file's text. Only what changed is written out anew, also in an account of thousands of envelopes. */
  text(): string {
    const accounts = this.data.accounts.map((account) => this.#cached(account, () => this.#accountJson(account)));
    const port = this.data.port === undefined ? "" : `  "port": ${this.data.port},\n`;
    return `{\n  "version": ${this.data.version},\n${port}  "accounts": ${joinList(accounts, 2)}\n}\n`;
  }

  /** An account with its records put in. */
  #accountJson(account: Account): string {
    let text = indent({ ...account, webhooks: [], envelopes: [] }, 4);
    for (const name of ["webhooks", "envelopes"] as const) {
      const records = account[name].map((record) => this.#cached(record, () => indent(record, 8)));
      // Nothing else begins a line like this: line ends inside of texts are escaped, and other members stand deeper.
      text = text.replace(`\n      "${name}": []`, () => `\n      "${name}": ${joinList(records, 6)}`);
    }
    return text;
  }

  #cached(part: Account | Webhook | Envelope, write: () => string): string {
    let text = this.#json.get(part);
    if (text === undefined) {
      text = write();
      this.#json.set(part, text);
    }
    return text;
  }
}

/** JSON with each line indented. Put together by lines: what a replacement makes is slow to join again and again. */
function indent(value: object, indent: number): string {
  const lines = JSON.stringify(value, null, 2).split("\n");
  return lines.map((line) => " ".repeat(indent) + line).join("\n");
}

/** A list of texts as JSON writes it. */
function joinList(texts: readonly string[], indent: number): string {
  return texts.length > 0 ? `[\n${texts.join(",\n")}\n${" ".repeat(indent)}]` : "[]";
}

/** Whatever links lead to it: a file has one lock, and what was left of writing it lies beside it. */
function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
}

function readData(file: string): Data {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} is not valid JSON (${(error as Error).message}). Move it away to begin anew.`);
  }
  const parsed = schema.safeParse(value);
  // Not what the schema makes of it, which has its members in another order: the file is to stay as it is.
  if (parsed.success) return value as Data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`${file} is no data of the local service: ${issue.path.join(".")} ${issue.message}. Move it away.`);
}
