import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineEvent, openProject, type Project, type RunOptions, type Stack } from "../../engine";
import { orderProblems } from "./recording";

const ROOT = path.join(__dirname, "../..");
const roots: string[] = [];
afterAll(() => {
  for (const r of roots) fs.rmSync(r, { recursive: true, force: true });
});

const PROVIDER = `
const fs = require("fs");
const log = (line) => fs.appendFileSync(process.env.CALLS, line + "\\n");
exports.thing = {
  check: async (olds, news) => ({ inputs: news, failures: [] }),
  diff: async (id, olds, news) => ({ changes: olds.value !== news.value }),
  create: async (news) => {
    log("create " + news.name);
    if (process.env.SLOW) await new Promise((r) => setTimeout(r, Number(process.env.SLOW)));
    if (news.value === "bad") throw new Error("the service says no to " + news.secretText);
    return { id: news.name, outs: { ...news, token: "t" } };
  },
  update: async (id, olds, news) => (log("update " + news.name), { outs: { ...news, token: "t" } }),
  delete: async (id, props) => log("delete " + props.name),
};
`;
const RESOURCES = `
const pulumi = require("@pulumi/pulumi");
class Thing extends pulumi.CustomResource {
  constructor(name, args, opts) {
    super("pulumi-nodejs:dynamic/test:Thing", name, { name, token: undefined, ...args, __provider: 'exports.handler = () => require("./provider").thing;' }, opts);
  }
}
`;

/** A project in a folder of its own. */
function project(
  files: Record<string, string>,
  sdk = "@pulumi/pulumi",
): { dir: string; env: NodeJS.ProcessEnv; calls: () => string[] } {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "engine-"));
  roots.push(dir);
  const all = {
    "Pulumi.yaml": "name: demo\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
    "package.json": '{"private": true}',
    "provider.js": PROVIDER,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) fs.writeFileSync(path.join(dir, name), text);
  fs.mkdirSync(path.join(dir, "node_modules/@pulumi"), { recursive: true });
  fs.symlinkSync(path.join(ROOT, "node_modules", sdk), path.join(dir, "node_modules/@pulumi/pulumi"));
  const clean = Object.fromEntries(Object.entries(process.env).filter(([k]) => !/^(PULUMI_|VITEST)/.test(k)));
  const calls = path.join(dir, "calls");
  fs.writeFileSync(calls, "");
  return {
    dir,
    env: { ...clean, PULUMI_HOME: path.join(dir, "home"), PULUMI_CONFIG_PASSPHRASE: "a b c", CALLS: calls },
    calls: () => fs.readFileSync(calls, "utf8").split("\n").filter(Boolean),
  };
}

async function up(stack: Stack, options: RunOptions = {}) {
  const events: EngineEvent[] = [];
  const result = await stack.run("update", { ...options, onEvent: (e) => events.push(e) });
  const said = events.flatMap((e) => (e.type === "diagnostic" ? [e.message] : []));
  return { result, events, said: said.join("\n") };
}

const stateFile = (dir: string): string => path.join(dir, ".pulumi/stacks/demo/dev.json");
const readState = (dir: string) => JSON.parse(fs.readFileSync(stateFile(dir), "utf8"));

