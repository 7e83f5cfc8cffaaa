import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseEngine, findPulumi } from "../../cli/project/choose-engine";
import { stripOwnFlags } from "../../cli/project/pulumi-cli";
import { Crypter } from "../../engine/secrets/crypter";
import { temporaryFolder } from "../files";
import { bareEnv } from "./esign";
import { esign } from "./in-process";

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = temporaryFolder();
  env = bareEnv(home);
});

interface Fake {
  exitCode?: number;
  /** What it logs as an event, and what the hooks report. */
  event?: object;
  record?: object;
}

/** A stand-in for the Pulumi CLI: writes how it was called to a file, `calls`, without the log that it is asked for. */
function fakePulumi(folder: string, { exitCode = 0, event, record }: Fake = {}): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "pulumi");
  const call = `{ args, url: process.env.ESIGN_BASE_URL, key: process.env.ESIGN_API_KEY !== undefined,
    passphrase: process.env.PULUMI_CONFIG_PASSPHRASE_FILE, transpileOnly: process.env.PULUMI_NODEJS_TRANSPILE_ONLY,
    direct: process.env.no_grpc_proxy }`;
  writeFileSync(
    path,
    `#!${process.execPath}
const { appendFileSync } = require("fs");
const args = process.argv.slice(2);
if (args.slice(0, 2).join(" ") === "stack export") {
  console.log('{"deployment":{}}');
  process.exit();
}
const [, log] = args.includes("--event-log") ? args.splice(args.indexOf("--event-log"), 2) : [];
appendFileSync(${JSON.stringify(join(home, "calls"))}, JSON.stringify(${call}) + "\\n");
const [event, record] = ${JSON.stringify([event, record])};
if (log && event) appendFileSync(log, JSON.stringify(event) + "\\n");
if (log && record) appendFileSync(process.env.ESIGN_EFFECTS_FILE, JSON.stringify(record) + "\\n");
process.exit(${exitCode});
`,
  );
  chmodSync(path, 0o755);
  return path;
}

/** How it was called since the last look. */
function calls() {
  const file = join(home, "calls");
  const lines = readFileSync(file, "utf8").trim().split("\n");
  rmSync(file);
  return lines.map((line) => JSON.parse(line));
}

const callsOf = async (args: string[]) => {
  await esign(args, { home });
  return calls();
};

describe("the Pulumi CLI is found", () => {
  it("on PATH first, then under the user's Pulumi home, where PULUMI_HOME may say otherwise", () => {
    expect(findPulumi(env)).toBeUndefined();
    const fetched = fakePulumi(join(home, ".pulumi/versions/3.9.0/bin"));
    expect(findPulumi(env)).toBe(fetched);
    const newer = fakePulumi(join(home, ".pulumi/versions/3.260.0/bin"));
    expect(findPulumi(env)).toBe(newer);
    const installed = fakePulumi(join(home, ".pulumi/bin"));
    expect(findPulumi(env)).toBe(installed);
    const elsewhere = fakePulumi(join(home, "elsewhere/bin"));
    expect(findPulumi({ ...env, PULUMI_HOME: join(home, "elsewhere") })).toBe(elsewhere);
    const onPath = fakePulumi(join(home, "bin"));
    expect(findPulumi({ ...env, PATH: `${join(home, "bin")}${delimiter}${env.PATH}` })).toBe(onPath);
  });

  it("not when it cannot be run", () => {
    mkdirSync(join(home, ".pulumi/bin/pulumi"), { recursive: true });
    expect(findPulumi(env)).toBeUndefined();
    mkdirSync(join(home, "bin"));
    writeFileSync(join(home, "bin/pulumi"), "not executable");
    expect(findPulumi({ ...env, PATH: join(home, "bin") })).toBeUndefined();
  });
});

describe("one line says which engine runs and how to get the other", () => {
  it("when there is no Pulumi CLI", async () => {
    expect(chooseEngine("auto", env)).toEqual({
      engine: "embedded",
      note: "Engine: built-in, no Pulumi CLI found",
    });
  });

  it("when there is one", async () => {
    const path = fakePulumi(join(home, ".pulumi/bin"));
    expect(chooseEngine("auto", env)).toEqual({
      engine: "pulumi",
      path,
      note: `Engine: the Pulumi CLI, ${path} (--engine embedded: the built-in one)`,
    });
    expect(chooseEngine("embedded", env).engine).toBe("embedded");
  });
});

it("an option of ours is not passed on", () => {
  const line = [
    "up",
    "--engine",
    "pulumi",
    "--engine=auto",
    "-C",
    "x",
    "--cwd=y",
    "-Cz",
    "--local",
    "--type-check",
    "--diff",
    "-s",
    "dev",
  ];
  expect(stripOwnFlags(line)).toEqual(["up", "--diff", "-s", "dev"]);
});

