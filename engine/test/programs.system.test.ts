import fs from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { spread } from "../../test/chance";
import { openProject } from "../index";
import { initStack, newStack, project, RESOURCES, readState } from "./scratch";

const NEWEST = path.resolve(__dirname, "../../node_modules/pulumi-newest");

/** A stack of a program with a copy of the newest SDK: with another version, and with code appended to some files. */
async function withSdk(version: string, program = "", added: Record<string, string> = {}) {
  const p = project({ "index.js": program });
  const sdk = path.join(p.dir, "node_modules/@pulumi/pulumi");
  fs.rmSync(sdk);
  fs.mkdirSync(sdk);
  for (const name of fs.readdirSync(NEWEST))
    if (name !== "proto" && name !== "package.json") fs.symlinkSync(path.join(NEWEST, name), path.join(sdk, name));
  // Copied without links, so that the changes affect only the copy.
  fs.cpSync(path.join(NEWEST, "proto"), path.join(sdk, "proto"), { recursive: true });
  for (const [name, text] of Object.entries(added)) fs.appendFileSync(path.join(sdk, name), text);
  for (const needed of ["@grpc", "google-protobuf"])
    fs.symlinkSync(path.resolve(NEWEST, "..", needed), path.join(p.dir, "node_modules", needed));
  const manifest = JSON.parse(fs.readFileSync(path.join(NEWEST, "package.json"), "utf8"));
  fs.writeFileSync(path.join(sdk, "package.json"), JSON.stringify({ ...manifest, version }));
  return initStack(p);
}

