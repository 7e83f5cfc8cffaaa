/** Where the Pulumi CLI is installed: it and the built-in engine carry on from each other, on one stack. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import type { EngineName } from "../provider/programs";
import { withEngine } from "./either-engine";
import { beginShop, run } from "./esign";
import { esign as command } from "./in-process";

const pulumi = findPulumi();
const home = temporaryFolder();
const service = useEmulator();

beforeAll(async () => {
  beginShop(home);
  writeFileSync(
    join(home, "index.js"),
    `const esign = require("pulumi-esign");
     const company = new esign.Company("c", { name: "Acme", userName: "Ann", userEmail: "ann@example.com", email: "office@example.com", deletionProtection: false });
     new esign.Branding("b", { account: company, colour: process.env.COLOUR ?? "#0B7285" });
     new esign.Webhook("w", { account: company, type: "all", url: "https://h.example.com" });
     exports.key = company.apiKey;`,
  );
});

const esign = (engine: EngineName, ...args: string[]) => withEngine(engine, args, { home, service });

describe.runIf(pulumi !== undefined)("the Pulumi CLI and the built-in engine", () => {
  it("finds the stack of a project that says nothing of a backend, without a login", async () => {
    const cwd = join(home, "installed-later");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "Pulumi.yaml"), "name: later\nruntime: nodejs\n");
    const env = { PULUMI_CONFIG_PASSPHRASE: "correct-horse", PULUMI_HOME: join(home, "pulumi-home") };
    expect((await command(["stack", "init", "dev", "--engine", "embedded"], { home, cwd, env })).code).toBe(0);
    const { code, stdout } = await run(pulumi!, ["stack", "ls", "--json", "--non-interactive"], { home, cwd, env });
    expect([code, JSON.parse(stdout)]).toEqual([0, [expect.objectContaining({ name: "dev", current: true })]]);
  });

  it.each([
    ["Pulumi.yml", "Pulumi.dev.yml", "name: other\nruntime: nodejs\nbackend: { url: URL }\n"],
    ["Pulumi.json", "Pulumi.dev.json", '{ "name": "other", "runtime": "nodejs", "backend": { "url": "URL" } }'],
    [
      "Pulumi.yaml",
      "stacks/Pulumi.dev.yaml",
      "name: other\nruntime: nodejs\nstackConfigDir: stacks\nbackend: { url: URL }\n",
    ],
  ])("of a project in %s both have the configuration in %s", async (name, file, text) => {
    const project = join(home, name.replace(".", "-"));
    mkdirSync(project);
    writeFileSync(join(project, name), text.replace("URL", `file://${project}`));
    const at = (engine: EngineName, ...args: string[]) => esign(engine, "-C", project, ...args, "--stack", "dev");
    expect((await at("embedded", "stack", "init")).code).toBe(0);
    expect((await at("embedded", "config", "set", "--path", "a.b", "007")).code).toBe(0);
    expect((await at("pulumi", "config", "set", "--secret", "c", "hush")).code).toBe(0);
    for (const engine of ["pulumi", "embedded"] as const) {
      expect((await at(engine, "config", "get", "a")).stdout).toBe('{"b":"007"}\n');
      expect((await at(engine, "config", "get", "c")).stdout).toBe("hush\n");
    }
    expect(existsSync(join(project, file))).toBe(true);
  });

  it.each([
    ["pulumi", "embedded"],
    ["embedded", "pulumi"],
  ] as const)("what %s deployed, %s sees as unchanged, updates and destroys", async (first, second) => {
    const stack = ["--stack", first];
    expect((await esign(first, "stack", "init", ...stack)).code).toBe(0);
    const up = await esign(first, "up", "--yes", "--skip-preview", ...stack);
    expect(up.all).toMatch(/4 created|2 created, 1 adopted and updated/);
    for (const engine of [second, first]) {
      const same = await esign(engine, "preview", "--expect-no-changes", ...stack);
      expect(same.all).toMatch(/4 unchanged|3 resources up to date/);
      expect(same.code).toBe(0);
      expect((await esign(engine, "up", "--yes", "--skip-preview", "--expect-no-changes", ...stack)).code).toBe(0);
    }
    const key = service.data().accounts.find(({ name }) => name === "Acme")?.key;
    const output = await esign(second, "stack", "output", "key", "--show-secrets", ...stack);
    expect(output.stdout).toBe(`${key}\n`);
    expect((await esign(second, "refresh", "--yes", "--skip-preview", "--expect-no-changes", ...stack)).code).toBe(0);
    const down = await esign(second, "destroy", "--yes", "--skip-preview", ...stack);
    expect(down.all).toMatch(/4 deleted|2 deleted, 1 (restored|released)|3 deleted/);
    expect(service.data().accounts.some(({ name }) => name === "Acme")).toBe(false);
  });

  it("name the same argument where only a secret one has changed", async () => {
    const project = join(home, "secret-argument");
    beginShop(project);
    const declare = (path: string) =>
      writeFileSync(
        join(project, "index.js"),
        `const { secret } = require("@pulumi/pulumi");
         const { Webhook } = require("pulumi-esign");
         new Webhook("hook", { type: "all", url: secret("https://secret-argument.example/${path}") });`,
      );
    const at = (engine: EngineName, ...args: string[]) => esign(engine, "-C", project, ...args, "--stack", "hidden");
    declare("one");
    expect((await at("embedded", "stack", "init")).code).toBe(0);
    expect((await at("embedded", "up", "--yes", "--skip-preview")).code).toBe(0);
    for (const [engine, path] of [
      ["pulumi", "two"],
      ["embedded", "three"],
    ] as const) {
      declare(path);
      const { all } = await at(engine, "up", "--yes");
      expect(all).toContain("~ url: [secret] → [secret]");
      expect(all).toMatch(/Webhook hook {2}updated \[~url\]/);
      expect(all).not.toContain(path);
    }
    expect((await at("embedded", "destroy", "--yes", "--skip-preview")).code).toBe(0);
  });
});
