import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { EngineEvent } from "../../engine";
import { project, RESOURCES, readState, up } from "./scratch";
import { openProject } from "./warm-processes";

const NEWEST = path.resolve(__dirname, "../../node_modules/pulumi-newest");

/** A project with the newest SDK under another version, with something added to files of it. */
function withSdk(version: string, files: Record<string, string>, added: Record<string, string> = {}) {
  const p = project(files);
  const sdk = path.join(p.dir, "node_modules/@pulumi/pulumi");
  fs.rmSync(sdk);
  fs.mkdirSync(sdk);
  for (const name of fs.readdirSync(NEWEST))
    if (name !== "proto" && name !== "package.json") fs.symlinkSync(path.join(NEWEST, name), path.join(sdk, name));
  // No links, so that what is changed in it is its own.
  fs.cpSync(path.join(NEWEST, "proto"), path.join(sdk, "proto"), { recursive: true });
  for (const [name, text] of Object.entries(added)) fs.appendFileSync(path.join(sdk, name), text);
  for (const needed of ["@grpc", "google-protobuf"])
    fs.symlinkSync(path.resolve(NEWEST, "..", needed), path.join(p.dir, "node_modules", needed));
  const manifest = JSON.parse(fs.readFileSync(path.join(NEWEST, "package.json"), "utf8"));
  fs.writeFileSync(path.join(sdk, "package.json"), JSON.stringify({ ...manifest, version }));
  return p;
}