describe("programs", () => {
  test("with what the engine does not have are refused, and nothing is made", async () => {
    const { write, up, calls } = await newStack({});
    const refused: [string, RegExp][] = [
      ["new pulumi.CustomResource('aws:s3:Bucket', 'x', {})", /plugin of the package aws is not installed/],
      ["new Thing('x', {}, { import: 'y' })", /option import, .*no engine can import it/],
      ["new pulumi.ComponentResource('x:y:Z', 'x', {}, {}, true)", /plugin of the package x is not installed/],
      ["new Thing('x', {}, { transforms: [() => undefined] })", /transform/i],
      [
        "pulumi.runtime.registerResourceTransform(() => undefined)",
        /the program uses transforms; not supported by the built-in/,
      ],
      ["new pulumi.ErrorHook('h', () => true)", /error hooks/],
      ["new Thing('x', { a: new pulumi.asset.FileArchive('.') })", /archives/],
      ["pulumi.runtime.invoke('aws:index:getRegion', {})", /plugin of the package aws is not installed/],
    ];
    for (const [code, words] of refused) {
      write(`${RESOURCES}; ${code};`);
      const { result, said } = await up();
      expect(result.ok, code).toBe(false);
      expect(said).toMatch(words);
      // It may not be installed.
      expect(said).not.toMatch(/update the Pulumi CLI/i);
    }
    expect(calls()).toEqual([]);
  });

  test.each(spread(["pulumi-oldest", "pulumi-newest", "@pulumi/pulumi"], 2))(
    "run with the SDK %s, and get what it seldom needs when they use it, not before",
    async (sdk) => {
      const loaded = `Object.keys(require.cache).filter((file) => /node_modules.(typescript|@npmcli.arborist)./.test(file))`;
      const { stack, up } = await newStack(
        {
          "package.json": '{"private": true, "dependencies": {"dependency": "1.0.0"}}',
          "node_modules/dependency/package.json": '{"name": "dependency", "version": "1.0.0"}',
          "provider.js": `
          exports.thing = {
            check: async (olds, inputs) => ({ inputs }),
            create: async () => ({ id: "1", outs: { token: ${loaded} } }),
            delete: async () => undefined,
          };`,
          "index.js": `${RESOURCES}
          exports.before = ${loaded};
          exports.debugged = process.moduleLoadList.includes("NativeModule inspector");
          const group = exports.group = new pulumi.ComponentResource("test:index:Group", "group");
          const args = { value: pulumi.secret("v"), ref: group };
          exports.inProvider = new Thing("a", args, { parent: group, protect: false, aliases: [{ name: "b" }] }).token;
          if (process.env.AGAIN) return;
          const number = 7;
          exports.text = pulumi.runtime.serializeFunction(() => number).then(({ text }) => text);
          const native = number.toFixed.bind(number);
          exports.place = pulumi.runtime.serializeFunction(() => native()).catch(({ message }) => message);
          exports.paths = pulumi.runtime.computeCodePaths().then((paths) => [...paths.keys()]);`,
        },
        // A process that is used again may have loaded more.
        { sdk, open: openProject },
      );
      expect((await up()).result).toMatchObject({
        ok: true,
        changes: { create: 3 },
        outputs: {
          before: [],
          debugged: false,
          inProvider: [],
          text: expect.stringContaining("number: 7"),
          place: expect.stringContaining("index.js"),
          paths: [path.join("node_modules", "dependency")],
        },
      });
      expect((await up({ env: { AGAIN: "1" } })).result).toMatchObject({ ok: true, changes: { same: 3 } });
      expect((await stack.run("destroy")).changes).toEqual({ delete: 3 });
    },
  );

  test("hide with hideDiffs what changed, but not that it did", async () => {
    const code = (n: number) =>
      `${RESOURCES} const more = ${n} > 1 && { more: { deep: "v${n}" } };
      new Thing("a", { value: "v${n}", list: Array(${n}).fill({ old: "v${n}" }), ...more },
        { hideDiffs: ["value", "list[*].old", "more.deep"] });`;
    const { up, write } = await newStack({ "index.js": code(1) });
    await up();
    write(code(2));
    const { events } = await up({ preview: true });
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
    const { stack, up, write } = await newStack({ "index.js": code('"a", {}', "") });
    await up();
    const before = await stack.outputs();
    write(code('"new", { value: "bad" }', "exports.more = b.token;"));
    expect((await up({ continueOnError: true })).result).toMatchObject({ ok: false, outputs: before });
    expect(await stack.outputs()).toEqual(before);
    expect(before).toEqual({ b: "t", deep: { list: ["t"] }, c: "t" });
  });

  test("go on with continueOnError when a component that needs what failed reports its outputs", async () => {
    const { up, calls } = await newStack({
      "index.js": `${RESOURCES}
        const bad = new Thing("bad", { value: "bad" });
        const group = new pulumi.ComponentResource("test:index:Group", "group", {}, { dependsOn: bad });
        new Thing("inside", {}, { parent: group });
        group.registerOutputs({ some: 1 });
        group.urn.apply(() => setTimeout(() => new Thing("later", {}), 500));`,
    });
    const { result, said } = await up({ continueOnError: true });
    expect([result.ok, said]).toEqual([false, "the service says no to undefined"]);
    expect(calls()).toEqual(["create bad", "create later"]);
  });

  test("with assets have them whole after a refresh", async () => {
    const asset = "new pulumi.asset.StringAsset";
    const { dir, stack, up } = await newStack({
      "index.js": `${RESOURCES} const a = new Thing("a", { text: ${asset}("x"), list: [pulumi.secret(${asset}("y"))] });
        new Thing("b", { name: a.token });`,
    });
    await up();
    const outputs = () => readState(dir).checkpoint.latest.resources.map((r: { outputs: unknown }) => r.outputs);
    const before = outputs();
    expect((await stack.run("refresh")).changes).toEqual({ same: 3 });
    expect(outputs()).toEqual(before);
    const { result, said } = await up();
    expect(result, said).toMatchObject({ ok: true, changes: { same: 3 } });
  });

  test.each(["4.0.0", "3.215.9"])("of an SDK %s are refused", async (version) => {
    const { dir, stack } = await withSdk(version);
    await expect(stack.run("preview")).rejects.toThrow(
      `tested with @pulumi/pulumi 3.216.0 to 3.270; ${dir} has ${version}. Install`,
    );
  });

  test("of a newer SDK run, and it is said that it was not tested", async () => {
    const { up } = await withSdk(
      "3.999.0",
      `${RESOURCES}; exports.token = new Thing("a", { value: "v" }).token;
      exports.shortCuts = process.execArgv.some((argument) => /lazy-sdk-modules/.test(argument));`,
    );
    const { result, events } = await up();
    expect(result).toMatchObject({ ok: true, changes: { create: 2 }, outputs: { shortCuts: false } });
    expect(events[0]).toMatchObject({ type: "start", sdkVersion: "3.999.0", sdkTested: "3.270" });
  });

  test("of a newer SDK that has changed too much are refused with the remedy", async () => {
    const { stack } = await withSdk("3.999.0", "", { "proto/provider_pb.js": "throw new Error('moved')" });
    await expect(stack.run("preview")).rejects.toThrow(
      /3\.999\.0 in .* is newer than what .* tested with, and it has changed: moved\. Install .*@~3\.270\.0/,
    );
  });

  test("that use an option of a newer SDK are refused, and nothing is made", async () => {
    const program = `${RESOURCES}; new Thing("a", {}); new Thing("b", {}, { ignoreChanges: ["novel"] });`;
    const { up } = await withSdk("3.999.0", program, {
      "proto/resource_pb.js": `
        // As if the message had a field of its own for it.
        module.exports.RegisterResourceRequest.prototype.getNovelWayMap = function () {
          return { getLength: () => this.getIgnorechangesList().length };
        };`,
    });
    const { result, said } = await up({ preview: true });
    expect(result.ok).toBe(false);
    expect(said).toMatch(
      /"b" has the option novelWayMap, which came with a newer @pulumi\/pulumi; .*use the Pulumi CLI/,
    );
    expect(said).not.toContain('"a" has');
  });

  test("in a folder that is not there are refused", async () => {
    const { stack } = await newStack({ "Pulumi.yaml": "name: demo\nmain: infra\nruntime: nodejs\n" });
    await expect(stack.run("preview")).rejects.toThrow(/no folder .*infra, which "main" in Pulumi.yaml names/);
  });

  test("with more configuration than a process accepts are refused with a message", async () => {
    const { stack, up } = await newStack({ "index.js": "" });
    await stack.config.set("text", "x".repeat(3 << 20));
    const { result, said } = await up({ preview: true });
    expect(result.ok).toBe(false);
    expect(said).toMatch(/configuration .* too long .* \(3073 KiB\): keep long texts in files/);
  });

  test("run behind a proxy, which is asked for nothing on this machine", async () => {
    for (const variable of ["https_proxy", "http_proxy"]) vi.stubEnv(variable, "http://127.0.0.1:9");
    vi.stubEnv("no_proxy", "intranet.example");
    const { up, calls } = await newStack({
      "index.js": `${RESOURCES} new Thing("a", { value: "v" }); console.log(process.env.no_grpc_proxy);`,
    });
    const { result, said } = await up();
    vi.unstubAllEnvs();
    expect(said).toBe("intranet.example,127.0.0.1");
    expect(result).toMatchObject({ ok: true, changes: { create: 2 } });
    expect(calls()).toEqual(["create a"]);
  });

  test("in TypeScript run without a type check, unless asked; errors show the user's line", async () => {
    const { dir, up } = await newStack({
      "Pulumi.yaml": "name: demo\nruntime: nodejs\n",
      "tsconfig.json":
        '{"compilerOptions": {"strict": true, "module": "nodenext", "types": []}, "files": ["index.ts"]}',
      "index.ts":
        'const n: number = "not a number";\nexport const out = n;\nif (process.env.BREAK) {\n  throw new Error("this line");\n}\ndeclare const process: any;\n',
    });
    const checked = await up({ preview: true, typeCheck: true });
    expect(checked.result.ok).toBe(false);
    expect(JSON.stringify(checked.events)).toContain("TS2322");
    const broken = await up({ env: { BREAK: "1" } });
    // The resources registered until then remain in the state, as with the CLI.
    expect(readState(dir).checkpoint.latest.resources).toMatchObject([{ type: "pulumi:pulumi:Stack" }]);
    expect(broken.said).toContain("this line");
    expect(broken.said).toMatch(/index\.ts:4/);
    expect(broken.said).not.toMatch(/node_modules|node:internal/);
  });

  test("that throw after a registration which fails report both errors, also when messages are queued", async () => {
    const { up } = await newStack({
      "index.js": `${RESOURCES}
      new Thing("refused", {}, { import: "1" });
      for (let i = 0; i < 100; i++) pulumi.log.info("message " + i);
      setTimeout(() => { throw new Error("thrown by the program"); }, 20);`,
    });
    for (const preview of [true, false]) {
      const { result, said } = await up({ preview });
      expect(result.ok).toBe(false);
      expect(said).toMatch(/option import/);
      expect(said).toMatch(/thrown by the program/);
    }
  });

  test("in TypeScript say that it is not installed, where Pulumi's own knows less than they ask for", async () => {
    const { dir, up } = await newStack({
      "Pulumi.yaml": "name: demo\nruntime: nodejs\n",
      "tsconfig.json": '{"compilerOptions": {"target": "es2022", "module": "nodenext"}, "files": ["index.ts"]}',
      "index.ts": "export const out = 1;\n",
    });
    // An SDK with all its dependencies except TypeScript, as in a project of a folder above.
    const modules = path.join(dir, "node_modules");
    const ours = path.join(__dirname, "../../node_modules");
    fs.rmSync(path.join(modules, "@pulumi"), { recursive: true });
    fs.cpSync(path.join(ours, "@pulumi/pulumi"), path.join(modules, "@pulumi/pulumi"), { recursive: true });
    for (const name of fs.readdirSync(ours))
      if (!["@pulumi", "typescript", "ts-node"].includes(name) && !name.startsWith("."))
        fs.symlinkSync(path.join(ours, name), path.join(modules, name));
    const { result, said } = await up({ preview: true });
    expect(result.ok).toBe(false);
    expect(said).toContain("TS6046");
    expect(said).toContain(`TypeScript is not installed for ${fs.realpathSync(dir)}`);
    expect(said).toContain("npm install");
  });
});