describe("with the Pulumi CLI", () => {
  const project = () => {
    writeFileSync(join(home, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    return join(home, ".pulumi/bin");
  };

  it("the command line goes through as it was typed, and its exit code comes back", async () => {
    const path = fakePulumi(project(), { exitCode: 7 });
    const up = await esign(["up", "--yes", "--some-new-option", "x", "--expect-no-changes"], { home });
    // An option that we do not know is refused before the CLI is asked: the two must not mean different things by it.
    expect(up.code).toBe(2);
    const known = await esign(["up", "--yes", "--expect-no-changes", "--stack=dev"], { home });
    expect(known.code).toBe(7);
    expect(known.stderr).toContain(`Engine: the Pulumi CLI, ${path}`);
    expect(calls()).toMatchObject([
      { args: ["preview", "--expect-no-changes", "--stack=dev"], transpileOnly: "true", direct: "127.0.0.1" },
    ]);
    const unseen = ["up", "--yes", "--skip-preview", "--stack", "dev"];
    expect(await callsOf(unseen)).toMatchObject([{ args: ["up", "--stack", "dev", "--skip-preview", "--yes"] }]);
    expect(await callsOf(["up", "--json", "--yes"])).toMatchObject([{ args: ["up", "--json", "--yes"] }]);
    expect(await callsOf(["stack", "output", "--json", "--show-secrets"])).toMatchObject([
      { args: ["stack", "output", "--json", "--show-secrets"] },
    ]);
    // What the CLI has under another name.
    expect(await callsOf(["config", "ls", "--json"])).toMatchObject([{ args: ["config", "--json"] }]);
    expect(await callsOf(["stack", "resources", "--stack", "dev"])).toMatchObject([
      { args: ["stack", "--show-urns", "--stack", "dev"] },
    ]);
    expect(await callsOf(["stack", "import", "--file", "x.json", "--yes"])).toMatchObject([
      { args: ["stack", "import", "--file", "x.json"] },
    ]);
    expect(await callsOf(["stack", "unprotect", "--all", "--yes"])).toMatchObject([
      { args: ["state", "unprotect", "--all", "--yes"] },
    ]);
    // The passphrase of --local goes with each of them, for a stack that was made with it, and with no other one.
    mkdirSync(join(home, ".esign"));
    writeFileSync(join(home, ".esign/passphrase"), "words\n");
    writeFileSync(join(home, "Pulumi.dev.yaml"), `encryptionsalt: ${(await Crypter.create("words")).salt}\n`);
    for (const args of [
      ["stack", "unprotect", "--all"],
      ["state", "protect", "--all"],
      ["state", "rename", "a", "b"],
      ["cancel", "--yes"],
    ]) {
      const named = await callsOf([...args, "--stack", "dev"]);
      expect(named).toMatchObject([{ passphrase: join(home, ".esign/passphrase") }]);
      expect((await callsOf([...args, "--stack", "production"]))[0].passphrase).toBeUndefined();
    }
    expect((await callsOf(["stack", "init", "x"]))[0].passphrase).toBeUndefined();
    // A folder that is called like a command.
    mkdirSync(join(home, "stack"));
    expect(await callsOf(["-C", "stack", "stack", "ls"])).toMatchObject([{ args: ["stack", "ls"] }]);
  });

  it.each([
    ["not with the passphrase of --local, for an account", { ESIGN_API_KEY: "k" }, 2],
    ["with it on this machine", { ESIGN_API_KEY: "k", ESIGN_BASE_URL: "http://127.0.0.1:9" }, 0],
  ])("an update runs %s", async (_, env, code) => {
    fakePulumi(project());
    mkdirSync(join(home, ".esign"));
    writeFileSync(join(home, ".esign/passphrase"), "words\n");
    writeFileSync(join(home, "Pulumi.dev.yaml"), `encryptionsalt: ${(await Crypter.create("words")).salt}\n`);
    const up = await esign(["up", "--yes", "--stack", "dev"], { home, env });
    expect(up.code).toBe(code);
    const passphrase = join(home, ".esign/passphrase");
    if (code === 0) expect(calls()).toMatchObject([{ passphrase }, { passphrase }]);
    else expect(up.stderr).toMatch(/stack dev encrypts its secrets with \.esign\/passphrase/);
  });

  it.each([
    ["--skip-preview", "needs a preview that reads the account"],
    ["--offline", "needs a preview that reads the account"],
    ["--json", "works without --json and --plan only"],
    ["--plan=plan.json", "works without --json and --plan only"],
  ])(
    "it does not run with --expect-no-writes and %s, which would count writes when they are done",
    async (option, why) => {
      fakePulumi(project());
      const { code, stderr } = await esign(["up", "--yes", "--stack", "dev", "--expect-no-writes", option], { home });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
      expect(existsSync(join(home, "calls"))).toBe(false);
    },
  );

  it("it is given the states that the built-in engine has made without it", async () => {
    const folder = project();
    const env = { PULUMI_CONFIG_PASSPHRASE: "words" };
    expect((await esign(["stack", "init", "dev"], { home, env })).stderr).toContain("Added backend.url");
    const recorded = readFileSync(join(home, "Pulumi.yaml"), "utf8");
    expect(recorded).toMatch(/\nbackend:\n.*\n {2}url: file:\/\/\.\n$/);
    // As earlier versions have left it.
    project();
    fakePulumi(folder);
    for (const args of [
      ["stack", "ls"],
      ["up", "--yes"],
    ]) {
      project();
      expect((await esign(args, { home, env })).stderr).toContain("Added backend.url");
      expect(readFileSync(join(home, "Pulumi.yaml"), "utf8")).toBe(recorded);
      expect((await esign(args, { home, env })).stderr).not.toContain("Added backend.url");
    }
  });

  it("the effects on the account come after its table; what up would refuse ends it there", async () => {
    const metadata = {
      op: "create",
      urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/esign:Webhook::signed",
      type: "pulumi-nodejs:dynamic/esign:Webhook",
      new: { custom: true, inputs: { type: "all", url: "https://h.example.com" } },
    };
    const event = { resourcePreEvent: { metadata } };
    const record = { kind: "Webhook", name: "signed", id: "7", done: false, writes: 0 };
    const bin = project();
    fakePulumi(bin, { event, record: { ...record, effect: "adopt" } });
    const up = await esign(["up", "--yes", "--stack", "dev", "--expect-no-writes"], { home });
    expect(up).toMatchObject({ code: 0 });
    expect(up.stdout).toBe(`
Effects on the account:
     Resource         Effect  Detail
 =   Webhook  signed  adopt   id 7  all → https://h.example.com

1 to adopt. Account writes: 0.
`);
    expect(calls().map(({ args }) => args)).toEqual([
      ["preview", "--stack", "dev"],
      ["up", "--stack", "dev", "--skip-preview", "--yes"],
    ]);
    fakePulumi(bin, { event, record: { ...record, effect: "blocked", detail: "already exists (7)" } });
    const refused = await esign(["up", "--yes", "--stack", "dev"], { home });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/✗ +Webhook +signed +blocked +.*already exists \(7\)/);
    expect(calls()).toHaveLength(1);
    fakePulumi(bin, { event, record: { ...record, effect: "create", writes: 1 } });
    expect((await esign(["up", "--yes", "--stack", "dev", "--expect-no-writes"], { home })).code).toBe(7);
    expect(calls()).toHaveLength(1);
  });

  it("--quickstart makes stack and passphrase, and gives it the local service", async () => {
    fakePulumi(project());
    const { code, stderr } = await esign(["up", "--quickstart"], { home });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [select, preview, up] = calls();
    expect(preview.args).toEqual(["preview", "--stack", "dev"]);
    expect(select.args).toEqual(["stack", "select", "--create", "--stack", "dev"]);
    expect(up).toMatchObject({
      args: ["up", "--stack", "dev", "--skip-preview", "--yes"],
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      key: true,
      passphrase: join(home, ".esign/passphrase"),
    });
  });
});

it("--local takes the stack that is selected, with the Pulumi CLI, too", async () => {
  const path = join(home, ".pulumi/bin");
  writeFileSync(join(home, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const words = { PULUMI_CONFIG_PASSPHRASE: "words" };
  for (const name of ["one", "two"]) await esign(["stack", "init", name], { home, env: words });
  fakePulumi(path);
  await esign(["preview", "--local"], { home, env: words });
  expect(calls().map(({ args }) => args)).toEqual([
    ["stack", "select", "--create", "--stack", "two"],
    ["preview", "--stack", "two"],
  ]);
});

it("--engine pulumi says what to do when the CLI is not installed, and fetches nothing", async () => {
  writeFileSync(join(home, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const { code, stdout, stderr } = await esign(["preview", "--engine", "pulumi"], { home });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(
    [
      "error: the Pulumi CLI is not installed.",
      "Install it (https://www.pulumi.com/docs/install), or leave --engine out to use the built-in engine.",
      "",
    ].join("\n"),
  );
});
