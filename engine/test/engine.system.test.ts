import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { currentProcess, type ProcessIdentity } from "../../fs/process-identity";
import { filesIn, save } from "../../test/files";
import { openProject as openWithNewProcesses } from "../index";
import { SIG_KEY, SignatureKind } from "../resource/signatures";
import { orderProblems } from "./recording";
import { newStack, RESOURCES, readState, stateFile } from "./scratch";
import { openProject } from "./warm-processes";

describe("a project", () => {
  let p: Awaited<ReturnType<typeof newStack>>;
  let stack: typeof p.stack;
  beforeAll(async () => {
    p = await newStack({
      "index.js": `${RESOURCES}
        const config = new pulumi.Config();
        const a = new Thing("a", { value: config.get("value") ?? "v", secretText: config.getSecret("key") });
        exports.key = a.secretText; exports.id = a.id; exports.list = [1, { deep: null }, "x"]; exports.none = undefined;
        exports.object = config.getObject("object"); exports.asset = new pulumi.asset.StringAsset("hi");`,
    });
    stack = p.stack;
  });

  test("keeps its state beside Pulumi.yaml when nothing else is said, and finds its stacks", async () => {
    const { opened } = p;
    expect(opened.backend.source).toBe("default");
    expect(fs.existsSync(stateFile(p.dir))).toBe(true);
    expect((await opened.listStacks()).map((s) => [s.name, s.current])).toEqual([["dev", true]]);
    await expect(opened.openStack("unknown")).rejects.toThrow(/there are: dev/);
    await expect(opened.initStack("dev")).rejects.toThrow(/already/);
    for (const name of ["a b", ".", ".."])
      await expect(opened.initStack(name)).rejects.toThrow(/is not a name for a stack/);
  });

  test("has configuration: plain, secret, typed objects; comments of the file stay", async () => {
    const file = path.join(p.dir, "Pulumi.dev.yaml");
    fs.appendFileSync(file, "# a comment of mine\n");
    await stack.config.set("value", "one");
    await stack.config.set("key", "hush-hush-hush", { secret: true });
    await stack.config.set("object.ports[0]", "80", { path: true });
    expect([...(await stack.config.list())].map(([k, v]) => [k, v.value])).toEqual([
      ["demo:key", "[secret]"],
      ["demo:object", '{"ports":[80]}'],
      ["demo:value", "one"],
    ]);
    expect((await stack.config.list({ showSecrets: true })).get("demo:key")?.value).toBe("hush-hush-hush");
    await stack.config.remove("object.ports[0]", { path: true });
    // Quoted, so that the CLI's older YAML reads a text.
    await stack.config.set("object.date", "2020-01-01", { path: true });
    await stack.config.set("object.hidden", "hush-in-object", { secret: true, path: true });
    expect(await stack.config.get("object.date", { path: true })).toEqual({ value: "2020-01-01", secret: false });
    expect(await stack.config.get("object.nothing", { path: true })).toBeUndefined();
    expect((await stack.config.get("object"))?.objectValue).toMatchObject({ hidden: "hush-in-object", ports: [] });
    const text = fs.readFileSync(file, "utf8");
    expect(text).toContain('date: "2020-01-01"');
    expect(text).toContain("# a comment of mine");
    expect(text).not.toContain("hush-hush");
  });

  test("runs; the second run writes once; secrets are in no file and no event", async () => {
    const first = await p.up();
    expect(first.said).toBe("Undefined value (none) will not show as a stack output.");
    expect(first.result).toMatchObject({
      ok: true,
      changes: { create: 2 },
      outputs: { id: "a", key: "[secret]", list: [1, { deep: null }, "x"], object: { hidden: "[secret]" } },
    });
    expect(readState(p.dir).checkpoint.latest.resources[0].outputs.asset).toEqual({
      [SIG_KEY]: SignatureKind.asset,
      text: "hi",
      hash: createHash("sha256").update("hi").digest("hex"),
    });
    expect((await p.up()).result).toMatchObject({ ok: true, changes: { same: 2 }, stateWrites: 1 });
    expect(await stack.outputs({ showSecrets: true })).toMatchObject({ key: "hush-hush-hush" });
    expect(JSON.stringify(first.events)).not.toContain("hush");
    for (const f of fs.readdirSync(p.dir, { recursive: true, withFileTypes: true }))
      if (f.isFile() && !f.parentPath.includes("node_modules"))
        expect(fs.readFileSync(path.join(f.parentPath, f.name), "utf8"), f.name).not.toContain("hush-hush");
    expect(orderProblems(readState(p.dir).checkpoint.latest.resources)).toEqual([]);
    expect((await stack.history()).map((h) => [h.kind, h.result])).toEqual([
      ["update", "succeeded"],
      ["update", "succeeded"],
    ]);
  });

  test("keeps fields of the state that it does not know", async () => {
    const state = readState(p.dir);
    state.future = { x: 1 };
    state.checkpoint.latest.alsoFuture = ["y"];
    for (const r of state.checkpoint.latest.resources) r.unheardOf = { of: r.urn };
    fs.writeFileSync(stateFile(p.dir), JSON.stringify(state));
    await stack.config.set("value", "two");
    expect((await p.up()).result.changes).toEqual({ same: 1, update: 1 });
    const after = readState(p.dir);
    expect(after.future).toEqual({ x: 1 });
    expect(after.checkpoint.latest.alsoFuture).toEqual(["y"]);
    for (const r of after.checkpoint.latest.resources) expect(r.unheardOf).toEqual({ of: r.urn });
  });

  test("a failure says why, without the secret it quotes; what failed is tried again", async () => {
    await stack.config.set("value", "bad");
    const urn = "urn:pulumi:dev::demo::pulumi-nodejs:dynamic/test:Thing::a";
    await stack.state.delete(urn);
    const failed = await p.up();
    expect(failed.result.ok).toBe(false);
    expect(failed.said).toContain("the service says no to [secret]");
    expect(JSON.stringify(failed.events)).not.toContain("hush-hush");
    await stack.config.set("value", "good");
    expect((await p.up()).result).toMatchObject({ ok: true, changes: { create: 1, same: 1 } });
  });

  test("is exported and imported", async () => {
    const exported = await stack.export();
    await stack.import(structuredClone(exported));
    expect((await p.up()).result.changes).toEqual({ same: 2 });
    const shown = JSON.stringify(await stack.export({ showSecrets: true }));
    expect(shown).toContain("hush-hush-hush");
    await stack.import(JSON.parse(shown));
    expect(fs.readFileSync(stateFile(p.dir), "utf8")).not.toContain("hush-hush");
    const before = fs.readFileSync(stateFile(p.dir), "utf8");
    const message = expect.stringMatching(/^what is to be imported is damaged.*Nothing was imported/);
    const { deployment } = exported;
    for (const resources of [(deployment.resources as unknown[]).toReversed(), [{ urn: 1 }], {}])
      await expect(stack.import({ ...exported, deployment: { ...deployment, resources } })).rejects.toMatchObject({
        code: "integrity",
        message,
      });
    expect(fs.readFileSync(stateFile(p.dir), "utf8")).toBe(before);
    await expect(stack.import({ version: 4, features: ["views"], deployment: {} })).rejects.toThrow(/views/);
  });

  test("refuses a state that it does not know, before anything is touched", async () => {
    const good = fs.readFileSync(stateFile(p.dir), "utf8");
    const calls = p.calls().length;
    const change = async (edit: (s: ReturnType<typeof readState>) => void, words: RegExp) => {
      const state = JSON.parse(good);
      edit(state);
      const bad = JSON.stringify(state);
      fs.writeFileSync(stateFile(p.dir), bad);
      await expect(stack.run("update")).rejects.toThrow(words);
      expect(fs.readFileSync(stateFile(p.dir), "utf8")).toBe(bad);
    };
    await change((s) => (s.version = 5), /version 5/);
    await change((s) => (s.features = ["snippets-prototype"]), /snippets-prototype/);
    await change((s) => (s.checkpoint.latest.secrets_providers = { type: "cloud" }), /cloud/);
    await change((s) => (s.checkpoint.latest.resources[1].viewOf = "urn:x"), /a view/);
    await change((s) => (s.checkpoint.latest.manifest.magic = "x"), /magic/);
    await change((s) => s.checkpoint.latest.resources.reverse(), /comes after it/);
    fs.writeFileSync(stateFile(p.dir), "{");
    await expect(stack.run("update")).rejects.toThrow(/is not JSON/);
    fs.writeFileSync(stateFile(p.dir), good);
    expect(p.calls().length).toBe(calls);
    const other = await openProject({ dir: p.dir, env: { ...p.env, PULUMI_CONFIG_PASSPHRASE: "wrong" } });
    await expect((await other.openStack("dev")).run("preview")).rejects.toMatchObject({ code: "passphrase" });
    await expect(openProject({ dir: p.dir, env: { ...p.env, PULUMI_BACKEND_URL: "s3://bucket" } })).rejects.toThrow(
      /files only/,
    );
    await expect(stack.run("update", { targets: ["urn:a"], excludes: ["urn:b"] })).rejects.toThrow(/together/);
    await expect(stack.run("update", { targets: ["a"] })).rejects.toThrow(/is not a URN/);
  });

  const lockFile = ".pulumi/locks/organization/demo/dev/x.json";
  const gone = 2 ** 22 + 1;
  const lock = (pid: number, life?: Partial<ProcessIdentity>) =>
    save(p.dir, { [lockFile]: JSON.stringify({ pid, username: "u", hostname: os.hostname(), timestamp: "t", life }) });

  test("respects a lock, removes it when asked, and replaces that of a process that is gone", async () => {
    lock(process.pid);
    await expect(stack.run("update")).rejects.toMatchObject({
      code: "locked",
      message: expect.stringContaining("Wait until"),
    });
    expect((await stack.run("preview")).ok).toBe(true);
    expect(await stack.cancel()).toBe(1);
    lock(gone);
    expect((await stack.locks())[0]?.stale).toBe(true);
    const stacks = path.dirname(stateFile(p.dir));
    for (const name of ["dev.json", "dev.json.bak"])
      fs.writeFileSync(path.join(stacks, `${name}.0123456789ab.tmp`), "left by a run that was killed while it wrote");
    const { result, said } = await p.up();
    expect(result.ok).toBe(true);
    expect(said).toContain("removed a stale lock");
    expect(fs.readdirSync(stacks).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(await stack.locks()).toEqual([]);
    for (const content of ["garbage", "null", '{"pid":"x"}']) {
      save(p.dir, { [lockFile]: content });
      await expect(stack.run("update")).rejects.toThrow(/by an unknown process: the lock file is damaged/);
    }
    expect(await stack.cancel()).toBe(1);
  });

  // Only Linux distinguishes processes with the same number.
  test.runIf(process.platform === "linux").each<[string, number, Partial<ProcessIdentity>, boolean]>([
    ["the process", process.pid, {}, false],
    ["an earlier one with its number", process.ppid, { started: "1" }, true],
    ["one that is gone", gone, {}, true],
    ["one of another container, whose numbers say nothing here", gone, { namespace: "pid:[1]" }, false],
    ["one before the machine was started again", gone, { boot: "another", namespace: "pid:[1]" }, true],
    ["one of another machine of the same name", process.pid, { boot: "another" }, false],
  ])("a lock of %s", async (_, pid, life, stale) => {
    lock(pid, { ...currentProcess().life, ...life });
    expect((await stack.locks())[0]?.stale).toBe(stale);
    expect(await stack.cancel()).toBe(1);
  });

  test("is destroyed and removed", async () => {
    await expect(stack.remove()).rejects.toThrow(/still has 3 resources/);
    expect((await stack.run("destroy")).changes).toEqual({ delete: 2 });
    await stack.remove();
    expect(await p.opened.listStacks()).toEqual([]);
  });
});

test("a stack whose renaming was killed, wherever that was, is renamed when it is tried again", async () => {
  const { dir, opened, stack, up } = await newStack({ "index.js": `${RESOURCES} new Thing("a", { value: "v" });` });
  await stack.config.set("key", "hush", { secret: true });
  await up();
  await up();
  const at = (place: string, file: string) => path.join(dir, place, file);
  const parts = [".pulumi/stacks", ".pulumi/history", "Pulumi.dev.yaml", "Pulumi.prod.yaml"];
  const copy = (from: string, to: string) => {
    for (const part of parts) {
      fs.rmSync(at(to, part), { recursive: true, force: true });
      if (fs.existsSync(at(from, part))) fs.cpSync(at(from, part), at(to, part), { recursive: true });
    }
  };
  const files = () => {
    copy("", "now");
    return filesIn(at("", "now"));
  };
  copy("", "before");
  await opened.renameStack("dev", "prod");
  copy("", "after");
  const renamed = files();
  const history = fs.readdirSync(at("after", ".pulumi/history/demo/prod"));
  expect(history).toHaveLength(4);
  // The steps of a rename, one after the other.
  const arrives = (file: string) => () => fs.cpSync(at("after", file), at("", file));
  const leaves = (file: string) => () => fs.rmSync(at("", file), { recursive: true });
  const deeds = [
    arrives("Pulumi.prod.yaml"),
    arrives(".pulumi/stacks/demo/prod.json"),
    ...history.map((name) => () => {
      arrives(`.pulumi/history/demo/prod/${name}`)();
      leaves(`.pulumi/history/demo/dev/${name.replace("prod-", "dev-")}`)();
    }),
    leaves("Pulumi.dev.yaml"),
    leaves(".pulumi/history/demo/dev"),
  ];
  for (let killed = 0; killed <= deeds.length; killed++) {
    copy("before", "");
    for (const deed of deeds.slice(0, killed)) deed();
    await opened.renameStack("dev", "prod");
    expect(files(), `killed after ${killed} deeds`).toEqual(renamed);
    expect(await opened.currentStack()).toBe("prod");
  }

  // A state that is not a copy belongs to another stack, and a stack is not a copy of itself.
  await expect(opened.renameStack("prod", "prod")).rejects.toThrow(/called prod already/);
  await opened.initStack("dev");
  await expect(opened.renameStack("prod", "dev")).rejects.toThrow(/there is a stack dev already/);
  expect((await opened.listStacks()).map(({ name }) => name)).toEqual(["dev", "prod"]);
});

test("what a program still does when the run has failed is no error", async () => {
  const p = await newStack({
    "index.js": `${RESOURCES}
      new Thing("bad", { value: "bad", secretText: "that" });
      setTimeout(() => new Thing("after", { value: new Thing("under-way", { value: "good" }).token }), 100);
      let n = 0;
      setInterval(() => new Thing("late-" + n++, { value: "good" }), 20);`,
  });
  const { result, events } = await p.up({ env: { SLOW: "200" } });
  expect(result.ok).toBe(false);
  const errors = events.flatMap((e) =>
    e.type === "diagnostic" && (e.severity === "error" || e.stderr) ? e.message : [],
  );
  expect(errors).toEqual(["the service says no to that"]);
  expect(events.filter((e) => e.type === "step" && e.status === "done").length).toBeGreaterThan(1);
});

test("an error without a stack is reported with its resource, and not as what the provider has printed, too", async () => {
  const { stack, up } = await newStack({
    "provider.js": `
      const stackless = (words) => Object.assign(new Error(words), { stack: "" });
      exports.thing = {
        check: async (olds, news) => ({ inputs: news, failures: [] }),
        create: async (news) => {
          console.error(stackless("a word of its own") + ": ");
          return { id: news.name, outs: news };
        },
        delete: async () => { throw stackless("the service says: no"); },
      };`,
    "index.js": `${RESOURCES} new Thing("a", { value: "good" });`,
  });
  expect((await up()).said).toBe("Error: a word of its own: ");
  const said: unknown[] = [];
  const { ok } = await stack.run("destroy", {
    onEvent: (e) => e.type === "diagnostic" && said.push([e.severity, e.message]),
  });
  expect(ok).toBe(false);
  expect(said).toEqual([["error", "the service says: no"]]);
});

test("of a stack trace that a program prints, the frames of others leave no empty lines", async () => {
  const { up } = await newStack(
    { "index.js": 'function mine() { console.log(new Error("look").stack); }\nmine();' },
    { open: openWithNewProcesses },
  );
  const { result, events } = await up({ preview: true });
  expect(result.ok).toBe(true);
  const lines = events.flatMap((e) => (e.type === "diagnostic" ? e.message : []));
  expect(lines).toEqual([
    "Error: look",
    expect.stringContaining("at mine"),
    expect.stringContaining("at Object.<anonymous>"),
  ]);
});

test("what a program or a provider makes a secret of is not printed, in the very run in which it does", async () => {
  const { up } = await newStack({
    "provider.js": `exports.thing = {
      check: async (olds, news) => {
        console.log("checking " + news.secretText);
        return { inputs: news, failures: [{ property: "value", reason: "no good with " + news.secretText }].slice(news.value === "bad" ? 0 : 1) };
      },
      create: async (news) => ({ id: news.name, outs: { ...news, token: "made-hush" } }),
    };`,
    "index.js": `${RESOURCES}
      const { value } = process.env;
      const a = new Thing("a", { value, secretText: pulumi.secret("hush-hush") }, { additionalSecretOutputs: ["token"] });
      a.token.apply((token) => console.log("made with " + token));`,
  });
  const bad = await up({ preview: true, env: { value: "bad" } });
  expect(bad.said).toContain("no good with [secret]");
  const good = await up({ env: { value: "good" } });
  expect(good.said.split("\n").sort()).toEqual(["checking [secret]", "made with [secret]"]);
  expect(JSON.stringify([bad.events, good.events])).not.toContain("hush");
});
