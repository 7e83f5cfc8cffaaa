/** What is checked before a deployment of one stack is checked before that of a fleet's, on both engines, and takes no further process. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator";
import { emulatorForTest, useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { type EngineName, engines, findOnPath } from "../provider/programs";
import { beginShop, esignProcess } from "./esign";
import { esign } from "./in-process";

const program = `
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const { WITHOUT = "" } = process.env;
const { id } = { id: new pulumi.Config().require("id") };
if (!WITHOUT.includes("company")) {
  const protect = WITHOUT.includes("protection") ? { deletionProtection: false } : {};
  const account = new esign.Company(id, { name: "Company " + id, userName: "Ann", userEmail: id + "@example.com", ...protect });
  new esign.Webhook(id, { account, type: "all", url: "https://h.example.com/" + id });
}`;

const records = ".esign/pending-creates";

/** A fleet of one customer, deployed. */
async function deploy(engine: EngineName, service: Emulator) {
  const home = temporaryFolder();
  beginShop(home);
  save(home, { "index.js": program, "customers.json": '[{ "id": "a" }]', "none.json": '[{ "id": "b" }]' });
  // A command that notes what it is called with.
  mkdirSync(join(home, "bin"));
  writeFileSync(
    join(home, "bin/pulumi"),
    `#!/bin/sh\necho "$1 $2 $3" >> "${home}/calls"\nexec "${findOnPath("pulumi")}" "$@"\n`,
  );
  chmodSync(join(home, "bin/pulumi"), 0o755);
  const command = engine === "pulumi" ? esignProcess : esign;
  const fleet = async (
    verb: string,
    { file = "customers.json", flags = [] as string[], without = "", at = service } = {},
  ) => {
    rmSync(join(home, "calls"), { force: true });
    const env = {
      ...{ ESIGN_BASE_URL: at.url, ESIGN_API_KEY: at.keys.partner!, WITHOUT: without },
      ...{ PULUMI_CONFIG_PASSPHRASE: "correct-horse", PULUMI_HOME: join(home, "pulumi-home") },
      ...(engine === "pulumi" && { PATH: `${join(home, "bin")}:${process.env.PATH}` }),
    };
    const yes = verb === "preview" || verb === "drift" ? [] : ["--yes"];
    return command(["fleet", verb, file, "--engine", engine, ...yes, ...flags], { home, env });
  };
  const stateFile = join(home, ".pulumi/stacks/shop/customer-a.json");
  const checkpoint = () => JSON.parse(readFileSync(stateFile, "utf8"));
  const state = () => checkpoint().checkpoint.latest.resources?.length ?? 0;
  const companies = () =>
    service.data().accounts.flatMap(({ name, webhooks }) => (name === "Company a" ? [webhooks.length] : []));
  /** What the Pulumi CLI was called for. */
  const calls = () =>
    existsSync(join(home, "calls"))
      ? readFileSync(join(home, "calls"), "utf8")
          .trim()
          .split("\n")
          .map((call) => call.trim())
      : [];
  expect(await fleet("up", { without: "protection" })).toMatchObject({ code: 0 });
  const before = state();
  expect([before > 3, companies()]).toEqual([true, [1]]);
  const expectUnchanged = () => expect([state(), companies()]).toEqual([before, [1]]);
  return { home, fleet, calls, checkpoint, stateFile, companies, expectUnchanged };
}

