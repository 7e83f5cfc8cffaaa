/** What users get: the tarball, installed in an empty folder, under every kind of program, and what editors show of its types. */
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
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { root, run } from "../cli/esign";
import { archived, expectArchive, installPacked } from "../cli/packed";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { compile, messages, older, program, today } from "./typed-programs";

// Real installs and deployments: a busy machine needs its time.
const home = temporaryFolder();
const installed = join(home, "node_modules/pulumi-esign");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = Object.keys(manifest.exports).flatMap((entry) =>
  entry.endsWith(".json") ? [] : [entry.replace(".", "pulumi-esign")],
);

beforeAll(async () => {
  // The last ones are for programs of the documentation.
  const packages = ["@pulumi/pulumi", "@types/node", "typescript", "ts-node", "@pulumi/policy", "@types/express"];
  await installPacked(home, [...Object.keys(manifest.dependencies), ...packages]);
});

describe("the tarball", () => {
  it("holds what is needed and nothing else", () => {
    const top = readdirSync(installed).sort().join(" ");
    expect(top).toBe("CHANGELOG.md LICENSE README.md dist docs examples package.json plugin schemas templates");
    const plugin = join(installed, "plugin");
    expect(readdirSync(plugin).sort()).toEqual(["PulumiPlugin.yaml", "package.json"]);
    expect(existsSync(require.resolve(plugin))).toBe(true);
    const files = readdirSync(join(installed, "dist"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
    // Those without an ending are what the Automation API and the Pulumi CLI start.
    const commands = files.filter((name) => !/\.(js|d\.ts|html|css|json|yaml|yml|md|txt)$/.test(name));
    expect(commands.sort()).toEqual(["pulumi", "pulumi-resource-esign", "pulumi-resource-esign.cmd"]);
    accessSync(join(installed, "dist/cli/automation/bin/pulumi"), constants.X_OK);
    accessSync(join(installed, "dist/plugin/bin/pulumi-resource-esign"), constants.X_OK);
    expect(files.filter((name) => /\.test\.|\.tsbuildinfo|\.built/.test(name))).toEqual([]);
  });

  it("has every file that its exports name", () => {
    const named = [Object.values(manifest.exports), manifest.bin].flatMap(
      (one) => JSON.stringify(one).match(/[\w./-]+\.\w+(?=")/g)!,
    );
    expect(named.length).toBeGreaterThan(2 * entries.length);
    expect(named.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });
});

it("its entries are for CommonJS and for ESM, by name, and the same objects", async () => {
  save(home, {
    "program.mjs": `
      import { createRequire } from "node:module";
      const require = createRequire(import.meta.url);
      const names = (all) => Object.keys(all).filter((name) => !["default", "__esModule"].includes(name)).sort();
      const found = {};
      for (const entry of ${JSON.stringify(entries)}) {
        const [esm, cjs] = [await import(entry), require(entry)];
        found[entry] = names(cjs).filter((name) => cjs[name] === esm[name]);
        if (names(esm).join() !== names(cjs).join()) throw new Error(entry + ": " + names(esm));
      }
      const hooks = require("pulumi-esign/hooks");
      found.create = Object.keys(hooks).filter((name) => typeof hooks[name].create === "function");
      console.log(JSON.stringify(found));`,
  });
  const { stdout, stderr } = await run(process.execPath, ["program.mjs"], { home });
  expect(stderr).toBe("");
  const names: Record<string, string[]> = {
    "pulumi-esign": ["Branding", "BrandingEmail", "Webhook", "Company", "Provider"],
    "pulumi-esign/hooks": ["branding", "brandingEmail", "webhook", "company"],
    create: ["branding", "brandingEmail", "webhook", "company"],
    "pulumi-esign/sdk": ["connect"],
    "pulumi-esign/emulator": ["start"],
    "pulumi-esign/receiver": ["nodeReceiver"],
    "pulumi-esign/testing": ["testStack"],
    "pulumi-esign/automation": ["engineCommand", "engineRoot"],
    "pulumi-esign/policy": ["esignPolicies"],
  };
  const found: typeof names = JSON.parse(stdout);
  for (const [entry, some] of Object.entries(names)) expect(found[entry]).toEqual(expect.arrayContaining(some));
  expect(Object.keys(found).sort()).toEqual(Object.keys(names).sort());
});

describe("its types", () => {
  const library = `import { Webhook } from "pulumi-esign";
    import { engineCommand } from "pulumi-esign/automation";
    import { start } from "pulumi-esign/emulator";
    import * as receivers from "pulumi-esign/receiver";
    import { connect, waitFor } from "pulumi-esign/sdk";
    import { esignMocks, testStack } from "pulumi-esign/testing";
    const options = { secrets: "s" };
    const handle = () => {};
    export const POST = receivers.fetchReceiver(handle, options);
    export const handler = receivers.lambdaReceiver(handle, options);
    export const plugin = receivers.fastifyReceiver("/esign", handle, options);
    export const express = receivers.expressReceiver(handle, options);
    export default receivers.nodeReceiver(handle, options);
    export const receive = (body: string) => receivers.receive({}, body, options);
    export const client = connect({ baseUrl: "https://api.example.com", apiKey: "k" });
    export const envelopes = () => client.envelopes.list();
    export const signed = (fingerprint: string) => waitFor(client, fingerprint);
    export const methods = client;
    export const { create } = client.webhooks;
    export const { createFromTemplate, createFromFiles, updateParty } = client.envelopes;
    export const emulator = () => start();
    export const stack = () => testStack(".");
    export const mocks = esignMocks();
    export const command = engineCommand();
    export class Hook extends Webhook {}`;
  // What the pages leave to the reader.
  const declared = `declare const config: import("@pulumi/pulumi").Config, baseUrl: string, companyId: string;
    declare const isHandled: (key: string) => Promise<boolean>, archive: (link: string) => Promise<void>;
    declare const customers: { slug: string; name: string; contact: string; email: string }[];`;

  const calls = `import { connect } from "pulumi-esign/sdk";
      const client = connect({ baseUrl: "https://api.example.com", apiKey: "k" });
      export const { createFromTemplate, createFromFiles, updateParty } = client.envelopes;`;
  const dist = join(installed, "dist/");
  let types: ts.Program;
  let files: ts.SourceFile[];
  let checker: ts.TypeChecker;
  let exported: ts.Symbol[];
  beforeAll(() => {
    const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join("docs", name))
      .concat("README.md");
    const programs = pages.map((page, i): [string, string] => {
      const blocks = readFileSync(join(root, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm);
      const text = [...blocks].map(([, block]) => block).join("\n");
      // Several programs of a page import the same.
      const once = text.replace(/^import .*\n/gm, (line, at) => (text.indexOf(line) === at ? line : ""));
      return [`page-${i}.mts`, `export {};\n${once}`];
    });
    const own = { "today.ts": program, "declared.d.ts": declared, "library.mts": library, "calls.mts": calls };
    types = compile(home, { ...own, ...Object.fromEntries(programs) }, { ...today, declaration: true, noEmit: false });
    // The types of Node and of Pulumi, which all programs for Pulumi have, are not ours. Those of zod: package.nightly.test.ts.
    const theirs = /\/node_modules\/(typescript|undici-types|zod|(@types|@pulumi|@grpc)\/[^/]+)\//;
    files = types.getSourceFiles().filter(({ fileName }) => !theirs.test(fileName));
    checker = types.getTypeChecker();
    const index = checker.getSymbolAtLocation(types.getSourceFile(join(dist, "provider/index.d.ts"))!)!;
    exported = checker
      .getExportsOfModule(index)
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
  });

  it("suit programs, those of the pages included", () => {
    expect(messages([...types.getOptionsDiagnostics(), ...types.getGlobalDiagnostics()])).toEqual([]);
    for (const part of ["/today.ts", "/page-0.mts", "/pulumi-esign/dist/provider/index.d.ts"])
      expect(
        files.some(({ fileName }) => fileName.includes(part)),
        part,
      ).toBe(true);
    expect(
      messages(
        files.flatMap((file) => [...types.getSyntacticDiagnostics(file), ...types.getSemanticDiagnostics(file)]),
      ),
    ).toEqual([]);
  });

  // A package of a workspace has its types written: what it makes of ours must have names that it can import.
  it("suit packages that use them, which name them by what they can import: with pnpm they have no zod", () => {
    const programs = files.filter(({ isDeclarationFile }) => !isDeclarationFile);
    expect(programs.length).toBeGreaterThan(10);
    expect(messages(programs.flatMap((file) => types.getDeclarationDiagnostics(file)))).toEqual([]);
    for (const [name, used] of [
      ["library.mts", /POST: receivers\.FetchHandler/],
      ["calls.mts", /import\("pulumi-esign\/sdk"\)\.JsonValue/],
    ] as const) {
      const written: string[] = [];
      types.emit(types.getSourceFile(join(home, name)), (_, text) => written.push(text), undefined, true);
      expect(written.join()).toMatch(used);
      expect(written.join()).not.toMatch(/\bimport\("zod/);
    }
  });

  // What an editor shows.
  it("have a comment for every argument, output and field", () => {
    const isOurs = ({ declarations }: ts.Symbol) => declarations?.[0]?.getSourceFile().fileName.startsWith(dist);
    const kinds = ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.TypeAlias;
    const fields = exported
      // The sentence of a function is at the function.
      .filter(({ flags, name }) => flags & kinds && name !== "Queries")
      .flatMap((type) =>
        checker
          .getDeclaredTypeOfSymbol(type)
          .getProperties()
          .filter((field) => isOurs(field) && !field.name.startsWith("__"))
          .map((field) => ({ name: `${type.name}.${field.name}`, field })),
      );
    expect(fields.length).toBeGreaterThan(200);
    const bare = fields.filter(({ field }) => field.getDocumentationComment(checker).length === 0);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it("have a name that a program can import for arguments, results and unions of values", () => {
    const isUnionOfValues = (symbol: ts.Symbol) => {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      return type.isUnion() && type.types.every((one) => one.isStringLiteral());
    };
    const needed = filesOf(join(dist, "provider/index.d.ts"))
      .ours.flatMap((file) => [...types.getSourceFile(file)!.statements])
      .filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
      .map((one) => checker.getSymbolAtLocation(one.name)!)
      .filter((symbol) => /(Args|Info|Details|Usage)$/.test(symbol.name) || isUnionOfValues(symbol))
      // Of users' ids of roles, programs have the names.
      .filter(({ name }) => name !== "RoleId");
    expect(needed.length).toBeGreaterThan(30);
    expect(needed.filter((symbol) => !exported.includes(symbol)).map(({ name }) => name)).toEqual([]);
  });

  it("of programs for Pulumi read no package but Pulumi's", () => {
    expect(filesOf(join(dist, "provider/index.d.ts")).packages).toEqual(["@pulumi/pulumi"]);
  });

  it("are found with the older resolution of modules, too", () => {
    for (const entry of entries) {
      const { resolvedModule } = ts.resolveModuleName(entry, join(home, "older.ts"), older, ts.sys);
      expect(resolvedModule?.resolvedFileName, entry).toMatch(/\/node_modules\/pulumi-esign\/dist\/.*\.d\.ts$/);
    }
  });
});

/** What a declaration file reads: others of the package, through all of them, and packages. */
function filesOf(first: string): { ours: string[]; packages: string[] } {
  const ours = new Set([first]);
  const packages = new Set<string>();
  for (const file of ours) {
    for (const { fileName } of ts.preProcessFile(readFileSync(file, "utf8")).importedFiles) {
      if (!fileName.startsWith("."))
        packages.add(
          fileName
            .split("/")
            .slice(0, fileName.startsWith("@") ? 2 : 1)
            .join("/"),
        );
      else
        ours.add(
          [".d.ts", "/index.d.ts"].map((end) => join(dirname(file), fileName) + end).find((path) => existsSync(path))!,
        );
    }
  }
  return { ours: [...ours], packages: [...packages] };
}

// What programs of other kinds do on the engine is tested with it: engine/test/programs.system.test.ts.
it("a program in TypeScript goes up by the installed command", async () => {
  const project = join(home, "project");
  save(project, {
    "Pulumi.yaml": `name: packed\nruntime: nodejs\nbackend:\n  url: file://${project}\n`,
    "index.ts": `import * as esign from "pulumi-esign";
      export const id = new esign.Webhook("hook", { type: "all", url: "https://h.example.com" }).webhookId;`,
  });
  const args = ["up", "--yes", "--skip-preview", "--local", "--engine", "embedded"];
  const { code, stdout, stderr } = await run(process.execPath, [join(installed, "dist/cli/main.js"), ...args], {
    home,
    cwd: project,
  });
  expect(stderr + stdout).toMatch(/^1 created/m);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\+ id: "\d+"/);
});

describe("without Pulumi's SDK, which is an optional peer,", () => {
  const bare = temporaryFolder();
  const own = join(bare, "node_modules/pulumi-esign");
  const install = /needs Pulumi's SDK, which is not installed: npm install "?@pulumi\/pulumi/;
  const command = (...args: string[]) =>
    run(process.execPath, [join(own, "dist/cli/main.js"), ...args], { home: bare });
  beforeAll(() => {
    cpSync(installed, own, { recursive: true });
    for (const name of Object.keys(manifest.dependencies)) {
      mkdirSync(dirname(join(bare, "node_modules", name)), { recursive: true });
      symlinkSync(join(root, "node_modules", name), join(bare, "node_modules", name));
    }
  });

  it("the entries for servers and tests load, and the one for programs says what to install", async () => {
    save(bare, {
      "program.mjs": `const reasons = {};
        for (const entry of ${JSON.stringify(entries)})
          await import(entry).catch(({ message }) => { reasons[entry] = message; });
        console.log(JSON.stringify(reasons));`,
    });
    const { stdout } = await run(process.execPath, ["program.mjs"], { home: bare });
    expect(JSON.parse(stdout)).toEqual({ "pulumi-esign": expect.stringMatching(`pulumi-esign ${install.source}`) });
    save(bare, { "command.mjs": 'await (await import("pulumi-esign/automation")).engineCommand();' });
    expect((await run(process.execPath, ["command.mjs"], { home: bare })).stderr).toMatch(install);
  });

  it("an account is exported, with the file for pulumi import and the archive of the package, which no registry has; what deploys says what to install", async () => {
    const service = await emulatorForTest();
    const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
    const args = [join(own, "dist/cli/main.js"), "export", "--out", "exported"];
    const exported = await run(process.execPath, args, { home: bare, env });
    expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining(archived)]);
    expect(exported.stderr).not.toMatch(install);
    await expectArchive(join(bare, "exported"));
    expect(JSON.parse(readFileSync(join(bare, "exported/import.json"), "utf8")).resources.length).toBeGreaterThan(5);
    save(bare, { "Pulumi.yaml": "name: bare\nruntime: nodejs\n", "index.js": "", "customers.json": '[{"id":"acme"}]' });
    const up = await command("up", "--local", "--yes", "--engine", "embedded");
    expect([up.code, up.stderr]).toEqual([2, expect.stringContaining("npm install @pulumi/pulumi")]);
    const fleet = await command("fleet", "preview", "customers.json", "--engine", "embedded");
    expect([fleet.code, fleet.stderr]).toEqual([2, expect.stringMatching(install)]);
  });

  it("a fleet runs with the Pulumi CLI, whose programs may be of another language", async () => {
    const cli = join(bare, "cli/pulumi");
    mkdirSync(dirname(cli), { recursive: true });
    writeFileSync(cli, `#!${process.execPath}\nconsole.log("[]");\n`, { mode: 0o755 });
    save(bare, { "Pulumi.yaml": "name: bare\nruntime: yaml\n", "customers.json": '[{"id":"acme"}]' });
    const args = [join(own, "dist/cli/main.js"), "fleet", "preview", "customers.json", "--engine", "pulumi"];
    const fleet = await run(process.execPath, args, { home: bare, env: { PATH: dirname(cli) } });
    expect([fleet.code, fleet.stdout]).toEqual([0, expect.stringContaining("1 stack done")]);
  });
});

it("the lock file has the packages of all platforms, which some commands of npm remove", () => {
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
