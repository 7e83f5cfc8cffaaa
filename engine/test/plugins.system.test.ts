/** Packages whose provider is a plugin: a process of its own, which previews, imports, calls functions and constructs components. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { EngineEvent, Operation, RunOptions } from "../index";
import { initStack, NODE, project, readState, stateFile } from "./scratch";
import { TOY_SDK, toyPlugin } from "./toy-plugin";

const PROJECT = `${NODE}packages:\n  toy: ./toy\n`;

async function started(program: string, { configured = true, sdk }: { configured?: boolean; sdk?: string } = {}) {
  const files = { ...toyPlugin, "Pulumi.yaml": PROJECT, "index.js": TOY_SDK + program };
  const made = project(files, sdk);
  const objects = path.join(made.dir, "objects.json");
  made.env.OBJECTS = objects;
  const it = await initStack(made);
  if (configured) await it.stack.config.set("toy:token", "hush-token", { secret: true });
  const run = async (operation: Operation, options: RunOptions = {}) => {
    const events: EngineEvent[] = [];
    const result = await it.stack.run(operation, { ...options, onEvent: (e) => events.push(e) });
    const said = events.flatMap((e) => (e.type === "diagnostic" ? [e.message] : [])).join("\n");
    const steps = events.flatMap((e) => (e.type === "step" ? [e.step] : []));
    return { result, said, steps, events };
  };
  return {
    ...it,
    run,
    program: (text: string) => it.write(TOY_SDK + text),
    objects: () => JSON.parse(fs.readFileSync(objects, "utf8")) as Record<string, Record<string, unknown>>,
    setObjects: (all: unknown) => fs.writeFileSync(objects, JSON.stringify(all)),
    /** Without the calls that configure it. */
    writes: () => it.calls().filter((line) => !line.startsWith("configure")),
    resources: () => readState(it.dir).checkpoint.latest.resources as Record<string, unknown>[],
  };
}
type Started = Awaited<ReturnType<typeof started>>;

const ONE = `const a = new Thing("a", { value: "v" }); exports.serial = a.serial; exports.value = a.value; exports.id = a.id;`;

describe("a resource of a plugin", () => {
  let p: Started;
  beforeEach(async () => {
    p = await started(ONE);
  });

  it("is planned with what the plugin knows before, created, and unchanged from then on", async () => {
    const preview = await p.run("preview");
    expect(preview.result).toMatchObject({ ok: true, changes: { create: 2 } });
    expect(preview.result.outputs).toEqual({ serial: "[unknown]", value: "v", id: "[unknown]" });
    expect(p.writes()).toEqual([]);
    const up = await p.run("update");
    expect(up.result.outputs).toEqual({ serial: 7, value: "v", id: "t1" });
    expect((await p.run("update")).result).toMatchObject({ ok: true, changes: { same: 2 } });
    expect(p.writes()).toEqual(["create t1"]);
  });

  it("has a default provider of its version, as the CLI records it", async () => {
    await p.run("update");
    const provider = p.resources().find(({ type }) => type === "pulumi:providers:toy");
    expect(provider).toMatchObject({ urn: expect.stringMatching(/::default_1_2_3$/), inputs: { version: "1.2.3" } });
    expect(fs.readFileSync(stateFile(p.dir), "utf8")).not.toContain("hush-token");
    expect(p.calls()).toContain("configure hush-token");
  });

  it("is updated, with the differences that the plugin names and the outputs that it keeps", async () => {
    await p.run("update");
    p.program(ONE.replace('"v"', '"w"'));
    const preview = await p.run("preview");
    expect(preview.result.outputs).toMatchObject({ serial: 7, value: "w" });
    const diffs = [{ path: "value", kind: "update", replaces: false, before: "v", after: "w" }];
    expect(preview.steps.find(({ op }) => op === "update")).toMatchObject({ diffs });
    expect((await p.run("update")).result).toMatchObject({ ok: true, changes: { update: 1, same: 1 } });
    expect(p.writes()).toEqual(["create t1", "update t1"]);
  });

  it("is replaced when the plugin wants that", async () => {
    await p.run("update");
    p.program(ONE.replace('"v"', '"v", kind: "other"'));
    const { steps } = await p.run("update");
    expect(steps.find(({ op }) => op === "replace")).toMatchObject({ diffs: [{ path: "kind", replaces: true }] });
    expect(p.writes()).toEqual(["create t1", "create t2", "delete t1"]);
  });

  it("is read by a refresh, and deleted without the program", async () => {
    await p.run("update");
    p.setObjects({ t1: { ...p.objects().t1, value: "theirs" } });
    expect((await p.run("refresh")).result.changes).toEqual({ update: 1, same: 1 });
    expect((await p.run("preview")).steps.find(({ op }) => op === "update")).toMatchObject({
      diffs: [{ path: "value", before: "theirs", after: "v" }],
    });
    expect((await p.run("destroy")).result).toMatchObject({ ok: true });
    expect(p.objects()).toEqual({});
  });

  it("fails with what the plugin says", async () => {
    p.program(`new Thing("a", { value: "bad" });`);
    expect((await p.run("preview")).said).toContain("value must be good");
    p.program(`new Thing("a", { value: "refused" });`);
    const { said, result } = await p.run("update");
    expect(said).toContain("the service refuses it");
    expect(result.ok).toBe(false);
  });

  it("can be read by its id", async () => {
    p.setObjects({ t9: { value: "theirs", serial: 3 } });
    p.program(`exports.value = new Thing("a", {}, { id: "t9" }).value;`);
    expect((await p.run("update")).result.outputs).toEqual({ value: "theirs" });
    expect(p.writes()).toEqual([]);
  });
});

