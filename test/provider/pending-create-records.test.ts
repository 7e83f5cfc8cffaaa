/** Records of creates that have no outcome yet: what an equal create has made is excluded from them, and no other file is read for that. */
import fs, { mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { pendingCreatesFolder } from "../../provider/recovery/pending-create-file";
import { PendingCreateRecords } from "../../provider/recovery/pending-create-records";

/** Those of two provider instances, each with its creates. */
function instances() {
  const directory = mkdtempSync(join(tmpdir(), "esign-creates-"));
  const folder = join(directory, pendingCreatesFolder);
  const of = (creates: PendingCreateRecords) => (name: string, instanceId: string, isAlike: boolean) =>
    creates.logOf(
      {
        ...{ kind: "Webhook", stack: "dev", sender: "key", name },
        urn: instanceId,
        isAlike,
        isReplacement: false,
        hasFormerRecord: false,
        isDeclared: () => false,
      },
      instanceId,
      (id) => `Webhook ${id}`,
    );
  const [one, two] = [of(new PendingCreateRecords(directory)), of(new PendingCreateRecords(directory))] as const;
  const linesOf = (instanceId: string) =>
    readFileSync(join(folder, `${instanceId}.json`), "utf8")
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line));
  /** As the next run reads it. */
  const pendingOf = (name: string, instanceId: string) =>
    of(new PendingCreateRecords(directory))(name, instanceId, true).pending();
  return { folder, one, two, linesOf, pendingOf };
}

it("of all that are equal, whichever instance has sent them, and of no other one", async () => {
  const { folder, one, two, linesOf } = instances();
  const logs = [one("a", "a1", true), one("a", "a2", true), two("a", "a3", true), two("b", "b1", true)];
  for (const log of logs) await log.begin([]);
  // As it is while a record is written.
  writeFileSync(join(folder, "a3.json.0123456789ab.tmp"), readFileSync(join(folder, "a3.json")));
  await logs[0]!.created("7");
  await logs[2]!.created("8");
  expect(["a1", "a2", "a3", "b1"].map(linesOf)).toEqual([
    [{ createdObject: "Webhook 7" }],
    [{ excludedId: "7" }, { excludedId: "8" }],
    [{ excludedId: "7" }, { createdObject: "Webhook 8" }],
    [],
  ]);
  expect(readdirSync(folder)).toHaveLength(5);
});

it("each file is read once, however many others are created meanwhile", async () => {
  const { one, two } = instances();
  const count = 30;
  for (let at = 0; at < count; at++) await two(`other-${at}`, `other-${at}`, true).begin([]);
  const parse = vi.spyOn(JSON, "parse");
  try {
    for (let at = 0; at < count; at++) {
      const log = one(`own-${at}`, `own-${at}`, true);
      await log.begin([]);
      await log.created(`${at}`);
    }
    expect(parse.mock.calls.length).toBeLessThanOrEqual(count + 2);
  } finally {
    parse.mockRestore();
  }
});

it("the object of a create is known or not, never another one, wherever a full disk has cut it off before another process appends", async () => {
  const size = '{"createdObject":"Webhook 1234"}\n'.length;
  for (let kept = 0; kept <= size; kept++) {
    const { folder, one, two, pendingOf } = instances();
    const [mine, other] = [one("a", "a1", true), two("a", "a2", true)];
    const file = join(folder, "a1.json");
    await mine.begin(["3"]);
    await other.begin(["3"]);
    const before = statSync(file).size;
    await mine.created("1234");
    truncateSync(file, before + kept);
    await other.created("5678");
    const [pending] = pendingOf("a", "a1");
    const isKnown = kept >= size - 1;
    expect(pending!.hasObject, `${kept} bytes`).toBe(isKnown);
    const may = ["1234", "5678", "3", "1", "123", "9"].filter((id) => pending!.mayHaveCreated(id));
    expect(may, `${kept} bytes`).toEqual(isKnown ? ["1234"] : ["1234", "1", "123", "9"]);
  }
});

it("what killed processes have left of a write goes with the first record of a later run, once no process can be writing it", async () => {
  const { folder, one, two } = instances();
  await one("a", "a1", false).begin([]);
  const left = ["a1.json.0123456789ab.tmp", "a1.json.123456789abc.tmp", "b.json.tmp"];
  for (const name of left) writeFileSync(join(folder, name), "{");
  const long = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of left.slice(1)) utimesSync(join(folder, name), long, long);
  await two("a", "a2", false).begin([]);
  expect(readdirSync(folder).sort()).toEqual(["a1.json", left[0], "a2.json", left[2]].sort());
});

it("the age of a record that cannot be read is not known: the list is waited for", async () => {
  const { folder, one, two } = instances();
  await one("a", "a1", true).begin([]);
  const long = new Date(Date.now() - 60_000);
  utimesSync(join(folder, "a1.json"), long, long);
  const log = two("a", "a1", true);
  expect(log.age()).toBeGreaterThan(50_000);
  const stat = vi.spyOn(fs, "statSync").mockImplementation(() => {
    throw Object.assign(new Error("EIO: i/o error, stat"), { code: "EIO" });
  });
  syncBuiltinESMExports();
  try {
    expect(log.age()).toBe(0);
  } finally {
    stat.mockRestore();
    syncBuiltinESMExports();
  }
});