describe("programs", () => {
  test.each([
    ["a resource of another provider", "new pulumi.CustomResource('aws:s3:Bucket', 'x', {})", /the provider "aws"/],
    ["an import", "new Thing('x', {}, { import: 'y' })", /option import/],
    ["a remote component", "new pulumi.ComponentResource('x:y:Z', 'x', {}, {}, true)", /remote component/],
    ["a transform", "new Thing('x', {}, { transforms: [() => undefined] })", /transform/i],
    ["an error hook", "new pulumi.ErrorHook('h', () => true)", /error hooks/],
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

  test.each(["pulumi-oldest", "@pulumi/pulumi", "pulumi-newest"])(
    "get what the SDK %s seldom needs when they use it, not before",
    async (sdk) => {
      const loaded = `Object.keys(require.cache).filter((file) =>
      /node_modules.(typescript|@npmcli.arborist)./.test(file))`;
      const p = project(
        {
          "provider.js": `
          exports.thing = {
            check: async (olds, inputs) => ({ inputs }),
            create: async () => ({ id: "1", outs: { token: ${loaded} } }),
          };`,
          "index.js": `${RESOURCES}
          exports.before = ${loaded};
          exports.debugged = process.moduleLoadList.includes("NativeModule inspector");
          exports.inProvider = new Thing("a", {}).token;
          const number = 7;
          exports.text = pulumi.runtime.serializeFunction(() => number).then(({ text }) => text);
          const native = number.toFixed.bind(number);
          exports.place = pulumi.runtime.serializeFunction(() => native()).catch(({ message }) => message);
          exports.paths = pulumi.runtime.computeCodePaths().then((paths) => [...paths.keys()]);`,
        },
        sdk,
      );
      fs.mkdirSync(path.join(p.dir, "node_modules/dependency"));
      fs.writeFileSync(
        path.join(p.dir, "node_modules/dependency/package.json"),
        '{"name": "dependency", "version": "1.0.0"}',
      );
      fs.writeFileSync(path.join(p.dir, "package.json"), '{"private": true, "dependencies": {"dependency": "1.0.0"}}');
      const { result } = await up(await (await openProject(p)).initStack("dev"));
      expect(result.ok).toBe(true);
      expect(result.outputs).toEqual({
        before: [],
        debugged: false,
        inProvider: [],
        text: expect.stringContaining("number: 7"),
        place: expect.stringContaining("index.js"),
        paths: [path.join("node_modules", "dependency")],
      });
    },
  );

  test("hide with hideDiffs what changed, but not that it did", async () => {
    const code = (n: number, opts: string) =>
      `${RESOURCES} new Thing("a", { value: "v${n}", list: Array(${n}).fill({ old: "v${n}" }), ...(${n} > 1 && { more: { deep: "v${n}" } }) }, ${opts});`;
    const opts = '{ hideDiffs: ["value", "list[*].old", "more.deep"] }';
    const p = project({ "index.js": code(1, opts) });
    const stack = await (await openProject(p)).initStack("dev");
    await up(stack);
    fs.writeFileSync(path.join(p.dir, "index.js"), code(2, opts));
    const { events } = await up(stack, { preview: true });
    const changed = events.flatMap((e) => (e.type === "step" && e.step.diffs?.length ? [e.step.diffs] : []));
    const hidden = { before: "[hidden]", after: "[hidden]" };
    expect(changed).toMatchObject([
      [
        { path: "list[0].old", ...hidden },
        { path: "list[1]", after: "[hidden]" },
        { path: "value", ...hidden },
        { path: "more", after: "[hidden]" },
      ],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/"v[12]"/);
  });

  test("of which some fails keep the outputs that come from it as they were", async () => {
    const code = (bad: string, rest: string) =>
      `${RESOURCES} const a = new Thing(${bad}); const b = new Thing("b", { ref: a.token }); const c = new Thing("c", {});
      exports.b = b.token; exports.deep = { list: [a.token] }; exports.c = c.token; ${rest}`;
    const p = project({ "index.js": code('"a", {}', "") });
    const stack = await (await openProject(p)).initStack("dev");
    await up(stack);
    const before = await stack.outputs();
    fs.writeFileSync(path.join(p.dir, "index.js"), code('"new", { value: "bad" }', "exports.more = b.token;"));
    const { result } = await up(stack, { continueOnError: true });
    expect(result).toMatchObject({ ok: false, outputs: before });
    expect(await stack.outputs()).toEqual(before);
    expect(before).toEqual({ b: "t", deep: { list: ["t"] }, c: "t" });
  });

  test("go on with continueOnError when a component that needs what failed reports its outputs", async () => {
    const p = project({
      "index.js": `${RESOURCES}
        const bad = new Thing("bad", { value: "bad" });
        const group = new pulumi.ComponentResource("test:index:Group", "group", {}, { dependsOn: bad });
        new Thing("inside", {}, { parent: group });
        group.registerOutputs({ some: 1 });
        group.urn.apply(() => setTimeout(() => new Thing("later", {}), 500));`,
    });
    const stack = await (await openProject(p)).initStack("dev");
    const { result, said } = await up(stack, { continueOnError: true });
    expect(result.ok).toBe(false);
    expect(said).toBe("the service says no to undefined");
    expect(p.calls()).toEqual(["create bad", "create later"]);
  });

  test("with assets have them whole after a refresh", async () => {
    const asset = "new pulumi.asset.StringAsset";
    const p = project({
      "index.js": `${RESOURCES} const a = new Thing("a", { text: ${asset}("x"), list: [pulumi.secret(${asset}("y"))] }); new Thing("b", { name: a.token });`,
    });
    const stack = await (await openProject(p)).initStack("dev");
    await up(stack);
    const outputs = () => readState(p.dir).checkpoint.latest.resources.map((r: { outputs: unknown }) => r.outputs);
    const before = outputs();
    expect((await stack.run("refresh")).changes).toEqual({ same: 3 });
    expect(outputs()).toEqual(before);
    const { result, said } = await up(stack);
    expect(result, said).toMatchObject({ ok: true, changes: { same: 3 } });
  });

  test.each(["4.0.0", "3.215.9"])("of an SDK %s are refused", async (version) => {
    const p = withSdk(version, {}, {});
    const stack = await (await openProject(p)).initStack("dev");
    await expect(stack.run("preview")).rejects.toThrow(
      `tested with @pulumi/pulumi 3.216.0 to 3.270; ${p.dir} has ${version}. Install`,
    );
  });

  test("of a newer SDK run, and it is said that it was not tested", async () => {
    const code = `${RESOURCES}; exports.token = new Thing("a", { value: "v" }).token;
      exports.shortCuts = process.execArgv.some((argument) => /lazy-sdk-modules/.test(argument));`;
    const p = withSdk("3.999.0", { "index.js": code });
    const stack = await (await openProject(p)).initStack("dev");
    const { result, events } = await up(stack);
    expect(result).toMatchObject({ ok: true, changes: { create: 2 }, outputs: { shortCuts: false } });
    expect(events[0]).toMatchObject({ type: "start", sdkVersion: "3.999.0", sdkTested: "3.270" });
    expect((await stack.run("destroy")).changes).toEqual({ delete: 2 });
  });

  test("of a newer SDK that has changed too much are refused with the way out", async () => {
    const p = withSdk("3.999.0", { "index.js": "" }, { "proto/provider_pb.js": "throw new Error('moved')" });
    const stack = await (await openProject(p)).initStack("dev");
    await expect(stack.run("preview")).rejects.toThrow(
      /3\.999\.0 in .* is newer than what .* tested with, and it has changed: moved\. Install .*@~3\.270\.0/,
    );
  });

  test("that use an option of a newer SDK are refused, and nothing is made", async () => {
    const p = withSdk(
      "3.999.0",
      { "index.js": `${RESOURCES}; new Thing("a", {}); new Thing("b", {}, { ignoreChanges: ["novel"] });` },
      {
        "proto/resource_pb.js": `
          // As if there were a field of its own for it.
          module.exports.RegisterResourceRequest.prototype.getNovelWayMap = function () {
            return { getLength: () => this.getIgnorechangesList().length };
          };`,
      },
    );
    const stack = await (await openProject(p)).initStack("dev");
    const { result, said } = await up(stack, { preview: true });
    expect(result.ok).toBe(false);
    expect(said).toMatch(
      /"b" has the option novelWayMap, which came with a newer @pulumi\/pulumi; .*use the Pulumi CLI/,
    );
    expect(said).not.toContain('"a" has');
  });

  test("in a folder that is not there are refused", async () => {
    const p = project({ "Pulumi.yaml": "name: demo\nmain: infra\nruntime: nodejs\n" });
    const stack = await (await openProject(p)).initStack("dev");
    await expect(stack.run("preview")).rejects.toThrow(/no folder .*infra, which "main" in Pulumi.yaml names/);
  });

  test("with more configuration than a process can be given are refused in words", async () => {
    const p = project({ "index.js": "" });
    const stack = await (await openProject(p)).initStack("dev");
    await stack.config.set("text", "x".repeat(3 << 20));
    const { result, said } = await up(stack, { preview: true });
    expect(result.ok).toBe(false);
    expect(said).toMatch(/configuration .* too long .* \(3073 KiB\): keep long texts in files/);
  });

  test("run behind a proxy, which is asked for nothing on this machine", async () => {
    for (const variable of ["https_proxy", "http_proxy"]) vi.stubEnv(variable, "http://127.0.0.1:9");
    vi.stubEnv("no_proxy", "intranet.example");
    const p = project({
      "index.js": `${RESOURCES} new Thing("a", { value: "v" }); console.log(process.env.no_grpc_proxy);`,
    });
    const { result, said } = await up(await (await openProject(p)).initStack("dev"));
    vi.unstubAllEnvs();
    expect(said).toBe("intranet.example,127.0.0.1");
    expect(result).toMatchObject({ ok: true, changes: { create: 2 } });
    expect(p.calls()).toEqual(["create a"]);
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
    const broken = await up(stack, { env: { BREAK: "1" } });
    // What had been registered by then stays in the state, as with the CLI.
    expect(readState(p.dir).checkpoint.latest.resources).toMatchObject([{ type: "pulumi:pulumi:Stack" }]);
    expect(broken.said).toContain("this line");
    expect(broken.said).toMatch(/index\.ts:4/);
    expect(broken.said).not.toMatch(/node_modules|node:internal/);
  });

  test("in TypeScript say that it is not installed, where Pulumi's own knows less than they ask for", async () => {
    const p = project({
      "Pulumi.yaml": "name: demo\nruntime: nodejs\n",
      "tsconfig.json": '{"compilerOptions": {"target": "es2022", "module": "nodenext"}, "files": ["index.ts"]}',
      "index.ts": "export const out = 1;\n",
    });
    // An SDK with everything beside it but TypeScript, as a project above may have it.
    const modules = path.join(p.dir, "node_modules");
    const ours = path.join(__dirname, "../../node_modules");
    fs.rmSync(path.join(modules, "@pulumi"), { recursive: true });
    fs.cpSync(path.join(ours, "@pulumi/pulumi"), path.join(modules, "@pulumi/pulumi"), { recursive: true });
    for (const name of fs.readdirSync(ours)) {
      if (!["@pulumi", "typescript", "ts-node"].includes(name) && !name.startsWith("."))
        fs.symlinkSync(path.join(ours, name), path.join(modules, name));
    }
    const { result, said } = await up(await (await openProject(p)).initStack("dev"), { preview: true });
    expect(result.ok).toBe(false);
    expect(said).toContain("TS6046");
    expect(said).toContain(`TypeScript is not installed for ${fs.realpathSync(p.dir)}`);
    expect(said).toContain("npm install");
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
    expect(said).toContain("removed a stale lock");
    expect(said).toContain("interrupted while creating");
    await stack.run("refresh", { clearPendingCreates: true });
    expect((await up(stack)).said).toBe("");
  });
});