describe("a project", () => {
  const p = project({
    "index.js": `${RESOURCES}
      const config = new pulumi.Config();
      const a = new Thing("a", { value: config.get("value") ?? "v", secretText: config.getSecret("key") });
      exports.key = a.secretText; exports.id = a.id; exports.list = [1, { deep: null }, "x"]; exports.none = undefined;`,
  });
  let opened: Project;
  let stack: Stack;
  beforeAll(async () => {
    opened = await openProject(p);
    stack = await opened.initStack("dev");
  });

  test("keeps its state beside Pulumi.yaml when nothing else is said, and finds its stacks", async () => {
    expect(opened.backend.source).toBe("default");
    expect(fs.existsSync(stateFile(p.dir))).toBe(true);
    expect((await opened.listStacks()).map((s) => [s.name, s.current])).toEqual([["dev", true]]);
    await expect(opened.openStack("nobody")).rejects.toThrow(/there are: dev/);
    await expect(opened.initStack("dev")).rejects.toThrow(/already/);
    await expect(opened.initStack("a b")).rejects.toThrow(/no name for a stack/);
  });

  test("has configuration: plain, secret, typed objects; comments of the file stay", async () => {
    const file = path.join(p.dir, "Pulumi.dev.yaml");
    fs.appendFileSync(file, "# a comment of mine\n");
    await stack.setConfig("value", "one");
    await stack.setConfig("key", "hush-hush-hush", { secret: true });
    await stack.setConfig("object.ports[0]", "80", { path: true });
    expect([...(await stack.config())].map(([k, v]) => [k, v.value])).toEqual([
      ["demo:key", "[secret]"],
      ["demo:object", '{"ports":[80]}'],
      ["demo:value", "one"],
    ]);
    expect((await stack.config({ showSecrets: true })).get("demo:key")?.value).toBe("hush-hush-hush");
    await stack.removeConfig("object.ports[0]", { path: true });
    const text = fs.readFileSync(file, "utf8");
    expect(text).toContain("# a comment of mine");
    expect(text).not.toContain("hush-hush");
  });

  test("runs; the second run writes once; secrets are in no file and no event", async () => {
    const first = await up(stack);
    expect(first.said).toBe("Undefined value (none) will not show as a stack output.");
    expect(first.result).toMatchObject({
      ok: true,
      changes: { create: 2 },
      outputs: { id: "a", key: "[secret]", list: [1, { deep: null }, "x"] },
    });
    expect((await up(stack)).result).toMatchObject({ ok: true, changes: { same: 2 }, stateWrites: 1 });
    expect(await stack.outputs({ showSecrets: true })).toMatchObject({ key: "hush-hush-hush" });
    expect(JSON.stringify(first.events)).not.toContain("hush");
    const files = fs
      .readdirSync(p.dir, { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile() && !f.parentPath.includes("node_modules"));
    for (const f of files)
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
    await stack.setConfig("value", "two");
    expect((await up(stack)).result.changes).toEqual({ same: 1, update: 1 });
    const after = readState(p.dir);
    expect(after.future).toEqual({ x: 1 });
    expect(after.checkpoint.latest.alsoFuture).toEqual(["y"]);
    for (const r of after.checkpoint.latest.resources) expect(r.unheardOf).toEqual({ of: r.urn });
  });

  test("a failure says why, without the secret it quotes; what failed is tried again", async () => {
    await stack.setConfig("value", "bad");
    const urn = "urn:pulumi:dev::demo::pulumi-nodejs:dynamic/test:Thing::a";
    await stack.deleteResource(urn);
    const failed = await up(stack);
    expect(failed.result.ok).toBe(false);
    expect(failed.said).toContain("the service says no to [secret]");
    expect(JSON.stringify(failed.events)).not.toContain("hush-hush");
    await stack.setConfig("value", "good");
    expect((await up(stack)).result).toMatchObject({ ok: true, changes: { create: 1, same: 1 } });
  });

  test("is exported and imported", async () => {
    const exported = await stack.export();
    await stack.import(structuredClone(exported));
    expect((await up(stack)).result.changes).toEqual({ same: 2 });
    const shown = JSON.stringify(await stack.export({ showSecrets: true }));
    expect(shown).toContain("hush-hush-hush");
    await stack.import(JSON.parse(shown));
    expect(fs.readFileSync(stateFile(p.dir), "utf8")).not.toContain("hush-hush");
    const broken = structuredClone(exported) as unknown as { deployment: { resources: unknown[] } };
    broken.deployment.resources.reverse();
    await expect(stack.import(broken)).rejects.toMatchObject({ code: "integrity" });
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
    await expect(stack.run("update", { targets: ["a"] })).rejects.toThrow(/no URN/);
  });

  test("respects a lock, removes it when asked, and takes over that of a process that is gone", async () => {
    const dir = path.join(p.dir, ".pulumi/locks/organization/demo/dev");
    fs.mkdirSync(dir, { recursive: true });
    const lock = (pid: number) =>
      fs.writeFileSync(
        path.join(dir, "x.json"),
        JSON.stringify({ pid, username: "u", hostname: os.hostname(), timestamp: new Date().toISOString() }),
      );
    lock(process.pid);
    await expect(stack.run("update")).rejects.toMatchObject({
      code: "locked",
      message: expect.stringContaining("Wait until"),
    });
    expect((await stack.run("preview")).ok).toBe(true);
    expect(await stack.cancel()).toBe(1);
    lock(2 ** 22 + 1);
    expect((await stack.locks())[0]?.stale).toBe(true);
    const { result, said } = await up(stack);
    expect(result.ok).toBe(true);
    expect(said).toContain("taken over");
    expect(await stack.locks()).toEqual([]);
  });

  test("is destroyed and removed", async () => {
    await expect(stack.remove()).rejects.toThrow(/still has 3 resources/);
    expect((await stack.run("destroy")).changes).toEqual({ delete: 2 });
    await stack.remove();
    expect(await opened.listStacks()).toEqual([]);
  });
});

describe("programs", () => {
  test.each([
    ["a resource of another provider", "new pulumi.CustomResource('aws:s3:Bucket', 'x', {})", /the provider "aws"/],
    ["an import", "new Thing('x', {}, { import: 'y' })", /option import/],
    ["a remote component", "new pulumi.ComponentResource('x:y:Z', 'x', {}, {}, true)", /remote component/],
    ["a transform", "new Thing('x', {}, { transforms: [() => undefined] })", /transform/i],
    ["a resource hook", "new Thing('x', {}, { hooks: { beforeCreate: [() => undefined] } })", /hook/i],
    ["an archive", "new Thing('x', { a: new pulumi.asset.FileArchive('.') })", /archives/],
    ["a function of a provider", "pulumi.runtime.invoke('aws:index:getRegion', {})", /aws:index:getRegion/],
  ])("with %s are refused, and nothing is made", async (_what, code, words) => {
    const p = project({ "index.js": `${RESOURCES}; ${code};` });
    const stack = await (await openProject(p)).initStack("dev");
    const { result, said } = await up(stack);
    expect(result.ok).toBe(false);
    expect(said).toMatch(words);
    expect(p.calls()).toEqual([]);
  });

  test.each(["pulumi-oldest", "@pulumi/pulumi", "pulumi-newest"])("run with the SDK %s", async (sdk) => {
    const p = project(
      {
        "index.js": `${RESOURCES}
          const group = new pulumi.ComponentResource("test:index:Group", "group");
          const a = new Thing("a", { value: pulumi.secret("v"), ref: group }, { parent: group, protect: false, aliases: [{ name: "b" }] });
          exports.token = a.token; exports.group = group;`,
      },
      sdk,
    );
    const stack = await (await openProject(p)).initStack("dev");
    expect((await up(stack)).result).toMatchObject({ ok: true, changes: { create: 3 } });
    expect((await up(stack)).result).toMatchObject({ ok: true, changes: { same: 3 } });
    expect((await stack.run("destroy")).changes).toEqual({ delete: 3 });
  });

  test("of an SDK that was not tested are refused", async () => {
    const p = project({ "index.js": "" });
    fs.rmSync(path.join(p.dir, "node_modules/@pulumi/pulumi"));
    fs.mkdirSync(path.join(p.dir, "node_modules/@pulumi/pulumi"));
    fs.writeFileSync(path.join(p.dir, "node_modules/@pulumi/pulumi/package.json"), '{"version": "4.0.0"}');
    const stack = await (await openProject(p)).initStack("dev");
    await expect(stack.run("preview")).rejects.toThrow(/tested with @pulumi\/pulumi 3\.216\.0 to 3\.270/);
  });

  test("in TypeScript run without a type check, unless asked; errors show the user's line", async () => {
    const p = project({
      "Pulumi.yaml": "name: demo\nruntime: nodejs\n",
      "tsconfig.json":
        '{"compilerOptions": {"strict": true, "module": "nodenext", "types": []}, "files": ["index.ts"]}',
      "index.ts":
        'const n: number = "not a number";\nexport const out = n;\nif (process.env.BREAK) {\n  throw new Error("this line");\n}\ndeclare const process: any;\n',
    });
    const stack = await (await openProject(p)).initStack("dev");
    const plain = await up(stack, { preview: true });
    expect(plain.result.ok, plain.said).toBe(true);
    const events: EngineEvent[] = [];
    const checked = await stack.run("preview", { typeCheck: true, onEvent: (e) => events.push(e) });
    expect(checked.ok).toBe(false);
    expect(JSON.stringify(events)).toContain("TS2322");
    const broken = await up(stack, { preview: true, env: { BREAK: "1" } });
    expect(broken.said).toContain("this line");
    expect(broken.said).toMatch(/index\.ts:4/);
    expect(broken.said).not.toMatch(/node_modules|node:internal/);
  });
});

describe("an interrupt", () => {
  const index = `${RESOURCES}
    const first = [1, 2].map((i) => new Thing("first-" + i, { value: "v" }));
    new Thing("second", { value: first[0].token });`;

  test("finishes what is under way, saves it, and releases the lock", async () => {
    const p = project({ "index.js": index });
    const stack = await (await openProject(p)).initStack("dev");
    const abort = new AbortController();
    const running = stack.run("update", { signal: abort.signal, env: { SLOW: "1500" } });
    while (p.calls().length < 2) await new Promise((r) => setTimeout(r, 20));
    abort.abort();
    const result = await running;
    expect(result).toMatchObject({ ok: false, cancelled: true });
    expect(p.calls().sort()).toEqual(["create first-1", "create first-2"]);
    expect(
      (await stack.resources())
        .map((r) => r.name)
        .filter((n) => n.startsWith("first"))
        .sort(),
    ).toEqual(["first-1", "first-2"]);
    expect(readState(p.dir).checkpoint.latest.pending_operations).toBeUndefined();
    expect(await stack.locks()).toEqual([]);
    expect((await up(stack)).result).toMatchObject({ ok: true, changes: { create: 1, same: 3 } });
  });

  test("that kills leaves what was begun as pending, and the next run says so", async () => {
    const p = project({ "index.js": index });
    const stack = await (await openProject(p)).initStack("dev");
    const child = spawn(process.execPath, [path.join(__dirname, "driver.cjs"), "up", "--stack", "dev"], {
      cwd: p.dir,
      env: { ...p.env, SLOW: "60000" },
      stdio: "ignore",
    });
    while (p.calls().length < 2) await new Promise((r) => setTimeout(r, 20));
    child.kill("SIGKILL");
    await new Promise((r) => child.once("exit", r));
    const pending = readState(p.dir).checkpoint.latest.pending_operations as {
      type: string;
      resource: { urn: string };
    }[];
    expect(pending.map((o) => [o.type, o.resource.urn.split("::").at(-1)]).sort()).toEqual([
      ["creating", "first-1"],
      ["creating", "first-2"],
    ]);
    const { said } = await up(stack);
    expect(said).toContain("taken over from a run that ended");
    expect(said).toContain("interrupted while creating");
    await stack.run("refresh", { clearPendingCreates: true });
    expect((await up(stack)).said).toBe("");
  });
});
