/**
 * The lock of a stack: a file with the process that holds it, in a folder where there must be no other. The CLI does
 * the same, so each respects the other.
 *
 * Used for: the file:// backend.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import path from "node:path";
import { writeDurably } from "../../fs/atomic-write";
import { isEmptied, namesIn, readText } from "../../fs/optional-files";
import { currentProcess, hasEnded, type ProcessReference } from "../../fs/process-identity";
import { userName } from "../../fs/user-name";
import type { LockInfo } from "../api";
import { EngineError } from "../errors";

/** The holder of a lock, for messages. */
export const describeLock = ({ username, hostname, pid, timestamp }: LockInfo): string =>
  pid > 0
    ? `${username}@${hostname} (process ${pid}) since ${timestamp}`
    : "an unknown process: the lock file is damaged";

/** The content of a lock file; nothing when it is not JSON. The CLI's files identify the process only by its number. */
function parseLock(text: string): Partial<LockInfo & ProcessReference> {
  try {
    return (JSON.parse(text) as Partial<LockInfo & ProcessReference> | null) ?? {};
  } catch {
    return {};
  }
}

/** True for a lock that was made in another boot than this one, though this one had begun: by a machine that shares the folder and the name. */
function isOfOtherMachine(life: ProcessReference["life"], timestamp: string): boolean {
  const boot = currentProcess().life?.boot;
  if (life === undefined || boot === undefined || life.boot === boot) return false;
  return Date.parse(timestamp) > Date.now() - uptime() * 1000;
}

interface Lock {
  /** Locks of dead processes that were removed for this one. */
  removed: readonly LockInfo[];
  release(): Promise<void>;
}

/** The locks in the folder of one stack. */
export class StackLocks {
  readonly #stack: string;
  readonly #folder: string;

  constructor(stack: string, folder: string) {
    this.#stack = stack;
    this.#folder = folder;
  }

  async list(): Promise<LockInfo[]> {
    return Promise.all((await this.#files()).map((name) => this.#read(name)));
  }

  /**
   * Rejects with code "locked" when another process holds the lock. Locks of processes of this host that have ended are
   * removed, and so are empty ones: their process was killed, or the machine lost power.
   */
  async acquire(): Promise<Lock> {
    const removed = await this.#removeStale();
    await this.#throwIfLocked();
    const name = `${randomUUID()}.json`;
    const release = (): Promise<void> => rm(path.join(this.#folder, name), { force: true });
    const content = {
      ...currentProcess(),
      username: userName(),
      hostname: hostname(),
      timestamp: new Date().toISOString(),
    };
    await writeDurably(path.join(this.#folder, name), JSON.stringify(content));
    try {
      // Two processes that lock at the same moment see each other's file here, and both give up.
      await this.#throwIfLocked(name);
    } catch (error) {
      await release();
      throw error;
    }
    return { removed, release };
  }

  /** Runs a task under the lock. */
  async run<T>(task: (lock: Lock) => Promise<T>): Promise<T> {
    const lock = await this.acquire();
    try {
      return await task(lock);
    } finally {
      await lock.release();
    }
  }

  /** Removes all locks; resolves to how many there were. */
  async clear(): Promise<number> {
    const names = await this.#files();
    for (const name of names) await rm(path.join(this.#folder, name), { force: true });
    return names.length;
  }

  async #files(): Promise<string[]> {
    return (await namesIn(this.#folder)).filter((name) => name.endsWith(".json"));
  }

  async #read(name: string): Promise<LockInfo> {
    const text = await readText(path.join(this.#folder, name));
    const content = parseLock(text ?? "");
    const info = {
      pid: Number(content.pid ?? 0),
      username: String(content.username ?? "?"),
      hostname: String(content.hostname ?? "?"),
      timestamp: String(content.timestamp ?? "?"),
    };
    const isHere = info.hostname === hostname() && !isOfOtherMachine(content.life, info.timestamp);
    const hasHolderEnded = isHere && info.pid > 0 && hasEnded({ ...info, life: content.life });
    // Engines rename a lock file into place after they have written its content: only a power failure empties one.
    return { ...info, stale: (text !== undefined && isEmptied(text)) || hasHolderEnded === true };
  }

  async #throwIfLocked(own?: string): Promise<void> {
    const others = (await this.#files()).filter((name) => name !== own);
    if (others.length === 0) return;
    const lines = (await Promise.all(others.map((name) => this.#read(name)))).map(
      (lock) => `  by ${describeLock(lock)}`,
    );
    throw new EngineError(
      `stack ${this.#stack} is locked:\n${lines.join("\n")}\n` +
        "Wait until that run has ended. If you are sure that none is running, remove the lock with `cancel`",
      "locked",
    );
  }

  async #removeStale(): Promise<LockInfo[]> {
    const removed: LockInfo[] = [];
    for (const name of await this.#files()) {
      const lock = await this.#read(name);
      if (!lock.stale) continue;
      await rm(path.join(this.#folder, name), { force: true });
      removed.push(lock);
    }
    return removed;
  }
}
