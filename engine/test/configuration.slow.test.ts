/** The configuration of a stack and its secrets, as they occur in practice: edited by hand, lost, or with another key. */
import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { openProject } from "../index";
import { SIG_KEY, SignatureKind } from "../resource/signatures";
import { Crypter } from "../secrets/crypter";
import { initStack, NODE, project, readState, stateFile } from "./scratch";
import { oncePerPassphrase } from "./warm-processes";

const create = oncePerPassphrase(Crypter.create);
const crypters = vi.spyOn(Crypter, "create").mockImplementation(create);
afterAll(() => crypters.mockRestore());

/** A stack in a project of its own, and its file. */
async function made(files: Record<string, string> = {}, passphrase = "a b c") {
  const p = project({ "index.js": "", ...files });
  p.env.PULUMI_CONFIG_PASSPHRASE = passphrase;
  const opened = await openProject(p);
  const stack = await opened.initStack("dev");
  const file = path.join(p.dir, "Pulumi.dev.yaml");
  return {
    ...p,
    stack,
    file,
    text: () => fs.readFileSync(file, "utf8"),
    setAt: (where: string, value: string, secret = false) => stack.config.set(where, value, { path: true, secret }),
    getAt: (where: string) => stack.config.get(where, { path: true }),
    /** The stack, opened again. */
    as: async (env: NodeJS.ProcessEnv) =>
      (await openProject({ dir: p.dir, env: { ...p.env, PULUMI_CONFIG_PASSPHRASE: undefined, ...env } })).openStack(
        "dev",
      ),
    /** All values by key. */
    shown: async (options = {}) =>
      Object.fromEntries([...(await stack.config.list(options))].map(([key, { value }]) => [key, value])),
  };
}

/** A state with one resource, with these outputs. */
const withOutputs = (deployment: object, outputs: object) => ({
  ...deployment,
  resources: [
    {
      urn: "urn:pulumi:dev::demo::pulumi:pulumi:Stack::demo-dev",
      custom: false,
      type: "pulumi:pulumi:Stack",
      outputs: { ...outputs, key: { [SIG_KEY]: SignatureKind.secret, plaintext: '"hush-hush"' } },
    },
  ],
});

