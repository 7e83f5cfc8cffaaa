/** What the provider instances of a run publish to one another, whether they share a process or not: each `RunRegistries` is one here. */
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RunRegistries } from "../../provider/processes/run-registries";
import type { RunMember } from "../../provider/processes/run-registry";
import { SharedFolder } from "../../provider/processes/shared-folder";
import { cases, fc } from "../chance";
import { temporaryFolder } from "../files";

const wordsOf = (member: RunMember, key: string) => [...member.published.find(key)].map((words) => words.join(" "));
const filesIn = (parent: string) => readdirSync(new SharedFolder("runs", parent).path);

it("is what the others of the run have published, in this process and others, and not its own", () => {
  const parent = temporaryFolder();
  const [here, there] = [new RunRegistries(parent), new RunRegistries(parent)];
  const [a, b, c] = [here.join("run"), here.join("run"), there.join("run")];
  a.publish("key", "a", 1);
  b.publish("key", "b", "");
  c.publish("key", "c");
  c.publish("other", "d");
  expect(wordsOf(a, "key")).toEqual(["b ", "c"]);
  expect(wordsOf(b, "key")).toEqual(["a 1", "c"]);
  expect(wordsOf(c, "key")).toEqual(["a 1", "b "]);
  expect([a, c].map((member) => member.published.has("other"))).toEqual([true, false]);
  // What is appended later.
  a.publish("key", "later");
  expect(wordsOf(c, "key")).toEqual(["a 1", "b ", "later"]);
  // Of other runs, nothing.
  expect(wordsOf(there.join("next run"), "key")).toEqual([]);
  // A file for each process, however many instances it has.
  expect(filesIn(parent)).toHaveLength(2);
});

it("is over with the run: for its process with the instance, for others with the last one of it", () => {
  const parent = temporaryFolder();
  const [here, there] = [new RunRegistries(parent), new RunRegistries(parent)];
  const [a, b, c] = [here.join("run"), here.join("run"), there.join("run")];
  a.publish("key", "a");
  b.publish("key", "b");
  a.close();
  expect(wordsOf(b, "key")).toEqual([]);
  b.close();
  expect(wordsOf(c, "key")).toEqual([]);
  expect(filesIn(parent)).toEqual([]);
  // What goes on after it publishes no more, and knows of no one.
  a.publish("key", "again");
  c.publish("key", "c");
  expect(wordsOf(a, "key")).toEqual([]);
  expect(wordsOf(here.join("run"), "key")).toEqual(["c"]);
  expect(filesIn(parent)).toHaveLength(1);
});

it("is not what another process is still writing", () => {
  const parent = temporaryFolder();
  const [a, c] = [new RunRegistries(parent).join("run"), new RunRegistries(parent).join("run")];
  a.publish("key", "a");
  const [file] = filesIn(parent);
  const write = (text: string) => appendFileSync(join(new SharedFolder("runs", parent).path, file!), text);
  expect(wordsOf(c, "key")).toEqual(["a"]);
  write('"key hal');
  expect(wordsOf(c, "key")).toEqual(["a"]);
  write('f"\n"key next"\n');
  expect(wordsOf(c, "key")).toEqual(["a", "half", "next"]);
});

it("is what is whole, also after a line that a full disk has cut off", () => {
  const line = '"key 1234"\n';
  for (let cut = 1; cut <= line.length; cut++) {
    const parent = temporaryFolder();
    const [a, c] = [new RunRegistries(parent).join("run"), new RunRegistries(parent).join("run")];
    a.publish("key", "1234");
    const path = join(new SharedFolder("runs", parent).path, filesIn(parent)[0]!);
    truncateSync(path, statSync(path).size - cut);
    // What is read before, too.
    if (cut % 2 === 0) expect(wordsOf(c, "key")).toEqual([]);
    a.publish("key", "after");
    expect(wordsOf(c, "key")).toEqual([...(cut === 1 ? ["1234"] : []), "after"]);
  }
});

