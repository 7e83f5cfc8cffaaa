import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hashOf } from "../../provider/core/hash";
import { PendingCreates, pendingCreatesFolder } from "../../provider/state/pending-creates";
import { fastClock } from "./fast-clock";

it("wait together for the process of an earlier run: each of them as long as one alone", async () => {
  const directory = mkdtempSync(join(tmpdir(), "esign-creates-"));
  const targets = Array.from({ length: 10 }, (_, i) => ({ kind: "Webhook", stack: "dev", name: `hook ${i}` }));
  mkdirSync(join(directory, pendingCreatesFolder), { recursive: true });
  for (const { name, ...target } of targets) {
    // A process that is running.
    const record = { holder: { pid: process.ppid }, what: hashOf(name), before: [], ...target };
    writeFileSync(join(directory, pendingCreatesFolder, `${hashOf(name)}.json`), `${JSON.stringify(record)}\n`);
  }
  const creates = new PendingCreates(directory, fastClock);
  const start = fastClock.now();
  const found = await Promise.all(targets.map((target) => creates.hasUnfinished(target)));
  expect(found).toEqual(targets.map(() => false));
  expect(fastClock.now() - start).toBeGreaterThanOrEqual(2000);
});