describe("a value", () => {
  test("with characters that end a line for the CLI, or with which it reads no file, is written by their numbers", async () => {
    const { stack, file, text, setAt, shown } = await made();
    fs.appendFileSync(file, "config:\n  demo:mine: a\u2028b # by hand \u0085\n  demo:block: |\n    a\u2029\n    b\n");
    const values = { a: "line\u2028para\u2029", b: "\ufeffmark", c: "nel\u0085 del\u007f c1\u009f", d: "žluťoučký 🐎" };
    for (const [key, value] of Object.entries(values)) await stack.config.set(key, value);
    await setAt("e.f", "in\u2028side");
    expect(text()).not.toMatch(/[\u007f-\u009f\u2028\u2029\ufeff]/);
    expect(text()).toContain("žluťoučký 🐎");
    const read = Object.fromEntries(Object.entries(values).map(([key, value]) => [`demo:${key}`, value]));
    expect(await shown()).toMatchObject({ ...read, "demo:mine": "a\u2028b", "demo:block": "a\u2029\nb\n" });
    expect((await stack.config.get("e"))?.objectValue).toEqual({ f: "in\u2028side" });
  });

  test("at a path is a number only where the CLI makes it one, and a key may stand in brackets", async () => {
    const { stack, text, setAt, getAt } = await made();
    const values = { a: "+5", b: "-3", c: "007", d: "9223372036854775807", e: "9223372036854775808", f: "1e3" };
    for (const [key, value] of Object.entries(values)) await setAt(`o.${key}`, value);
    expect((await stack.config.get("o"))?.value).toBe(
      '{"a":5,"b":-3,"c":"007","d":9223372036854775807,"e":"9223372036854775808","f":"1e3"}',
    );
    await setAt("top", "5");
    await setAt('["a.b"].c', "1");
    await setAt('other:["d e"]', "x");
    expect(text()).toMatch(/demo:top: "5"\n {2}demo:a\.b:\n {4}c: 1\n {2}other:d e: x\n/);
    expect(await getAt('["a.b"].c')).toEqual({ value: "1", secret: false });
    await stack.config.remove('["a.b"]', { path: true });
    expect(await stack.config.get("a.b")).toBeUndefined();
    for (const wrong of ["[0]", "o[", ".a"]) await expect(setAt(wrong, "x")).rejects.toThrow(/is not a path/);
    await expect(setAt("list[-1]", "x")).rejects.toThrow(/no element -1/);
  });

  // The results of the CLI 3.260.
  test("without quotes is what the CLI reads there, in both files, and stays as it was written", async () => {
    const words = {
      octal: ["010", "8"],
      "no-octal": ["08", "8"],
      zeros: ["007", "7"],
      hex: ["0x1_F", "31"],
      minus: ["-0x1F", "-31"],
      bits: ["0b11", "3"],
      thousand: ["1_000", "1000"],
      tooLarge: ["12e34567", "12e34567"],
      half: ["1_0.50", "10.5"],
      exponent: ["1e3", "1000"],
      long: ["18446744073709551615", "18446744073709551615"],
      longer: ["99999999999999999999999", "1e+23"],
      clock: ["12:30:45", "12:30:45"],
      day: ["2024-1-31", "2024-01-31 00:00:00 +0000 UTC"],
      "no-day": ["2024-02-30", "2024-02-30"],
      moment: ["2024-01-31T10:00:00.50+02:00", "2024-01-31 10:00:00.5 +0200 +0200"],
      yes: ["yes", "yes"],
      "no-bits": ["0b_", "0b_"],
      text: ['"010"', "010"],
    } as const;
    const lines = (indent: string) =>
      Object.entries(words)
        .map(([key, [word]]) => `${indent}${key}: ${word}\n`)
        .join("");
    const { stack, file, text, dir, write, shown, as } = await made();
    const mine = `config:\n${lines("  demo:")}  demo:list: [ 010, 2024-01-31 ]\n`;
    fs.appendFileSync(file, mine);
    await stack.config.set("later", "2024-01-31");
    expect(text()).toContain(`${mine}  demo:later: "2024-01-31"\n`);
    const read = Object.fromEntries(Object.entries(words).map(([key, [, value]]) => [`demo:${key}`, value]));
    expect(await shown()).toEqual({
      ...read,
      "demo:later": "2024-01-31",
      "demo:list": '[8,"2024-01-31 00:00:00 +0000 UTC"]',
    });
    write(`${NODE}config:\n${lines("  ")}`, "Pulumi.yaml");
    write("", "Pulumi.dev.yaml");
    const presets = [...(await (await as({ PULUMI_HOME: dir })).config.list())].map(([key, { value }]) => [key, value]);
    expect({ ...Object.fromEntries(presets), "demo:long": read["demo:long"] }).toEqual(read);
  });

  test("beside a secret is not secret, though the whole that both are in is", async () => {
    const { stack, setAt, getAt } = await made();
    await setAt("o.hidden", "hush-hush", true);
    await setAt("o.open", "5");
    expect(await getAt("o.open")).toEqual({ value: "5", secret: false });
    expect(await getAt("o.hidden")).toEqual({ value: "hush-hush", secret: true });
    expect((await stack.config.get("o"))?.secret).toBe(true);
  });

  test("that is an object comes to the program in the JSON of the CLI", async () => {
    const { stack, setAt } = await made();
    await setAt("o.html", "<a>&</a>\u2028");
    expect(await stack.config.get("o")).toMatchObject({
      value: '{"html":"\\u003ca\\u003e\\u0026\\u003c/a\\u003e\\u2028"}',
      objectValue: { html: "<a>&</a>\u2028" },
    });
  });

  test("that Pulumi.yaml wants encrypted is refused in clear, by a run but not by a look", async () => {
    const key = "config:\n  key:\n    type: string\n    secret: true\n";
    const { stack, shown } = await made({ "Pulumi.yaml": NODE + key });
    await expect(stack.run("preview")).rejects.toThrow(/config set --secret key <value>/);
    // Callers that keep the values elsewhere have the problem without that.
    await expect(stack.run("preview")).rejects.toMatchObject({
      ...{ name: "EngineError", code: "missing-values" },
      problem: expect.stringMatching(/^stack dev lacks the configuration .*"key".*, which Pulumi.yaml asks for\.$/),
    });
    await stack.config.set("key", "in clear");
    await expect(stack.run("preview")).rejects.toThrow(/demo:key of stack dev must be encrypted.*--secret demo:key/);
    expect(await shown()).toEqual({ "demo:key": "in clear" });
  });

  test("of the wrong type does not keep it or others from being looked at", async () => {
    const { stack, shown } = await made({ "Pulumi.yaml": `${NODE}config:\n  n:\n    type: integer\n` });
    await stack.config.set("n", "many");
    await stack.config.set("other", "x");
    expect(await shown()).toEqual({ "demo:n": "many", "demo:other": "x" });
    expect((await stack.config.get("other"))?.value).toBe("x");
    await expect(stack.run("preview")).rejects.toThrow(/must be of type integer/);
  });
});