it("goes on where the file was removed, as by a process whose clock has changed", () => {
  const parent = temporaryFolder();
  const [a, c] = [new RunRegistries(parent).join("run"), new RunRegistries(parent).join("run")];
  a.publish("key", "a longer text, of which the others know");
  expect(wordsOf(c, "key")).toHaveLength(1);
  rmSync(join(new SharedFolder("runs", parent).path, filesIn(parent)[0]!));
  a.publish("key", "b");
  a.publish("key", "c");
  expect(wordsOf(c, "key")).toEqual(["b", "c"]);
  expect(wordsOf(a, "key")).toEqual([]);
});

it("is nothing of a run before that had the same name, also for an instance that publishes nothing, as in a destroy", () => {
  const parent = temporaryFolder();
  new RunRegistries(parent).join("run").publish("owner", "a");
  const [file] = filesIn(parent);
  const path = join(new SharedFolder("runs", parent).path, file!);
  const lines = readFileSync(path, "utf8");
  const goesOn = new RunRegistries(parent).join("run");
  expect(wordsOf(goesOn, "owner")).toEqual(["a"]);
  // Its process has ended.
  writeFileSync(path, lines.replace(/.*/, JSON.stringify({ pid: -1 })));
  const later = new RunRegistries(parent).join("run");
  expect(later.published.has("owner")).toBe(false);
  expect(filesIn(parent)).toEqual([]);
});

it("each object is taken once in a run, by whatever instance", () => {
  const parent = temporaryFolder();
  const [here, there] = [new RunRegistries(parent), new RunRegistries(parent)];
  expect([here.join("run"), here.join("run"), there.join("run")].map((each) => each.claim("object"))).toEqual([
    ...[true, false, false],
  ]);
  expect(there.join("next run").claim("object")).toBe(true);
  // A later run of that name, whose process of before has ended, or goes on.
  const folder = new SharedFolder("claims", parent).path;
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), JSON.stringify({ pid: -1 }));
  const later = new RunRegistries(parent);
  const member = later.join("run");
  expect([member.claim("object"), member.claim("object")]).toEqual([true, false]);
  member.close();
  expect(later.join("run").claim("object")).toBe(true);
  // Where there is one instance, no other one can have it.
  const alone = here.join(undefined);
  expect([alone.claim("object"), alone.claim("object")]).toEqual([true, true]);
});

it("is the same as one list of all lines, whatever is published, read and closed in whatever order", () => {
  const operation = fc.record({
    process: fc.nat(1),
    member: fc.nat(3),
    what: fc.constantFrom("publish", "publish", "read", "close"),
    key: fc.constantFrom("k", "l"),
    text: fc.stringMatching(/^[a-z0-9%.é]{0,6}$/u),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const parent = temporaryFolder();
      const processes = [new RunRegistries(parent), new RunRegistries(parent)];
      const members = processes.map((each) => Array.from({ length: 4 }, () => each.join("run")));
      const open = members.map((ofProcess) => new Set(ofProcess));
      let lines: { process: number; by: RunMember; key: string; text: string; isOver?: boolean }[] = [];
      for (const { process, member, what, key, text } of operations) {
        const by = members[process]![member]!;
        const isOpen = open[process]!.has(by);
        if (what === "publish") by.publish(key, text);
        if (what === "publish" && isOpen) lines.push({ process, by, key, text });
        if (what === "close") {
          by.close();
          open[process]!.delete(by);
          if (open[process]!.size === 0) lines = lines.filter((line) => line.process !== process);
          for (const line of lines) line.isOver ||= line.by === by;
        }
        if (what !== "read" || !isOpen) continue;
        const seen = lines.filter(
          (line) => line.key === key && (line.process === process ? line.by !== by && !line.isOver : true),
        );
        expect(wordsOf(by, key).sort()).toEqual(seen.map((line) => line.text).sort());
      }
    }),
    { numRuns: cases(60) },
  );
});
