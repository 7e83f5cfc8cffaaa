/** Files that a repository may contain: links, keys that mean something else to JavaScript, a state that is missing. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../files";
import { esign } from "./in-process";

const projectText = "name: shop\nruntime: nodejs\n";

function write(home: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}

/** A project, and how to run commands in it. */
function project(files: Record<string, string>) {
  const home = temporaryFolder();
  write(home, { "Pulumi.yaml": projectText, ...files });
  const env = {
    PULUMI_BACKEND_URL: `file://${home}`,
    PULUMI_CONFIG_PASSPHRASE: "p",
    PULUMI_HOME: join(home, "pulumi"),
  };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await esign(args, { home, env });
    return { code, all: stderr + stdout };
  };
  return { home, run };
}

const resource = {
  urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev",
  type: "pulumi:pulumi:Stack",
  custom: false,
};
const backup = JSON.stringify({
  version: 3,
  checkpoint: {
    stack: "organization/shop/dev",
    latest: { manifest: { time: "t", magic: "", version: "" }, resources: [resource] },
  },
});

describe("a state that is missing beside the one before it", () => {
  const lost = {
    ".pulumi/meta.yaml": "version: 1\n",
    ".pulumi/stacks/shop/dev.json.bak": backup,
    "Pulumi.dev.yaml": "config:\n  esign:baseUrl: http://127.0.0.1:9\n  esign:apiKey: k\n",
  };
  const named = /state of dev is missing, but the one before it is there, with 1 resources/;

  it.each([
    ["stack"],
    ["stack", "ls"],
    ["stack", "ls", "--json"],
    ["stack", "output"],
    ["stack", "resources"],
    ["stack", "history"],
    ["stack", "export"],
    ["stack", "rm", "dev", "--yes"],
    ["stack", "init", "dev"],
    ["stack", "select", "dev"],
    ["stack", "rename", "prod"],
    ["config"],
    ["config", "get", "a"],
    ["config", "set", "a", "b"],
    ["config", "rm", "esign:baseUrl"],
    ["preview"],
    ["up", "--yes"],
    ["refresh", "--yes"],
    ["destroy", "--yes"],
    ["cancel", "--yes"],
    ["drift"],
    ["diff", "stack:dev", "stack:dev"],
    ["doctor", "--stack", "dev"],
    ["doctor", "--account-only", "--stack", "dev"],
    ["webhooks", "list", "--stack", "dev"],
  ])("is named by %s %s %s", async (...args) => {
    const { home, run } = project(lost);
    const { all } = await run(...args.filter((arg) => arg !== undefined));
    expect(all).toMatch(named);
    expect(readdirSync(join(home, ".pulumi/stacks/shop"))).toEqual(["dev.json.bak"]);
  });

  it("is not one of a stack that was removed", async () => {
    const { run } = project({ ...lost, "Pulumi.dev.yaml": "", ".pulumi/stacks/shop/prod.json": backup });
    const { run: runRemoved, home } = project({
      ".pulumi/stacks/shop/dev.json.bak": backup,
      ".pulumi/meta.yaml": "version: 1\n",
    });
    expect((await runRemoved("stack", "ls")).all).toContain("No stacks");
    expect((await runRemoved("stack", "init", "dev")).code).toBe(0);
    expect(readdirSync(join(home, ".pulumi/stacks/shop")).sort()).toEqual(["dev.json", "dev.json.bak"]);
    expect((await run("stack", "ls")).all).toMatch(named);
  });
});

describe("a .esign that is a symbolic link", () => {
  it.each([
    ["stack", "ls"],
    ["preview"],
    ["up", "--yes", "--local", "--stack", "dev"],
    ["stack", "writes"],
    ["drift"],
    ["config"],
  ])("is refused by %s", async (...args) => {
    const { home, run } = project({});
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(home, ".esign"));
    const { code, all } = await run(...args.filter((arg) => arg !== undefined));
    expect(all).toContain(`${join(home, ".esign")} is a symbolic link`);
    expect(code).not.toBe(0);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe("names that all objects share", () => {
  it.each([
    "a.__proto__.polluted",
    "a.b.constructor",
    "a.prototype.x",
    '["__proto__"].x',
    "__proto__",
    'a["__proto__"]',
  ])("are no place for a value: config set --path %s", async (path) => {
    const { run } = project({});
    expect((await run("stack", "init", "dev")).code).toBe(0);
    const { code, all } = await run("config", "set", "--path", path, "yes");
    expect(all).toMatch(/is not allowed as a name/);
    expect(code).toBe(2);
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
    const json = JSON.stringify({ a: { objectValue: JSON.parse('{"b":{"__proto__":{"polluted":1}}}'), value: "" } });
    expect((await run("config", "set-all", "--json", json)).code).toBe(2);
  });

  it("may be names where only the path would be special", async () => {
    const { run } = project({});
    expect((await run("stack", "init", "dev")).code).toBe(0);
    expect((await run("config", "set", "constructor", "yes")).code).toBe(0);
    expect((await run("config", "get", "constructor")).all).toBe("yes\n");
  });

  const pollution = "{ __proto__: { polluted: 1 } }";
  it.each<[string, Record<string, string>, string[]]>([
    ["a stack's file", { "Pulumi.dev.yaml": `config:\n  shop:a: ${pollution}\n` }, ["config", "--stack", "dev"]],
    ["the project's file", { "Pulumi.yaml": `${projectText}config: ${pollution}\n` }, ["stack", "ls"]],
    ["an account's folder", { "account/account.yaml": `branding: ${pollution}\n` }, ["lint", "account"]],
    ["the value of an account", { "account/account.yaml": `__proto__: { colour: "#112233" }\n` }, ["lint", "account"]],
    [
      "a file of values",
      { "account/account.yaml": "branding: { colour: '#112233' }\n", "v.yaml": pollution },
      ["lint", "account", "--values-file", "v.yaml"],
    ],
    [
      "an option",
      { "account/account.yaml": "branding: { colour: '#112233' }\n" },
      ["lint", "account", "--value", "__proto__=x"],
    ],
    ["customers in YAML", { "c.yaml": `- id: a\n  values: ${pollution}\n` }, ["fleet", "preview", "c.yaml"]],
    [
      "customers in JSON",
      { "c.json": '[{"id":"a","values":{"__proto__":{"polluted":1}}}]' },
      ["fleet", "preview", "c.json"],
    ],
    ["customers in CSV", { "c.csv": "id,__proto__\na,b\n" }, ["fleet", "preview", "c.csv"]],
  ])("are an error in %s", async (_, files, args) => {
    const { home, run } = project({});
    if (args[0] === "config") await run("stack", "init", "dev");
    write(home, files);
    const { code, all } = await run(...args);
    expect(all).toContain('the key "__proto__" is not allowed');
    expect(code).not.toBe(0);
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
  });
});