describe("a stack's file", () => {
  test.each([
    ["Pulumi.yml", "Pulumi.dev.yml", "name: demo\nruntime: nodejs\n"],
    ["Pulumi.json", "Pulumi.dev.json", '{ "name": "demo", "runtime": "nodejs" }'],
  ])("in a project with %s is %s", async (name, file, text) => {
    const p = project({ [name]: text });
    fs.rmSync(path.join(p.dir, "Pulumi.yaml"));
    const { config } = await (await openProject(p)).initStack("dev");
    await config.set("a", "0x1");
    await config.set("b", "hush", { secret: true });
    await config.set("c.d", "1234567890123456789", { path: true });
    expect(fs.readdirSync(p.dir).filter((each) => each.startsWith("Pulumi."))).toEqual([file, name]);
    const written = fs.readFileSync(path.join(p.dir, file), "utf8");
    if (name === "Pulumi.json") expect(JSON.parse(written).config).toMatchObject({ "demo:a": "0x1" });
    expect([...(await config.list({ showSecrets: true }))].map(([, v]) => v.value)).toEqual([
      "0x1",
      "hush",
      '{"d":1234567890123456789}',
    ]);
  });

  test("that was written by hand is read as the CLI reads it, and refused if it is not one", async () => {
    const { stack, text, write, shown } = await made();
    write("config:\n  demo:none:\n  demo:a: &a {x: 1, y: null}\n  demo:b: {<<: *a, x: 2}\n", "Pulumi.dev.yaml");
    await stack.config.set("c", "3");
    expect(await shown()).toEqual({
      "demo:a": '{"x":1,"y":null}',
      "demo:b": '{"x":2,"y":null}',
      "demo:c": "3",
      "demo:none": "",
    });
    expect(text()).toMatch(/<<: \*a/);
    for (const none of ["config:\n  - demo:value: x\n", "config: value\n", "value\n"]) {
      write(none, "Pulumi.dev.yaml");
      await expect(stack.config.list()).rejects.toThrow(/must be an object/);
      await expect(stack.run("preview")).rejects.toThrow(/must be an object/);
    }
  });
});

