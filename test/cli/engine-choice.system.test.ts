import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseEngine } from "../../cli/engine/choose-engine";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { stripOwnFlags } from "../../cli/engine/pulumi-cli";
import { Crypter } from "../../engine/secrets/crypter";
import { save, temporaryFolder } from "../files";
import { bareEnv } from "./esign";
import { esign as inHome } from "./in-process";

let home: string;
let env: NodeJS.ProcessEnv;
const project = () => save(home, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
beforeEach(() => {
  home = temporaryFolder();
  env = bareEnv(home);
  project();
});
const esign = (line: string, variables: Record<string, string> = {}) =>
  inHome(line.split(" "), { home, env: variables });

interface Fake {
  exitCode?: number;
  /** What it logs as events, and what the hooks report. */
  events?: object[];
  record?: object;
}

/** A stand-in for the Pulumi CLI: writes how it was called to a file, `calls`, without the log that it is asked for. */
function fakePulumi(folder = ".pulumi/bin", { exitCode = 0, events = [], record }: Fake = {}): string {
  const path = join(home, folder, "pulumi");
  const script = `#!/bin/sh
if [ "$1 $2" = "stack export" ]; then echo '{"deployment":{}}'; exit; fi
for arg; do
  case "$arg" in *" "*) arg="'$arg'" ;; esac
  if [ "$last" = --event-log ]; then log=$arg; elif [ "$arg" != --event-log ]; then printf '%s ' "$arg"; fi >> "$HOME/calls"
  last=$arg
done
echo "|$ESIGN_BASE_URL|\${ESIGN_API_KEY:+yes}|$PULUMI_CONFIG_PASSPHRASE_FILE|$PULUMI_NODEJS_TRANSPILE_ONLY|$no_grpc_proxy" >> "$HOME/calls"
if [ "$log" ]; then
  if [ "$1" = up ]; then done=true; else done=false; fi
  echo '${JSON.stringify(record ?? {})}' | sed 's/"done":false/"done":'"$done/" >> "$ESIGN_EFFECTS_FILE"
  echo '${events.map((event) => JSON.stringify(event)).join("\n")}' >> "$log"
fi
exit ${exitCode}
`;
  save(home, { [join(folder, "pulumi")]: script });
  chmodSync(path, 0o755);
  return path;
}

/** How it was called since the last look. */
function calls() {
  const lines = readFileSync(join(home, "calls"), "utf8").trim().split("\n");
  rmSync(join(home, "calls"));
  return lines.map((line) => {
    const [args, url, key, passphrase, transpileOnly, direct] = line.split("|");
    return {
      args: args!.trim().replace(/ --color never --non-interactive$/, ""),
      url,
      key,
      passphrase,
      transpileOnly,
      direct,
    };
  });
}
const callsOf = async (line: string) => {
  await esign(line);
  return calls();
};

describe("the Pulumi CLI is found", () => {
  it("on PATH first, then under the user's Pulumi home, where PULUMI_HOME may say otherwise", () => {
    expect(findPulumi(env)).toBeUndefined();
    for (const folder of [".pulumi/versions/3.9.0/bin", ".pulumi/versions/3.260.0/bin", ".pulumi/bin"])
      expect(fakePulumi(folder)).toBe(findPulumi(env));
    const elsewhere = fakePulumi("elsewhere/bin");
    expect(findPulumi({ ...env, PULUMI_HOME: join(home, "elsewhere") })).toBe(elsewhere);
    const onPath = fakePulumi("bin");
    expect(findPulumi({ ...env, PATH: `${join(home, "bin")}${delimiter}${env.PATH}` })).toBe(onPath);
  });

  it("not when it cannot be run", () => {
    mkdirSync(join(home, ".pulumi/bin/pulumi"), { recursive: true });
    expect(findPulumi(env)).toBeUndefined();
    save(home, { "bin/pulumi": "not executable" });
    expect(findPulumi({ ...env, PATH: join(home, "bin") })).toBeUndefined();
  });
});

it("one line says which engine runs and how to get the other", () => {
  expect(chooseEngine("auto", env)).toEqual({ engine: "embedded", note: "Engine: built-in, no Pulumi CLI found" });
  const path = fakePulumi();
  const note = `Engine: the Pulumi CLI, ${path} (--engine embedded: the built-in one)`;
  expect(chooseEngine("auto", env)).toEqual({ engine: "pulumi", path, note });
  expect(chooseEngine("embedded", env).engine).toBe("embedded");
});

it("an option of ours is not passed on", () => {
  const line = "stack --engine pulumi --engine=auto -C x --cwd=y -Cz -v --show-urns -s dev";
  expect(stripOwnFlags(line.split(" "))).toEqual(["stack", "--show-urns", "-s", "dev"]);
});

describe("with the Pulumi CLI", () => {
  /** The passphrase of --local, and a stack that was made with it. */
  const localPassphrase = async () => {
    const stack = `encryptionsalt: ${(await Crypter.create("words")).salt}\n`;
    save(home, { ".esign/passphrase": "words\n", "Pulumi.dev.yaml": stack });
    return join(home, ".esign/passphrase");
  };

  it("the exit code comes back; an option that we do not know is refused before it is asked", async () => {
    const path = fakePulumi(".pulumi/bin", { exitCode: 7 });
    // The two must not mean different things by it.
    expect((await esign("up --yes --some-new-option x --expect-no-changes")).code).toBe(2);
    const again = await esign("up --yes --expect-no-changes --stack=dev");
    expect(again).toMatchObject({ code: 7, stderr: expect.stringContaining(`Engine: the Pulumi CLI, ${path}`) });
    expect(calls()).toMatchObject([{ args: "preview --stack dev", transpileOnly: "true", direct: "127.0.0.1" }]);
  });

  it("options of an operation are the CLI's arguments; what is no operation goes through as it was typed, under the CLI's own names", async () => {
    fakePulumi();
    // A folder that is called like a command.
    mkdirSync(join(home, "stack"));
    for (const [typed, called = typed] of [
      ["up --yes --skip-preview --stack dev", "up --yes --skip-preview --stack dev"],
      [
        "destroy -fy --target a --target b --target-dependents --continue-on-error -p 3 -m why -s org/shop/dev",
        "destroy --yes --skip-preview --continue-on-error --target a --target b --target-dependents --parallel 3 --message why --stack org/shop/dev",
      ],
      [
        "preview --offline --diff --refresh --json --target-replace a --policy-pack p --policy-pack-config q --stack dev",
        "preview --refresh --target a --replace a --policy-pack p --policy-pack-config q --stack dev",
      ],
      [
        "refresh -yf --run-program --clear-pending-creates --stack dev",
        "refresh --yes --skip-preview --run-program --clear-pending-creates --stack dev",
      ],
      ["stack output --json --show-secrets"],
      ["config ls --json", "config --json"],
      ["config ls --stack ls", "config --stack ls"],
      ["--color never config set -- key -5", "config set --color never -- key -5"],
      ["stack resources --stack dev", "stack --show-urns --stack dev"],
      ["stack import --file x.json --yes", "stack import --file x.json"],
      ["stack unprotect --all --yes", "state unprotect --all --yes"],
      ["-C stack stack ls", "stack ls"],
    ] as [string, string?][])
      expect(await callsOf(typed)).toMatchObject([{ args: called }]);
  });

  it("the passphrase of --local goes with each command, for a stack that was made with it, and with no other one", async () => {
    fakePulumi();
    const passphrase = await localPassphrase();
    for (const line of ["stack unprotect --all", "state protect --all", "state rename a b", "cancel --yes"]) {
      expect(await callsOf(`${line} --stack dev`)).toMatchObject([{ passphrase }]);
      expect(await callsOf(`${line} --stack production`)).toMatchObject([{ passphrase: "" }]);
    }
    expect(await callsOf("stack init x")).toMatchObject([{ passphrase: "" }]);
    const key = { ESIGN_API_KEY: "k" };
    const refused = await esign("up --yes --stack dev", key);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/stack dev encrypts its secrets with \.esign\/passphrase/);
    const local = await esign("up --yes --stack dev", { ...key, ESIGN_BASE_URL: "http://127.0.0.1:9" });
    expect(local.code).toBe(0);
    expect(calls()).toMatchObject([{ passphrase }, { passphrase }]);
  });

  it.each([
    ["--skip-preview", "needs a preview that reads the account"],
    ["--offline", "needs a preview that reads the account"],
  ])(
    "it does not run with --expect-no-writes and %s, which would count writes when they are done",
    async (option, why) => {
      fakePulumi();
      const { code, stderr } = await esign(`up --yes --stack dev --expect-no-writes ${option}`);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
      expect(existsSync(join(home, "calls"))).toBe(false);
    },
  );

  it("it gets the states that the built-in engine has made without it", async () => {
    const words = { PULUMI_CONFIG_PASSPHRASE: "words" };
    expect((await esign("stack init dev", words)).stderr).toContain("Added backend.url");
    const recorded = readFileSync(join(home, "Pulumi.yaml"), "utf8");
    expect(recorded).toMatch(/\nbackend:\n.*\n {2}url: file:\/\/\.\n$/);
    fakePulumi();
    for (const line of ["stack ls", "up --yes"]) {
      // Its states are there, and the line is not: it was not committed.
      project();
      expect((await esign(line, words)).stderr).toContain("Added backend.url");
      expect(readFileSync(join(home, "Pulumi.yaml"), "utf8")).toBe(recorded);
      expect((await esign(line, words)).stderr).not.toContain("Added backend.url");
    }
  });

  it("the plan says what its steps do to the account; what up would refuse ends it there", async () => {
    const metadata = {
      op: "create",
      urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/esign:Webhook::signed",
      type: "pulumi-nodejs:dynamic/esign:Webhook",
      new: { custom: true, inputs: { type: "all", url: "https://h.example.com" } },
    };
    const fake = (effect: string, more: object = {}) =>
      fakePulumi(".pulumi/bin", {
        events: [
          { preludeEvent: {} },
          { resourcePreEvent: { metadata } },
          { resOutputsEvent: { metadata: { ...metadata, new: { ...metadata.new, id: "7" } } } },
          { summaryEvent: { resourceChanges: { create: 1 }, result: "succeeded" } },
        ],
        record: { kind: "Webhook", urn: metadata.urn, id: "7", done: false, writes: 0, effect, ...more },
      });
    fake("adopt");
    const up = await esign("up --yes --stack dev --expect-no-writes");
    expect(up).toMatchObject({ code: 0 });
    expect(up.stdout.replaceAll(/\(\d+\.\ds\)/g, "(0.0s)")).toBe(`
Preview  shop/dev  Pulumi CLI

     Resource         Effect  Detail
 =   Webhook  signed  adopt   id 7  all → https://h.example.com

1 to adopt. Account writes: 0. (0.0s)

Update

 =  Webhook signed  adopted

1 adopted. Account writes: 0. (0.0s)
`);
    expect(calls()).toMatchObject([{ args: "preview --stack dev" }, { args: "up --yes --skip-preview --stack dev" }]);
    fake("blocked", { detail: "already exists (7)" });
    const refused = await esign("up --yes --stack dev");
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/✗ +Webhook +signed +blocked +.*already exists \(7\)/);
    expect(calls()).toHaveLength(1);
    fake("create", { writes: 1 });
    expect((await esign("up --yes --stack dev --expect-no-writes")).code).toBe(7);
    expect(calls()).toHaveLength(1);
  });

  it("--quickstart makes stack and passphrase, and gives it the local service", async () => {
    fakePulumi();
    expect(await esign("up --quickstart")).toMatchObject({ code: 0 });
    const [select, preview, up] = calls();
    expect(select!.args).toBe("stack select --create --stack dev");
    expect(preview!.args).toBe("preview --stack dev");
    expect(up).toMatchObject({
      args: "up --yes --skip-preview --stack dev",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      key: "yes",
      passphrase: join(home, ".esign/passphrase"),
    });
  });

  it("--local takes the stack that is selected, too", async () => {
    const words = { PULUMI_CONFIG_PASSPHRASE: "words" };
    for (const name of ["one", "two"]) await esign(`stack init ${name}`, words);
    fakePulumi();
    await esign("preview --local", words);
    expect(calls()).toMatchObject([{ args: "stack select --create --stack two" }, { args: "preview --stack two" }]);
  });
});

it("--engine pulumi says what to do when the CLI is not installed, and fetches nothing", async () => {
  const { code, stdout, stderr } = await esign("preview --engine pulumi");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(`error: the Pulumi CLI is not installed.
Install it (https://www.pulumi.com/docs/install), or leave --engine out to use the built-in engine.
`);
});
