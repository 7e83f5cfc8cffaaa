/** Stacks, configuration and deployments by the built command with the built-in engine, as real processes. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { bareEnv, esignProcess, javaScript, linkPackages, main, type RunOptions, run, withSharedKeys } from "./esign";
import { esign as command } from "./in-process";

// Some thirty processes: a busy machine needs its time.
const home = temporaryFolder();
const project = join(home, "project");
const service = useEmulator();

const env = () => ({
  ESIGN_BASE_URL: service.url,
  ESIGN_API_KEY: service.keys.partner,
  PULUMI_CONFIG_PASSPHRASE: "correct-horse",
});

/** The project's program: two webhooks and a colour, which come from the environment. */
const program = `
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const config = new pulumi.Config();
console.log("a line of the program");
new esign.Branding("branding", { colour: process.env.COLOUR ?? "#0B7285" });
const hook = new esign.Webhook("hook", { type: "all", url: process.env.HOOK ?? "https://h.example.com/a" });
const second = new esign.Webhook("second", { type: "add-user", url: "https://h.example.com/b" });
exports.id = hook.webhookId;
exports.hush = config.getSecret("hush");
`;

beforeAll(async () => {
  linkPackages(project);
  writeFileSync(join(project, "Pulumi.yaml"), `name: shop\n${javaScript}\nbackend:\n  url: file://${project}\n`);
  writeFileSync(join(project, "index.js"), program);
});

const esign = (args: string[], options: RunOptions = {}) =>
  command(args, { home, cwd: project, ...options, env: { ...env(), ...options.env } });

const json = async (args: string[]) => JSON.parse((await esign([...args, "--json"])).stdout);
const ok = async (...args: string[]) => {
  const { code, stdout, stderr } = await esign(args);
  expect({ code, output: code === 0 ? "" : stderr + stdout }).toEqual({ code: 0, output: "" });
  return stdout;
};
const fails = async (code: number, words: string | RegExp, ...args: string[]) =>
  expect(await esign(args)).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(words) });
const stacks = async () => (await json(["stack", "ls"])).map(({ name }: { name: string }) => name);
/** The environment of a program with another webhook. */
const other = (url: string) => ({ env: { HOOK: `https://h.example.com/${url}` } });