describe("Pulumi.yaml", () => {
  test.each([
    ["n: {type: strng}", /config\.n has the type "strng"; allowed are string, integer, boolean, array, object/],
    ["n: {type: array}", /config\.n has the type "array" without "items"/],
    ["n: {type: array, items: {type: list}}", /config\.n has items with the type "list"/],
    ["n: {type: integer, default: many}", /config\.n has a default that is not of its type, integer/],
    ["n: {type: integer, default: [5]}", /config\.n has a default that is not of its type, integer/],
    ["n: {type: boolean, default: [true]}", /not of its type, boolean/],
    ["n: {type: array, items: {type: integer}, default: [1, [2]]}", /not of its type, array<integer>/],
    ["n: {type: array, items: {type: integer}, default: [1, x]}", /not of its type, array<integer>/],
    ["n: {type: string, default: 5}", /config\.n has a default that is not of its type, string/],
    ["n: {type: object, default: '{}'}", /config\.n has a default that is not of its type, object/],
    ["n: {default: 1, value: 1}", /config\.n has a "default" and a "value"/],
    [
      "aws:region: {type: string, value: x}",
      /config\.aws:region has a "type", which only keys of the project can have/,
    ],
    ["aws:region: {default: x}", /config\.aws:region has a "default", .* give it a "value"/],
    ["aws:region: {description: x}", /config\.aws:region has no "value"/],
    ["n: {kind: string}", /config\.n has "kind"; allowed are type, items/],
  ])("with %s is refused", async (line, why) => {
    await expect(made({ "Pulumi.yaml": `${NODE}config:\n  ${line}\n` })).rejects.toThrow(why);
  });

  test("says of what type the items of a list are, and of theirs", async () => {
    const list = "{type: array, items: {type: array, items: {type: integer}}}";
    const { stack } = await made({ "Pulumi.yaml": `${NODE}config:\n  n: ${list}\n` });
    await stack.config.set("n", "[[1], [2, x]]");
    await expect(stack.run("preview")).rejects.toThrow(/must be of type array<array<integer>>/);
    await stack.config.set("n", "[[1], [x]]", { secret: true });
    await expect(stack.run("preview")).rejects.toThrow(/array<array<integer>>, as Pulumi.yaml says$/);
  });
});

describe("secrets", () => {
  test("need no passphrase where they are not looked at", async () => {
    const { stack, dir, as } = await made();
    await stack.config.set("plain", "v");
    await stack.config.set("key", "hush-hush", { secret: true });
    const state = await stack.export();
    await stack.import({ ...state, deployment: withOutputs(state.deployment, { id: "1" }) });
    for (const passphrase of [undefined, "wrong"]) {
      const other = await as({ PULUMI_CONFIG_PASSPHRASE: passphrase });
      expect((await other.config.get("plain"))?.value).toBe("v");
      expect((await other.config.list()).get("demo:key")?.value).toBe("[secret]");
      expect(await other.outputs()).toEqual({ id: "1", key: "[secret]" });
      expect((await other.resources())[0]?.outputs).toEqual({ id: "1", key: "[secret]" });
      expect((await other.export()).deployment).toEqual(readState(dir).checkpoint.latest);
      const looks = [() => other.config.get("key"), () => other.outputs({ showSecrets: true })];
      for (const look of looks) await expect(look()).rejects.toMatchObject({ code: "passphrase" });
    }
    expect(await stack.outputs({ showSecrets: true })).toEqual({ id: "1", key: "hush-hush" });
  });

  test("whose passphrase is in a file that cannot be read are not opened, and the file is named", async () => {
    const { stack, dir, as } = await made();
    await stack.config.set("key", "hush-hush", { secret: true });
    for (const file of [dir, path.join(dir, "nowhere")])
      await expect((await as({ PULUMI_CONFIG_PASSPHRASE_FILE: file })).config.get("key")).rejects.toMatchObject({
        code: "passphrase",
        message: expect.stringContaining(file),
      });
  });

  test("are opened by what the state has when the file has lost its encryptionsalt, and never shut away by a new one", async () => {
    const { stack, text, write, dir } = await made();
    await stack.config.set("key", "hush-hush", { secret: true });
    const salt = /^encryptionsalt: .*\n/m;
    const loseSalt = () => write(text().replace(salt, ""), "Pulumi.dev.yaml");
    const [line] = salt.exec(text()) as unknown as [string];
    loseSalt();
    expect((await stack.config.get("key"))?.value).toBe("hush-hush");
    await stack.config.set("second", "hush-too", { secret: true });
    expect(text()).toContain(line);
    expect((await stack.config.get("key"))?.value).toBe("hush-hush");

    // The state does not have it either.
    loseSalt();
    const state = readState(dir);
    delete state.checkpoint.latest.secrets_providers;
    fs.writeFileSync(stateFile(dir), JSON.stringify(state));
    const before = text();
    for (const use of [() => stack.config.get("key"), () => stack.config.set("third", "hush-three", { secret: true })])
      await expect(use()).rejects.toThrow(/its encryptionsalt, is missing/);
    expect(text()).toBe(before);
  });

  test("in clear are imported from a stack with another passphrase, and kept with this one's", async () => {
    const { deployment, ...version } = await (await made({}, "another")).stack.export();
    const { stack, dir } = await made();
    const salt = readState(dir).checkpoint.latest.secrets_providers;
    await stack.import({ ...version, deployment: withOutputs(deployment, {}) });
    expect(readState(dir).checkpoint.latest.secrets_providers).toEqual(salt);
    expect(fs.readFileSync(stateFile(dir), "utf8")).not.toContain("hush");
    expect(await stack.outputs({ showSecrets: true })).toEqual({ key: "hush-hush" });
  });
});

