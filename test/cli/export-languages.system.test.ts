/** Projects in other languages: the same account, adopted by the component of the plugin. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { generateSdk, installPlugin, mainFile } from "../../cli/project/new-project/languages";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { filesIn, temporaryFolder } from "../files";
import { bareEnv, esignProcess, root } from "./esign";
import { esign } from "./in-process";

const pulumi = findPulumi();
const hasYaml = pulumi !== undefined && existsSync(join(dirname(pulumi), "pulumi-language-yaml"));
const home = temporaryFolder();
const service = useEmulator({ seed: { companies: [{ name: "Acme" }] } });
beforeAll(async () => {
  const keys = [
    service.keys.partner,
    ...service
      .data()
      .accounts.filter(({ name }) => name === "Acme")
      .map(({ key }) => key),
  ];
  for (const apiKey of keys)
    await connect({ baseUrl: service.url, apiKey }).webhooks.create({
      webhook_type: "all",
      webhook_url: "https://h.example/",
    });
});

const env = () => ({
  ESIGN_BASE_URL: service.url,
  ESIGN_API_KEY: service.keys.partner,
  PULUMI_CONFIG_PASSPHRASE: "pw",
});
async function exported(language: string, ...args: string[]) {
  const folder = temporaryFolder();
  const command = ["export", ...args, "--out", folder, "--name", "shop", "--language", language];
  const { code, stderr, stdout } = await esign(command, { home, env: env() });
  expect(code, stderr).toBe(0);
  return { folder, stdout, read: (name: string) => readFileSync(join(folder, name), "utf8") };
}
const resources = (text: string) => JSON.parse(text).resources as Record<string, unknown>[];

describe.each(["yaml", "python", "go"] as const)("a project in %s", (language) => {
  it("has a program of that language alone, the account's files, and what to run", async () => {
    const { folder, stdout, read } = await exported(language);
    expect(read(mainFile(language))).toMatch(/AccountConfig/);
    expect(Object.keys(filesIn(folder)).filter((name) => /index\.ts|tsconfig/.test(name))).toEqual([]);
    const { runtime } = parse(read("Pulumi.yaml"));
    expect(runtime.name ?? runtime).toBe(language);
    expect(JSON.parse(read("package.json"))).toEqual({
      name: "shop",
      private: true,
      dependencies: { "pulumi-esign": "^0.1.0" },
    });
    // A program in YAML needs no SDK: its project names the plugin.
    const { plugins } = parse(read("Pulumi.yaml"));
    const own = [{ name: "esign", path: "node_modules/pulumi-esign/dist/plugin/bin" }];
    expect(plugins?.providers).toEqual(language === "yaml" ? own : undefined);
    for (const text of [stdout, read("README.md")]) {
      expect(text).toContain("npm install");
      for (const step of [installPlugin, generateSdk]) expect(text.includes(step)).toBe(language !== "yaml");
    }
  });

  it("imports by IDs alone what a TypeScript project has, by the same names", async () => {
    const [own, typescript] = [await exported(language), await exported("typescript")].map(({ read }) =>
      resources(read("import.json")),
    ) as [Record<string, unknown>[], Record<string, unknown>[]];
    const names = (list: Record<string, unknown>[]) => list.map(({ name, parent, id }) => ({ name, parent, id }));
    expect(names(own)).toEqual(names(typescript));
    expect(new Set(own.flatMap((each) => Object.keys(each)))).toEqual(
      new Set(["type", "name", "logicalName", "component", "parent", "id", "version"]),
    );
    expect(own.every(({ type }) => String(type).startsWith("esign:index:"))).toBe(true);
  });

  it("of a subaccount names it", async () => {
    const [company] = service.data().accounts.filter(({ name }) => name === "Acme");
    const { read } = await exported(language, `account/${company!.id}`);
    expect(read(mainFile(language))).toContain(company!.id);
  });
});

describe.runIf(hasYaml)("with the Pulumi CLI", () => {
  it("a YAML project adopts the account without a write, and then has no changes", async () => {
    const { folder } = await exported("yaml");
    // In the place of an installation.
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/pulumi-esign"));
    const run = (...args: string[]) =>
      esignProcess([...args, "--engine", "pulumi"], {
        home,
        cwd: folder,
        env: { ...env(), PATH: `${dirname(pulumi!)}${delimiter}${bareEnv(home).PATH}` },
      });
    expect(await run("stack", "init", "production")).toMatchObject({ code: 0 });
    service.clearLog();
    const up = await run("up", "--yes");
    expect(up.code, up.stderr).toBe(0);
    expect(up.stdout + up.stderr).toMatch(/adopted\. Account writes: 0/);
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  });
});
