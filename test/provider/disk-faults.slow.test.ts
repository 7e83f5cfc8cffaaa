/**
 * Each operation on the files beside a program fails, one after the other: this one alone, or it and all that follow, as on a disk that is
 * full or broken. Whatever the run does then, the next one ends with one object, and a deletion restores what the account had at first. That
 * holds where the state of the run is lost, too: it is most likely on the same disk.
 */
import fs from "node:fs";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { expect, it } from "vitest";
import type { Properties } from "../../provider/core/pulumi-values";
import type { HandlerName } from "../../provider/resources/index";
import { spread } from "../chance";
import { type Managed, snapshot } from "./handlers";
import { byTurns, onStage } from "./on-stage";

const world = onStage();

type Functions = Record<string, (...args: unknown[]) => unknown>;
type Operation = "read" | "write";

/** Of so many operations each one alone, and it and all that follow; a third of these places in every run. */
function places(total: number) {
  const all = Array.from({ length: total }, (_, index) => index + 1).flatMap((first) =>
    [1, Number.POSITIVE_INFINITY].map((count) => ({ first, count })),
  );
  return spread(all, Math.ceil(all.length / 3));
}

const names = {
  read: {
    sync: ["readFileSync", "readdirSync", "lstatSync", "statSync"],
    promises: ["readFile", "readdir", "stat", "realpath"],
  },
  write: { sync: ["mkdirSync", "writeFileSync", "openSync", "rmSync"], promises: ["mkdir", "open", "rename"] },
};

/** Fails those from the `first` one on, `count` of them. Returns what ends that and says how many there were. */
function breakDisk(operation: Operation, code: string, first: number, count: number): () => number {
  const folder = world.directory;
  const restore: (() => void)[] = [];
  let at = 0;
  const pass = (path: unknown) => {
    if (!String(path).startsWith(folder)) return;
    at++;
    if (at >= first && at < first + count) throw Object.assign(new Error(`${code}: '${path}'`), { code, path });
  };
  const replace = (functions: Functions, name: string, by: (original: Functions[string]) => Functions[string]) => {
    const original = functions[name]!;
    functions[name] = by(original);
    restore.push(() => {
      functions[name] = original;
    });
  };
  const [sync, promises] = [fs, fsPromises] as unknown as [Functions, Functions];
  // Of a rename, the new name is what a disk has no room for.
  const pathOf = (name: string, args: unknown[]) => (name === "rename" ? args[1] : args[0]);
  for (const name of names[operation].sync)
    replace(sync, name, (original) => (...args) => {
      pass(args[0]);
      return original(...args);
    });
  for (const name of names[operation].promises)
    replace(promises, name, (original) => async (...args) => {
      pass(pathOf(name, args));
      return original(...args);
    });
  syncBuiltinESMExports();
  return () => {
    for (const each of restore) each();
    syncBuiltinESMExports();
    return at;
  };
}

const resources: [HandlerName, Properties, Properties][] = [
  [
    "brandingEmail",
    { type: "email-send", subject: "A {contract title}" },
    { type: "email-send", subject: "B {contract title}" },
  ],
  [
    "webhook",
    { type: "all", url: "https://r.example/a", onExisting: "create" },
    { type: "all", url: "https://r.example/b", onExisting: "create" },
  ],
];
const operations = ["read", "write"] as const;
const kinds = resources.flatMap(([handler, args, changed], first) =>
  [...operations.slice(first), ...operations.slice(0, first)].map((operation) => ({
    handler,
    operation,
    args,
    changed,
  })),
);

it.each(byTurns(kinds))("$operation: $handler", async ({ handler, operation, args, changed }) => {
  const code = operation === "read" ? "EIO" : "ENOSPC";
  const countAll = breakDisk(operation, code, Number.POSITIVE_INFINITY, 0);
  await (await world.create(handler, args)).update(changed);
  const total = countAll();
  expect(total).toBeGreaterThan(5);
  for (const { first, count } of places(total)) {
    await world.renew();
    const before = await snapshot(world.client);
    const place = `${code} at ${first} of ${total}, ${count}`;
    const repair = breakDisk(operation, code, first, count);
    let made: Managed | undefined;
    try {
      made = await world.create(handler, args);
      made = await made.update(changed);
    } catch (error) {
      expect((error as Error).message, place).toMatch(/ESIGN105\d/);
      expect((error as Error).message, place).not.toContain(world.service.keys.partner);
    } finally {
      repair();
    }
    made = made === undefined ? await world.create(handler, changed) : await made.update(changed);
    const { webhooks } = world.service.data().accounts.find(({ key }) => key === world.service.keys.partner)!;
    if (handler === "webhook") expect(webhooks, place).toMatchObject([{ url: changed.url }]);
    await made.delete();
    expect(await snapshot(world.client), place).toEqual(before);
  }
});

const uses = ["create", "adopt", "fail"] as const;

it.each(byTurns(uses))("a create whose state is lost, too: %s", async (onExisting) => {
  const args = { type: "all", url: "https://r.example/lost", onExisting };
  const countAll = breakDisk("write", "ENOSPC", Number.POSITIVE_INFINITY, 0);
  await world.create("webhook", args);
  const total = countAll();
  expect(total).toBeGreaterThan(3);
  let refused = 0;
  for (const { first, count } of places(total)) {
    await world.renew();
    const repair = breakDisk("write", "ENOSPC", first, count);
    try {
      await world.create("webhook", args);
    } catch (error) {
      refused++;
      expect((error as Error).message).toMatch(/ESIGN105[14].*Free disk space and rerun/s);
      expect(world.writes()).toEqual([]);
    } finally {
      repair();
    }
    // The next run, whose state has nothing of it.
    await world.create("webhook", args);
    const { webhooks } = world.service.data().accounts.find(({ key }) => key === world.service.keys.partner)!;
    expect(webhooks, `ENOSPC at ${first} of ${total}, ${count}`).toHaveLength(1);
  }
  expect(refused).toBeGreaterThan(0);
});

it("a folder that cannot be written, as in a container: creates go on, and reads of what was written before", async () => {
  const before = await world.create("brandingEmail", { type: "email-send", subject: "A {contract title}" });
  const repair = breakDisk("write", "EROFS", 1, Number.POSITIVE_INFINITY);
  try {
    await world.create("webhook", { type: "all", url: "https://r.example/read-only", onExisting: "create" });
    await before.read();
    await before.read();
  } finally {
    repair();
  }
});
