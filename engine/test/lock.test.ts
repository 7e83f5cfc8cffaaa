/** Locks in a folder that several machines share: cloned from one image, they may have one name. */
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { currentProcess } from "../../fs/process-identity";
import { temporaryFolder } from "../../test/files";
import { StackLocks } from "../backend/lock";

const hour = 60 * 60 * 1000;
const booted = () => Date.now() - uptime() * 1000;
/** Beyond every process ID. */
const gone = 2 ** 30;

// Only Linux tells boots apart.
it.runIf(process.platform === "linux").each([
  ["another machine, while this one is running", { boot: "another" }, () => Date.now() - 1000, false],
  ["another machine whose clock is ahead", { boot: "another" }, () => Date.now() + hour, false],
  ["this machine, before it was started again", { boot: "another" }, () => booted() - 60_000, true],
  ["this machine, since it was started", {}, () => Date.now() - 1000, true],
])("a lock of %s", async (_, life, madeAt, isStale) => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const holder = { pid: gone, life: { ...currentProcess().life, ...life } };
  const content = { ...holder, username: "u", hostname: hostname(), timestamp: new Date(madeAt()).toISOString() };
  writeFileSync(join(folder, "other.json"), JSON.stringify(content));
  const locks = new StackLocks("dev", folder);
  expect((await locks.list())[0]?.stale).toBe(isStale);
  if (isStale) expect((await locks.acquire()).removed).toHaveLength(1);
  else await expect(locks.acquire()).rejects.toMatchObject({ code: "locked" });
});