it("a stack is selected for the CLI, too, where the shell has entered the folder by a link", async () => {
  const own = temporaryFolder();
  const [real, link] = [join(realpathSync(own), "real"), join(own, "link")];
  mkdirSync(real);
  symlinkSync(real, link);
  writeFileSync(join(real, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const noted = () => readdirSync(join(own, ".pulumi/workspaces"));
  const noteOf = (folder: string) =>
    `shop-${createHash("sha1").update(join(folder, "Pulumi.yaml")).digest("hex")}-workspace.json`;
  const call = (args: string[], PWD: string) =>
    command(args, { home: own, cwd: real, env: { PULUMI_CONFIG_PASSPHRASE: "x", PWD } });
  await call(["stack", "init", "one"], link);
  expect(noted()).toEqual([noteOf(link)]);
  // Left over from before a change of folder.
  await call(["stack", "select", "one"], own);
  expect(noted().sort()).toEqual([noteOf(link), noteOf(real)].sort());
});

describe("a stack", () => {
  it("is asked for when there is none", () => fails(6, "Create one: esign stack init dev", "up", "--yes"));

  it("is made, listed and selected", async () => {
    expect((await esign(["stack", "init", "dev"])).stderr).toContain('Created and selected stack "dev".');
    await fails(2, "dev", "stack", "init", "dev");
    await ok("stack", "init", "other");
    await ok("stack", "select", "dev");
    expect(await json(["stack", "ls"])).toEqual([
      expect.objectContaining({ name: "dev", current: true }),
      expect.objectContaining({ name: "other", current: false }),
    ]);
    await fails(6, "dev", "stack", "select", "nowhere");
    await fails(6, "no stack is named; the project has dev, other: use --stack", "stack", "select");
    expect((await esign(["stack", "select", "--stack", "dev"])).stderr).toContain('Selected stack "dev".');
    // Of two, one would be passed over.
    for (const verb of [["stack", "init"], ["stack", "select"], ["stack", "rm", "--yes"], ["cancel"]])
      await fails(2, "two stacks: the argument is other", ...verb, "other", "--stack", "dev");
    expect(await stacks()).toHaveLength(2);
  });

  it("is made, too, where the home folder cannot be written, with words that help", async () => {
    const barred = join(home, "barred");
    writeFileSync(barred, "");
    const at = (...args: string[]) => esign(args, { env: { ...env(), PULUMI_HOME: barred } });
    const made = await at("stack", "init", "third");
    expect(made).toMatchObject({ code: 0 });
    expect(made.stderr).toContain('Created stack "third".');
    const selected = await at("stack", "select", "third");
    expect(selected).toMatchObject({ code: 1 });
    for (const { stderr } of [made, selected]) {
      expect(stderr).toContain("stack third cannot be noted as the selected one");
      expect(stderr).toContain(
        "name it with --stack or PULUMI_STACK, or name a folder that can be written with PULUMI_HOME",
      );
    }
    const renamed = await at("stack", "rename", "fourth", "--stack", "third");
    expect(renamed).toMatchObject({ code: 0 });
    expect(renamed.stderr).toContain('Renamed stack "third" to "fourth".\n');
    expect(await stacks()).toEqual(["dev", "fourth", "other"]);
    await ok("stack", "rm", "fourth", "--yes");
  });

  it("keeps configuration, secrets encrypted", async () => {
    await ok("config", "set", "colour", "#123456");
    // What a pipe brings may be slow in coming.
    const slow = { home, cwd: project, env: env(), input: "s3cret-value\n", inputAfter: 500 };
    expect((await esignProcess(["config", "set", "--secret", "hush"], slow)).code).toBe(0);
    // A pipeline whose variable is not set brings nothing, and the secret stays.
    const nothing = await esign(["config", "set", "--secret", "hush"], { input: "\n" });
    expect(nothing).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("no value for hush.") });
    for (const key of [["esign:apiKey"], ["--path", 'values["token"]'], ["--path", "values['a'].password"]])
      await fails(2, "in plain text. Use --secret", "config", "set", ...key, "key_123");
    const listed = await ok("config", "ls");
    expect(listed).toContain("shop:colour");
    expect(listed).not.toContain("s3cret-value");
    expect(await ok("config", "get", "hush")).toBe("s3cret-value\n");
    expect(readFileSync(join(project, "Pulumi.dev.yaml"), "utf8")).not.toContain("s3cret-value");
    await ok("config", "set", "empty", "");
    expect(await ok("config", "get", "empty")).toBe("\n");
    for (const key of ["colour", "empty"]) await ok("config", "rm", key);
    await fails(2, "stack dev has no configuration shop:colour; it has shop:hush", "config", "get", "colour");
  });
});