describe("a state from elsewhere", () => {
  const filled = async () => {
    const { stack, dir } = await initStack(project({ "Pulumi.yaml": NODE }), openProject);
    const empty = { version: 3, deployment: {} };
    await stack.import({ version: 3, deployment: withOutputs({}, { a: 1 }) });
    return { stack, dir, empty };
  };

  test("without resources replaces one that has some only with --force", async () => {
    const { stack, dir, empty } = await filled();
    const state = readState(dir);
    const refusal = /holds no resources, and the state of stack dev has 1, which would be forgotten .* Use --force/;
    await expect(stack.import(empty)).rejects.toThrow(refusal);
    await expect(stack.import({ version: 3, deployment: { resources: [] } })).rejects.toThrow(refusal);
    expect(readState(dir)).toEqual(state);
    await stack.import(empty, { force: true });
    expect(await stack.resources()).toEqual([]);
    // Now no value is left to lose.
    await stack.import(empty);
  });

  test.each(["test:index:Thing", "pulumi:pulumi:Stacks"])(
    "with a type that its URN contradicts is refused: %s",
    async (type) => {
      const { stack, dir } = await filled();
      const { deployment } = await stack.export();
      const [first, ...others] = deployment.resources as object[];
      const state = readState(dir);
      const changed = { version: 3, deployment: { ...deployment, resources: [{ ...first, type }, ...others] } };
      await expect(stack.import(changed, { force: true })).rejects.toThrow(
        /the type of urn:.* is ".*", which its URN contradicts\. Nothing was imported/,
      );
      expect(readState(dir)).toEqual(state);
    },
  );

  test("that an editor has saved with a byte order mark is read", async () => {
    const { stack, dir } = await filled();
    fs.writeFileSync(stateFile(dir), `\ufeff${fs.readFileSync(stateFile(dir), "utf8")}`);
    expect((await stack.resources()).length).toBe(1);
  });
});

test("a project in another language has its stacks, configuration and state here; a run is refused before anything is touched", async () => {
  const text = "name: demo\nruntime: python\n";
  const refusal = /its runtime is "python"; .*use the Pulumi CLI/;
  const { stack, opened, dir } = await initStack(project({ "Pulumi.yaml": text }), openProject);
  await stack.config.set("a", "1");
  expect((await stack.config.get("a"))?.value).toBe("1");
  expect((await opened.listStacks()).map(({ name }) => name)).toEqual(["dev"]);
  await stack.import({
    version: 3,
    deployment: withOutputs({ manifest: { time: "", magic: "", version: "" } }, { a: 1 }),
  });
  const state = readState(dir);
  for (const operation of ["preview", "update", "refresh", "destroy"] as const)
    await expect(stack.run(operation)).rejects.toThrow(refusal);
  expect(readState(dir)).toEqual(state);
});