describe.each(engines)("with the %s engine", (engine) => {
  const service = useEmulator();
  const another = useEmulator();
  let deployed: Awaited<ReturnType<typeof deploy>>;
  beforeAll(async () => {
    deployed = await deploy(engine, service);
  });

  it("with another account's key nothing is deleted, neither by destroy nor by up, and nothing leaves the state", async () => {
    const { fleet, expectUnchanged } = deployed;
    const destroyed = await fleet("destroy", { at: another });
    expect([destroyed.code, destroyed.stderr]).toEqual([1, expect.stringContaining("Nothing was deleted: ")]);
    expectUnchanged();
    const removed = await fleet("destroy", { at: another, file: "none.json", flags: ["--removed"] });
    expect([removed.code, removed.stderr]).toEqual([1, expect.stringContaining("Nothing was deleted: ")]);
    expectUnchanged();
    expect(await fleet("up", { at: another, without: "company" })).toMatchObject({ code: 1 });
    expectUnchanged();
    expect(await fleet("preview", { at: another, without: "company" })).toMatchObject({ code: 1 });
    expectUnchanged();
  });

  it("what an interrupted run may have created is not forgotten with the stack", async () => {
    const { home, fleet, companies, stateFile } = deployed;
    const hashes = { target: "x", sender: "x" };
    const sent = { kind: "Webhook", stack: "customer-a", existing: [], isAlike: false, isReplacement: false };
    const record = { version: 1, process: { pid: 2 ** 30 }, ...hashes, ...sent };
    save(home, { [`${records}/0123456789abcdef.json`]: `${JSON.stringify(record)}\n` });
    for (const _ of [1, 2]) {
      const removed = await fleet("destroy", { file: "none.json", flags: ["--removed"] });
      expect([removed.code, removed.stderr]).toEqual([
        1,
        expect.stringContaining(
          "An interrupted deployment may have left objects in the account: a Webhook whose ID is not known.",
        ),
      ]);
      expect(existsSync(stateFile)).toBe(true);
    }
    rmSync(join(home, records), { recursive: true });
    expect(await fleet("destroy", { file: "none.json", flags: ["--removed"] })).toMatchObject({ code: 0 });
    expect([existsSync(stateFile), companies()]).toEqual([false, []]);
  });

  it("a plan that the provider would refuse is not applied", async () => {
    const { fleet, expectUnchanged } = deployed;
    expect(await fleet("up")).toMatchObject({ code: 0 });
    const destroyed = await fleet("destroy");
    expect([destroyed.code, destroyed.stderr]).toEqual([
      1,
      expect.stringMatching(
        /Company "a": .*(it is protected and was not deleted|cannot be deleted\s+because it is protected)/,
      ),
    ]);
    expectUnchanged();
  });
});

it.runIf(engines.includes("pulumi"))(
  "pulumi: creates that it keeps as pending are looked for before a destroy, which else would leave them in the account",
  async () => {
    const { fleet, checkpoint, stateFile, expectUnchanged } = await deploy("pulumi", await emulatorForTest());
    const state = checkpoint();
    const { urn, ...webhook } = state.checkpoint.latest.resources.find(({ type }: { type: string }) =>
      type.endsWith("esign:Webhook"),
    );
    const resource = { ...webhook, urn: `${urn}-2`, id: "" };
    state.checkpoint.latest.pending_operations = [{ resource, type: "creating" }];
    writeFileSync(stateFile, JSON.stringify(state));
    const destroyed = await fleet("destroy");
    expect([destroyed.code, destroyed.stderr]).toEqual([
      1,
      expect.stringContaining("Nothing was deleted: an interrupted deployment may have created "),
    ]);
    expectUnchanged();
  },
);

it.runIf(engines.includes("pulumi"))("pulumi: no check takes a process, where the states are in files", async () => {
  const { fleet, calls } = await deploy("pulumi", await emulatorForTest());
  const runs = [
    ["preview", "company", ["preview"]],
    ["up", "protection", ["up"]],
    ["drift", "", ["refresh --preview-only"]],
    ["refresh", "", ["refresh"]],
    ["destroy", "", ["destroy --preview-only", "destroy"]],
  ] as const;
  for (const [verb, without, operations] of runs) {
    expect(await fleet(verb, { without })).toMatchObject({ code: 0 });
    const [first, ...others] = calls();
    expect(first).toBe("stack ls --json");
    expect(others.map((call) => call.match(/^\w+( --preview-only)?/)?.[0])).toEqual(operations);
  }
});