describe("a deployment", () => {
  it("without a terminal needs --yes, and fails before anything runs", async () => {
    service.clearLog();
    await fails(2, "stdin is not a terminal: add --yes", "up");
    expect(service.requests()).toEqual([]);
  });

  it("with --local is one of the stack that is named, by its whole name as well", async () => {
    const { code, stderr } = await esign(["preview", "--local", "--stack", "organization/shop/other"]);
    expect(stderr).not.toContain("is new");
    expect(code).toBe(0);
  });

  it("with --expect-no-changes ends with 7 and changes nothing", async () => {
    const { code, stdout, stderr } = await esign(["up", "--yes", "--expect-no-changes"]);
    expect(code).toBe(7);
    expect((stdout + stderr).match(/no changes/gi)).toHaveLength(1);
    expect(stderr).toContain("No changes were expected, but there are some.");
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("goes up; the program's lines are shown once; outputs can be read", async () => {
    const stdout = await ok("up", "--yes", "--message", "first");
    expect(stdout.match(/a line of the program/g)).toHaveLength(1);
    expect(stdout).toContain("2 created, 1 adopted and updated. Account writes: 3.");
    expect(stdout).not.toContain("s3cret-value");
    const { webhooks } = service.data().accounts.find(({ partner }) => partner)!;
    const id = webhooks.find(({ url }) => url === "https://h.example.com/a")?.id;
    expect(await ok("stack", "output", "id")).toBe(`${id}\n`);
    expect(await ok("stack", "output")).toMatch(/^hush +\[secret\]$/m);
    expect(await json(["stack", "output", "--show-secrets"])).toEqual({ id, hush: "s3cret-value" });
    await fails(2, "has no output di; it has ", "stack", "output", "di");
    await fails(2, "has no output toString", "stack", "output", "toString");
    const update = { kind: "update", message: "first", result: "succeeded" };
    expect((await json(["stack", "history"]))[0]).toMatchObject(update);
    expect(await ok("stack", "resources")).toMatch(/^esign:Webhook +hook +\d+/m);
  });

  it("shows drift with refresh and reverts it with up", async () => {
    await ok("branding", "update", "--colour", "#000000");
    const refresh = await ok("refresh", "--yes", "--skip-preview");
    expect(refresh).toMatch(/↓ {2}Branding branding +refreshed \[~colour\]/);
    const up = await ok("up", "--yes", "--refresh");
    expect(up).toContain('~ colour: "#000000" → "#0B7285"');
    expect(up).toContain("updated [~colour]");
    expect((await json(["branding", "get"])).branding_colour).toBe("#0B7285");
  });

  it("gives machines one event per line, and nothing else on stdout", async () => {
    const { code, stdout } = await esign(["up", "--yes", "--json"], other("new"));
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    expect(events.filter(({ type }) => type === "start").map(({ preview }) => preview)).toEqual([true, false]);
    expect(events.at(-1)).toMatchObject({ type: "end", result: { ok: true, changes: { update: 1, same: 3 } } });
  });

  it.runIf(existsSync("/dev/full"))("completes where its lines cannot be written, and reports it", async () => {
    const dir = join(home, "full");
    const url = "https://h.example.com/full";
    save(dir, {
      "Pulumi.yaml": `name: full
runtime: yaml
backend: { url: "file://${dir}" }
resources: { hook: { type: esign:Webhook, properties: { type: all, url: "${url}" } } }`,
    });
    await esign(["stack", "init", "dev"], { cwd: dir });
    const up = `"${process.execPath}" "${main}" up --yes --skip-preview > /dev/full`;
    const { code, stderr } = await run("sh", ["-c", up], { home, cwd: dir, env: env() });
    expect(stderr).toMatch(/^error: cannot write the output: ENOSPC.*$/m);
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(1);
    expect((await json(["webhooks", "list"])).map((hook: { webhook_url: string }) => hook.webhook_url)).toContain(url);
    const { stdout } = await esign(["stack", "history", "--json"], { cwd: dir });
    expect(JSON.parse(stdout)[0]).toMatchObject({ result: "succeeded" });
    const again = await esign(["preview", "--expect-no-changes"], { cwd: dir });
    expect(again.code, again.stdout).toBe(0);
    expect((await esign(["destroy", "--yes", "--skip-preview"], { cwd: dir })).code).toBe(0);
  });

  it("that fails says why and ends with 1", async () => {
    const { code, stdout } = await esign(["up", "--yes"], { env: { COLOUR: "blue" } });
    expect(code).toBe(1);
    expect(stdout).toContain('error: Branding "branding":');
    expect(stdout).toMatch(/error: .*colour.*#RRGGBB/s);
    expect(stdout).toContain("Preview failed.");
  });

  it("is exported and imported without loss", async () => {
    const file = join(home, "state.json");
    await ok("stack", "export", "--file", file);
    const state = readFileSync(file, "utf8");
    expect(JSON.parse(state)).toMatchObject({ version: 3 });
    expect(state).not.toContain("s3cret-value");
    await ok("stack", "import", "--file", file);
    const untimed = (text: string) => text.replace(/"time": ".*"/, "");
    expect(untimed(await ok("stack", "export"))).toBe(untimed(state));
    expect((await esign(["stack", "import", "--yes"], { input: "no state" })).code).toBe(2);
  });

  it("is destroyed; only an empty stack is removed", async () => {
    // Mistakes are reported before a confirmation.
    expect((await esign(["stack", "rm"])).stderr).toMatch(/still has \d+ resources/);
    expect((await esign(["state", "delete", "urn:pulumi:x::y::z::w"])).stderr).toContain("there is no resource");
    expect((await esign(["stack", "rm", "--force"])).stderr).toContain("add --yes");
    expect(await ok("destroy", "--yes", "--skip-preview")).toContain("2 deleted, 1 restored. Account writes: 3.");
    expect(await json(["webhooks", "list"])).toEqual([]);
    await ok("stack", "rm", "--yes");
    expect(await stacks()).toEqual(["other"]);
    expect(existsSync(join(project, "Pulumi.dev.yaml"))).toBe(false);
  });
});

describe("Ctrl-C", () => {
  it("twice ends a preview that waits for an answer at once, and says that nothing was changed", async () => {
    const dir = join(home, "hanging");
    const asked = join(dir, "asked");
    linkPackages(dir);
    writeFileSync(join(dir, "Pulumi.yaml"), `name: hanging\n${javaScript}\n`);
    writeFileSync(
      join(dir, "provider.js"),
      `exports.thing = {
        create: async () => ({ id: "1", outs: {} }),
        read: () => (require("fs").writeFileSync(${JSON.stringify(asked)}, ""), new Promise(() => setTimeout(() => {}, 1e6))),
      };`,
    );
    writeFileSync(
      join(dir, "index.js"),
      `const { CustomResource } = require("@pulumi/pulumi");
      new CustomResource("pulumi-nodejs:dynamic/test:Thing", "a", { __provider: 'exports.handler = () => require("./provider").thing;' });`,
    );
    await esign(["stack", "init", "dev"], { cwd: dir });
    expect((await esign(["up", "--yes", "--skip-preview"], { cwd: dir })).code).toBe(0);
    const child = spawn(process.execPath, [...withSharedKeys, main, "refresh", "--preview-only"], {
      cwd: dir,
      env: { ...bareEnv(home), ...env() },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise((done) => child.once("close", done));
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
    });
    await vi.waitUntil(() => existsSync(asked), { timeout: 60_000 });
    child.kill("SIGINT");
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith("Cancelling")) continue;
      expect(line).toMatch(/^Cancelling.* Press Ctrl-C again to abort without waiting\.$/);
      child.kill("SIGINT");
    }
    expect(await ended).toBe(8);
    expect(said).toContain("Aborted; nothing was changed.");
  });

  it("once finishes what is in flight, saves it and unlocks", async () => {
    service.configure({ faults: [{ kind: "latency", ms: 4000, method: "POST" }] });
    await esign(["stack", "select", "other"]);
    service.clearLog();
    const child = spawn(process.execPath, [...withSharedKeys, main, "up", "--yes", "--skip-preview", "--json"], {
      cwd: project,
      env: { ...bareEnv(home), ...env() },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let interrupted: Promise<unknown> | undefined;
    const events: { type: string; status?: string; step?: { type: string; op: string }; inFlight?: number }[] = [];
    const has = (status: string, kind: string) =>
      events.some((event) => event.status === status && event.step?.type.endsWith(kind));
    for await (const line of createInterface({ input: child.stdout })) {
      events.push(JSON.parse(line));
      // Both have read by then, and what the slower one sends is on its way.
      if (has("started", "Webhook") && has("done", "Branding"))
        interrupted ??= sleep(1000).then(() => child.kill("SIGINT"));
    }
    await interrupted;
    const code = child.exitCode ?? (await new Promise((done) => child.once("close", done)));
    service.configure({ faults: [] });
    expect(code).toBe(8);
    expect(events.find(({ type }) => type === "cancelling")?.inFlight).toBeGreaterThan(0);
    const ended = (status: string) => events.filter((event) => event.type === "step" && event.status === status);
    expect(ended("failed")).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "end", result: { ok: false, cancelled: true } });
    const resources: { type: string }[] = await json(["stack", "resources"]);
    const kept = resources.filter(({ type }) => type.endsWith("Webhook")).length;
    expect(kept).toBeGreaterThan(0);
    expect(await json(["webhooks", "list"])).toHaveLength(kept);
    expect(
      readdirSync(join(project, ".pulumi"), { recursive: true }).filter((f) => /locks.*\.json$/.test(String(f))),
    ).toEqual([]);
    await ok("up", "--yes", "--skip-preview");
    expect(await json(["webhooks", "list"])).toHaveLength(2);
    expect((await esign(["cancel"])).stderr).toContain("is not locked");
  });
});