it("a plugin that ends within a call leaves its outcome open, and the next run finishes it", async () => {
  const p = await started(`new Thing("a", { value: "crash" });`);
  const { result, said } = await p.run("update");
  expect(result.ok).toBe(false);
  expect(said).toMatch(/ended before it answered; whether this took place is not known/);
  expect(readState(p.dir).checkpoint.latest.pending_operations).toMatchObject([{ type: "creating" }]);
  p.program(ONE);
  expect((await p.run("update")).result).toMatchObject({ ok: true, changes: { create: 1, same: 1 } });
  expect(p.writes()).toEqual(["create t1"]);
});

it.each(["pulumi-oldest", "pulumi-newest"])("the SDK %s speaks to plugins as others do", async (sdk) => {
  const p = await started("", { sdk });
  p.setObjects({ t1: { value: "theirs", serial: 1 } });
  p.program(
    `new Thing("imported", { value: "theirs" }, { import: "t1" });
     const pair = new Pair("p", { value: "v" });
     exports.first = pair.first;
     exports.ids = list({ prefix: "t" }).ids;`,
  );
  expect((await p.run("preview")).result).toMatchObject({ ok: true, changes: { import: 1, create: 4 } });
  expect((await p.run("update")).result).toMatchObject({ ok: true, changes: { import: 1, create: 4 } });
  expect((await p.run("update", { refresh: true })).result).toMatchObject({ ok: true, changes: { same: 5 } });
  expect((await p.run("destroy")).result.ok).toBe(true);
  expect(p.objects()).toEqual({});
});

describe("the configuration of a plugin", () => {
  it("is checked before anything else", async () => {
    const p = await started(ONE, { configured: false });
    const { result, said } = await p.run("update");
    expect(result.ok).toBe(false);
    expect(said).toContain("it needs a token");
    expect(p.calls()).toEqual([]);
  });

  const explicit = (args: string) =>
    `const provider = new Provider("mine", ${args}); new Thing("a", { value: "v" }, { provider });`;

  it("of an explicit provider changes without a change of its resources", async () => {
    const p = await started(explicit('{ token: "one" }'));
    await p.run("update");
    p.program(explicit('{ token: "two" }'));
    const { result } = await p.run("update");
    expect(result).toMatchObject({ ok: true, changes: { update: 1, same: 2 } });
    expect(p.calls()).toEqual(["configure one", "create t1", "configure two"]);
  });

  it("replaces the resources when the plugin wants that", async () => {
    const p = await started(explicit('{ token: "one", region: "here" }'));
    await p.run("update");
    p.program(explicit('{ token: "one", region: "there" }'));
    await p.run("update");
    expect(p.writes()).toEqual(["create t1", "create t2", "delete t1"]);
  });

  it("that comes from a resource is not known in its first preview, and is in the same update", async () => {
    const p = await started(
      `const first = new Thing("first", { value: "v" });
       const provider = new Provider("mine", { token: pulumi.interpolate\`\${first.serial}\` });
       new Thing("a", { value: "v" }, { provider });`,
    );
    expect((await p.run("preview")).result).toMatchObject({ ok: true, changes: { create: 4 } });
    expect((await p.run("update")).result).toMatchObject({ ok: true });
    expect(p.calls()).toContain("configure 7");
  });
});

