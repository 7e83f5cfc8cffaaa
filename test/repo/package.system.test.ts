/** What users get: the tarball, installed in an empty folder, under every kind of program. */
import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { root, run } from "../cli/esign";
import { temporaryFolder } from "../files";

const exec = promisify(execFile);
// Real installs and deployments: a busy machine needs its time.
vi.setConfig({ testTimeout: 120_000 });

const home = temporaryFolder();

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
let installed: string;

/** Unpacks the tarball as npm does, beside links to its declared dependencies. Nothing else can be found from there. */
beforeAll(async () => {
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  // --ignore-scripts: `npm test` has just built; a clean build here would pull dist/ from under the other tests.
  await exec(command, [...args, "pack", "--ignore-scripts", "--pack-destination", home], { cwd: root });
  const tarball = readdirSync(home).find((name) => name.endsWith(".tgz"))!;
  await exec("tar", ["xzf", tarball], { cwd: home });
  const modules = join(home, "node_modules");
  installed = join(modules, "pulumi-esign");
  mkdirSync(modules);
  cpSync(join(home, "package"), installed, { recursive: true });
  for (const name of [
    ...Object.keys(manifest.dependencies),
    "@pulumi/pulumi",
    "@types/node",
    // For programs of the documentation.
    "@pulumi/policy",
    "@types/express",
    "typescript",
    "ts-node",
  ]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
}, 60_000);

describe("the tarball", () => {
  it("holds what is needed and nothing else", () => {
    const top = readdirSync(installed).sort();
    expect(top).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist",
      "docs",
      "examples",
      "package.json",
      "schemas",
      "templates",
    ]);
    const files = readdirSync(join(installed, "dist"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
    // The one without an ending is the command that the Automation API starts.
    expect(files.filter((name) => !/\.(js|d\.ts|html|css|json|yaml|yml|md|txt)$/.test(name))).toEqual(["pulumi"]);
    accessSync(join(installed, "dist/cli/automation/bin/pulumi"), constants.X_OK);
    expect(files.filter((name) => /\.test\.|\.tsbuildinfo|\.built/.test(name))).toEqual([]);
  });

  it("has every file that its exports name", () => {
    const named = Object.values(manifest.exports as Record<string, string | Record<string, string>>).flatMap((entry) =>
      typeof entry === "string" ? [entry] : Object.values(entry),
    );
    for (const path of [...named, ...Object.values(manifest.bin as Record<string, string>)]) {
      expect(existsSync(join(installed, path)), path).toBe(true);
    }
  });
});

const names = `{
  resources: ["Branding", "BrandingEmail", "Webhook", "Company", "Provider"].filter((name) => typeof esign[name] !== "function"),
  hooks: ["branding", "brandingEmail", "webhook", "company"].filter((name) => typeof hooks[name]?.create !== "function"),
  client: typeof sdk.connect, service: typeof emulator.start, receiver: typeof receiver.nodeReceiver,
  testing: typeof testing.testStack, automation: typeof automation.engineCommand, policy: typeof policy.esignPolicies }`;
const expected = {
  resources: [],
  hooks: [],
  client: "function",
  service: "function",
  receiver: "function",
  testing: "function",
  automation: "function",
  policy: "function",
};

const typescript = `
  import { start } from "pulumi-esign/emulator";
  import { connect } from "pulumi-esign/sdk";
  import type { WebhookArgs } from "pulumi-esign";
  const args: WebhookArgs = { type: "all", url: "https://h.example.com" };
  // @ts-expect-error a type that does not exist
  const wrong: WebhookArgs = { type: 7, url: "https://h.example.com" };
  (async () => {
    const service = await start();
    const client = connect({ baseUrl: service.url, apiKey: service.keys.account });
    await client.webhooks.create({ webhook_type: "all", webhook_url: args.url as string });
    for await (const webhook of client.webhooks.list()) console.log(webhook.webhook_url, wrong.type);
    await service.close();
  })();`;

const node = (args: string[]) => run(process.execPath, args, { home });

describe("it works from", () => {
  it("CommonJS", async () => {
    writeFileSync(
      join(home, "program.cjs"),
      `const esign = require("pulumi-esign"), hooks = require("pulumi-esign/hooks"), sdk = require("pulumi-esign/sdk"),
         emulator = require("pulumi-esign/emulator"), receiver = require("pulumi-esign/receiver"), testing = require("pulumi-esign/testing"),
         automation = require("pulumi-esign/automation"),
         policy = require("pulumi-esign/policy");
       console.log(JSON.stringify(${names}));`,
    );
    const { stdout, stderr } = await node(["program.cjs"]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  it("ESM, by name", async () => {
    writeFileSync(
      join(home, "program.mjs"),
      `import * as esign from "pulumi-esign";
       import { Webhook } from "pulumi-esign";
       import * as hooks from "pulumi-esign/hooks";
       import * as sdk from "pulumi-esign/sdk";
       import * as emulator from "pulumi-esign/emulator";
       import * as receiver from "pulumi-esign/receiver";
       import * as testing from "pulumi-esign/testing";
       import * as automation from "pulumi-esign/automation";
       import * as policy from "pulumi-esign/policy";
       if (Webhook !== esign.Webhook) throw new Error("two packages");
       console.log(JSON.stringify(${names}));`,
    );
    const { stdout, stderr } = await node(["program.mjs"]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  it("TypeScript through ts-node", async () => {
    writeFileSync(join(home, "program.ts"), typescript);
    const options = ["--transpile-only", "--compilerOptions", '{ "target": "es2022", "module": "commonjs" }'];
    const { stdout, stderr } = await node([join(root, "node_modules/ts-node/dist/bin.js"), ...options, "program.ts"]);
    expect({ stdout, stderr }).toEqual({ stdout: "https://h.example.com 7\n", stderr: "" });
  });

  // Pulumi's templates have no skipLibCheck; the older one needs it, for zod's sake.
  it.each([
    ["today's", { module: "nodenext", moduleResolution: "nodenext" }],
    ["the older", { module: "commonjs", moduleResolution: "node", skipLibCheck: true }],
  ])("TypeScript with the settings of %s template for Pulumi projects", async (name, settings) => {
    const program = join(home, `${name.replace(/\W+/g, "-")}.ts`);
    writeFileSync(
      program,
      `import * as esign from "pulumi-esign";
       import { start } from "pulumi-esign/emulator";
       import { webhook } from "pulumi-esign/hooks";
       import { nodeReceiver } from "pulumi-esign/receiver";
       import { EsignError } from "pulumi-esign/sdk";
       export const all = [esign.Webhook, start, webhook, nodeReceiver, EsignError];`,
    );
    const compilerOptions = { strict: true, noEmit: true, target: "es2020", types: ["node"], ...settings };
    const config = join(home, "tsconfig.template.json");
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [program] }));
    const { stdout } = await node([join(root, "node_modules/typescript/bin/tsc"), "-p", config, "--pretty", "false"]);
    expect(stdout).toBe("");
  });

  it("TypeScript with its types checked, as do the programs of the pages", async () => {
    const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join("docs", name))
      .concat("README.md");
    const programs = pages.map((page, i) => {
      const blocks = readFileSync(join(root, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm);
      const text = [...blocks].map(([, block]) => block).join("\n");
      const program = join(home, `page-${i}.mts`);
      // Several programs of a page import the same.
      const once = text.replace(/^import .*\n/gm, (line, at) => (text.indexOf(line) === at ? line : ""));
      writeFileSync(program, `export {};\n${once}`);
      return program;
    });
    // What the pages leave to the reader.
    const given = join(home, "given.d.ts");
    writeFileSync(
      given,
      `declare const config: import("@pulumi/pulumi").Config, baseUrl: string, companyId: string;
       declare const isHandled: (key: string) => Promise<boolean>, archive: (link: string) => Promise<void>;
       declare const customers: { slug: string; name: string; contact: string; email: string }[];`,
    );
    const ours = join(home, "types.ts");
    writeFileSync(ours, typescript);
    const compilerOptions = { strict: true, noEmit: true, target: "es2022", module: "node16", skipLibCheck: true };
    const config = join(home, "tsconfig.pages.json");
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [given, ours, ...programs] }));
    const { stdout } = await node([join(root, "node_modules/typescript/bin/tsc"), "-p", config, "--pretty", "false"]);
    expect(stdout).toBe("");
  });

  it("its command", async () => {
    const { stdout } = await node([join(installed, "dist/cli/main.js"), "--version"]);
    expect(stdout).toBe(`${manifest.version}\n`);
  });
});

// What programs of other kinds do on the engine is tested with it: test/engine/programs.system.test.ts.
it("a program goes up and comes down by the installed command", async () => {
  const project = join(home, "project");
  mkdirSync(project);
  writeFileSync(join(project, "Pulumi.yaml"), `name: packed\nruntime: nodejs\nbackend:\n  url: file://${project}\n`);
  writeFileSync(
    join(project, "index.ts"),
    `import * as esign from "pulumi-esign";
     export const id = new esign.Webhook("hook", { type: "all", url: "https://h.example.com" }).webhookId;`,
  );
  const command = join(installed, "dist/cli/main.js");
  const esign = (...args: string[]) =>
    run(process.execPath, [command, ...args, "--local", "--engine", "embedded"], { home, cwd: project });

  const up = await esign("up", "--yes", "--skip-preview");
  expect(up.stderr + up.stdout).toMatch(/^1 created/m);
  expect(up.code).toBe(0);
  expect(up.stdout).toMatch(/\+ id: "\d+"/);
  const down = await esign("destroy", "--yes", "--skip-preview");
  expect(down.stderr + down.stdout).toMatch(/^1 deleted/m);
});

it("the lock file is whole: npm forgets the packages of other platforms when it is told to", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const missing: string[] = [];
  for (const [path, entry] of Object.entries<{ optionalDependencies?: Record<string, string> }>(packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      // Where Node would look: beside the package's own modules, then upwards.
      const parts = path.split("/node_modules/");
      const places = parts.map(
        (_, i) => `${parts.slice(0, parts.length - i).join("/node_modules/")}/node_modules/${name}`,
      );
      if (![...places, `node_modules/${name}`].some((place) => place in packages)) missing.push(`${name} of ${path}`);
    }
  }
  for (const example of readdirSync(join(root, "examples"))) {
    if (!(`examples/${example}` in packages)) missing.push(`examples/${example}`);
  }
  expect(missing).toEqual([]);
});
