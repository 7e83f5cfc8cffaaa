/**
 * The lock of a stack: a file with the process that holds it, in a folder where there must be no other. The CLI does
 * the same, so each respects the other.
 *
 * Serves: the file:// backend.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import path from "node:path";
import { writeDurably } from "../../fs/atomic-write";
import { namesIn, readText } from "../../fs/files";
import { type Holder, hasEnded, holder } from "../../fs/process-identity";
import type { LockInfo } from "../api";
import { EngineError } from "../errors";

const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
};

/** Who holds a lock, in words. */
export const describeLock = ({ username, hostname, pid, timestamp }: LockInfo): string =>
  pid > 0
    ? `${username}@${hostname} (process ${pid}) since ${timestamp}`
    : "somebody: the lock's file does not say who it is";

/** What a lock's file says; nothing when that is no JSON. The CLI's say nothing of the process but its number. */
function contentOf(text: string | undefined): Partial<LockInfo & Holder> {
  try {
    return (JSON.parse(text || "{}") as Partial<LockInfo & Holder> | null) ?? {};
  } catch {
    return {};
  }
}

export interface LockFolder {
  list(): Promise<LockInfo[]>;
  /**
   * Rejects with code "locked" when somebody else holds the lock. Locks of processes of this host that have ended are
   * removed: those were killed, and nobody is working on the stack any more.
   */
  take(stack: string): Promise<Lock>;
  /** Removes all locks; resolves to how many there were. */
  clear(): Promise<number>;
}

export class Lock {
  private constructor(
    private readonly file: string,
    /** Locks of dead processes that were removed for this one. */
    readonly removed: readonly LockInfo[],
  ) {}

  async release(): Promise<void> {
    await rm(this.file, { force: true });
  }

  static folder(folder: string): LockFolder {
    const files = async (): Promise<string[]> => (await namesIn(folder)).filter((n) => n.endsWith(".json"));

    const read = async (name: string): Promise<LockInfo> => {
      const content = contentOf(await readText(path.join(folder, name)));
      const info = {
        pid: Number(content.pid ?? 0),
        username: String(content.username ?? "?"),
        hostname: String(content.hostname ?? "?"),
        timestamp: String(content.timestamp ?? "?"),
      };
      return {
        ...info,
        stale: info.hostname === hostname() && info.pid > 0 && hasEnded({ ...info, life: content.life }) === true,
      };
    };

    const check = async (stack: string, own?: string): Promise<void> => {
      const others = (await files()).filter((n) => n !== own);
      if (others.length === 0) return;
      const lines = (await Promise.all(others.map(read))).map((l) => `  by ${describeLock(l)}`);
      throw new EngineError(
        `stack ${stack} is locked:\n${lines.join("\n")}\n` +
          "Wait until that run has ended. If you are sure that there is none, remove the lock with `cancel`",
        "locked",
      );
    };

    const removeStale = async (): Promise<LockInfo[]> => {
      const removed: LockInfo[] = [];
      for (const name of await files()) {
        const lock = await read(name);
        if (!lock.stale) continue;
        await rm(path.join(folder, name), { force: true });
        removed.push(lock);
      }
      return removed;
    };

    return {
      list: async () => Promise.all((await files()).map(read)),
      async take(stack) {
        const removed = await removeStale();
        await check(stack);
        const name = `${randomUUID()}.json`;
        const lock = new Lock(path.join(folder, name), removed);
        const content = {
          ...holder(),
          username: userName(),
          hostname: hostname(),
          timestamp: new Date().toISOString(),
        };
        await writeDurably(lock.file, JSON.stringify(content));
        try {
          // Somebody may have come at the same moment: then both see each other, and both step back.
          await check(stack, name);
        } catch (error) {
          await lock.release();
          throw error;
        }
        return lock;
      },
      async clear() {
        const names = await files();
        for (const name of names) await rm(path.join(folder, name), { force: true });
        return names.length;
      },
    };
  }
}