describe("a function of a plugin", () => {
  it("answers in the program; a secret stays one", async () => {
    const p = await started(`exports.ids = list({ prefix: "t" }).ids; exports.hush = list({ secretly: true }).hush;`);
    p.setObjects({ t1: { value: "v", serial: 1 }, u1: {} });
    const { result, events } = await p.run("update");
    expect(result.outputs).toEqual({ ids: ["t1"], hush: "[secret]" });
    expect(JSON.stringify(events)).not.toContain("hush-function");
  });

  it("fails with what the plugin says", async () => {
    const p = await started(`exports.ids = list({ prefix: "!" });`);
    const { result, said } = await p.run("preview");
    expect(result.ok).toBe(false);
    expect(said).toContain("no prefix has a !");
  });
});

describe("the option import", () => {
  const importing = (value: string, id = "t5", more = "") =>
    `exports.serial = new Thing("a", { value: "${value}" ${more} }, { import: "${id}" }).serial;`;
  let p: Started;
  beforeEach(async () => {
    p = await started(importing("theirs"));
    p.setObjects({ t5: { value: "theirs", serial: 4 } });
  });

  it("takes an object over without a write, once", async () => {
    expect((await p.run("preview")).result).toMatchObject({ ok: true, changes: { create: 1, import: 1 } });
    const { result } = await p.run("update");
    expect(result).toMatchObject({ ok: true, changes: { create: 1, import: 1 }, outputs: { serial: 4 } });
    expect(p.resources().find(({ id }) => id === "t5")).toMatchObject({ importID: "t5", inputs: { value: "theirs" } });
    expect((await p.run("update")).result.changes).toEqual({ same: 2 });
    p.program(importing("theirs").replace(', { import: "t5" }', ""));
    expect((await p.run("update")).result.changes).toEqual({ same: 2 });
    expect(p.writes()).toEqual([]);
  });

  it("updates what the program says otherwise", async () => {
    p.program(importing("ours"));
    const { result, steps } = await p.run("update");
    expect(result).toMatchObject({ ok: true, changes: { import: 1, update: 1 } });
    expect(steps.find(({ op }) => op === "update")).toMatchObject({ diffs: [{ before: "theirs", after: "ours" }] });
    expect(p.writes()).toEqual(["update t5"]);
  });

  it.each([
    ["an object that does not exist", importing("theirs", "t6"), /there is nothing to import: no object has the id t6/],
    ["what would be replaced", importing("theirs", "t5", ', kind: "x"'), /would be replaced because of kind/],
  ])("refuses %s", async (_, program, message) => {
    p.program(program);
    const { result, said } = await p.run("update");
    expect(result.ok).toBe(false);
    expect(said).toMatch(message);
    expect(p.writes()).toEqual([]);
  });

  it("refuses another object than the one in the state", async () => {
    await p.run("update");
    p.setObjects({ ...p.objects(), t6: { value: "theirs", serial: 5 } });
    p.program(importing("theirs", "t6"));
    expect((await p.run("update")).said).toMatch(/is in the state with the id t5.*t6/);
  });
});

describe("a component of a plugin", () => {
  const pair = (value: string) =>
    `const pair = new Pair("p", { value: "${value}" });
     exports.first = pair.first;
     new Thing("after", { value: pair.first });`;

  it("registers what is in it, and is known by its outputs", async () => {
    const p = await started(pair("v"));
    expect((await p.run("preview")).result).toMatchObject({ ok: true, changes: { create: 5 } });
    expect((await p.run("update")).result).toMatchObject({ ok: true, outputs: { first: "t1" } });
    const after = p.resources().find(({ urn }) => String(urn).endsWith("::after"));
    expect(after?.dependencies).toContainEqual(expect.stringMatching(/toy:index:Pair\$toy:index:Thing::p-one$/));
    expect((await p.run("update")).result.changes).toEqual({ same: 5 });
    expect(p.writes()).toEqual(["create t1", "create t2", "create t3"]);
  });

  it("that fails inside ends the run, with what was created in the state", async () => {
    const p = await started(pair("refused"));
    const { result, said } = await p.run("update");
    expect(result.ok).toBe(false);
    expect(said).toContain("the service refuses it");
    p.program(pair("v"));
    expect((await p.run("update")).result.ok).toBe(true);
  });
});
