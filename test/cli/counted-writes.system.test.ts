/** Account writes as a plan and its run count them are the requests that the account gets, whatever takes what from whom. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { beginShop, javaScript, linkPackages } from "./esign";
import { esign as run } from "./in-process";

/** A project whose program is replaced by and by, and what its account gets. */
async function project() {
  const service = await emulatorForTest();
  const home = temporaryFolder();
  beginShop(home);
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: "pw" };
  const esign = (...args: string[]) => run([...args, "--engine", "embedded"], { home, env });
  expect(await esign("stack", "init", "dev")).toMatchObject({ code: 0 });
  const counted = async (...args: string[]) => {
    service.clearLog();
    const { code, stdout, stderr } = await esign(...args);
    expect([args, code, code === 0 ? "" : stdout + stderr]).toEqual([args, 0, ""]);
    // A deletion of what is gone already is refused, and changes nothing.
    const isWrite = ({ method, status }: { method: string; status: number }) => method !== "GET" && status < 400;
    const requests = service.requests().filter(isWrite).length;
    const [, effects, writes] = /^(.*)\. Account writes: (.*?)\. \(/m.exec(stdout) ?? [];
    const [, most, number] = /^(at most )?(\d+)$/.exec(writes ?? "") ?? [];
    return { effects, writes: Number(number), isExact: most === undefined, requests };
  };
  return {
    service,
    /** Plans and does it: both count alike, and what is sent.  */
    async change(program: string, verb: "up" | "destroy" = "up", ...args: string[]) {
      save(home, { "index.js": `const esign = require("pulumi-esign");\n${program}` });
      const [preview, ...others] = verb === "up" ? ["preview"] : ["destroy", "--preview-only"];
      const planned = await counted(preview!, ...others, ...args);
      expect(planned.requests).toBe(0);
      const done = await counted(verb, "--yes", "--skip-preview", ...args);
      expect([done.writes, done.isExact]).toEqual([done.requests, true]);
      if (planned.isExact) expect(planned.writes).toBe(done.writes);
      return {
        planned: planned.effects,
        done: done.effects,
        most: planned.writes,
        isExact: planned.isExact,
        writes: done.writes,
      };
    },
    counted,
  };
}

const firm = (name: string) =>
  `new esign.Company("${name}", { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false })`;
const contents = (name: string, account = "undefined") => `
  new esign.Branding("${name}-look", { colour: "#112233", account: ${account} });
  new esign.BrandingEmail("${name}-text", { type: "email-send", subject: "New {contract title}", account: ${account} });
  new esign.Webhook("${name}-hook", { type: "all", url: "https://r.example/", account: ${account} });`;

test("what has another name passes to it: nothing is deleted, restored or written, in a company as in the account", async () => {
  const { change } = await project();
  const program = (name: string) =>
    `${contents(name)} const firm = ${firm(`${name}-firm`)}; ${contents(`${name}-in`, "firm")}`;
  expect((await change(program("old"))).writes).toBe(7);
  expect(await change(program("new"))).toMatchObject({ planned: "7 to adopt, 7 to release", writes: 0 });
  // The contents alone, of a company that keeps its name.
  const { writes } = await change(program("new").replaceAll("new-in", "other"));
  expect(writes).toBe(0);
});

const inNewFirm = (colour: string, signatureMoreInfo: boolean, user: string) => `
  const account = ${firm("firm")};
  new esign.Branding("look", { account, colour: "${colour}" });
  new esign.Settings("settings", { account, signatureMoreInfo: ${signatureMoreInfo} });
  new esign.User("user", { account, name: "${user}", email: "U@firm.example", role: "super-admin" });`;

test.each([
  ["as declared", inNewFirm("#1f6feb", true, "U"), "at most 4", 1],
  ["otherwise", inNewFirm("#112233", false, "V"), "at most 4", 4],
  [
    "not at all",
    `const account = ${firm("firm")};
    new esign.Webhook("hook", { account, type: "all", url: "https://r.example/" });
    new esign.Contact("contact", { account, name: "U", email: "u@firm.example" });`,
    "3",
    3,
  ],
])(
  "what a new company has %s from the start: a plan says how many writes there are, or at most",
  async (_, program, planned, done) => {
    const { change } = await project();
    const { most, isExact, writes } = await change(program);
    expect([isExact ? `${most}` : `at most ${most}`, writes]).toEqual([planned, done]);
  },
);

test("what goes with its company has no deletion of its own; what only the state forgets is released", async () => {
  const { change, counted } = await project();
  const program = `const firm = ${firm("firm")}; ${contents("in", "firm")}\n${contents("own")}`;
  expect((await change(program)).writes).toBe(7);
  expect((await counted("up", "--yes", "--skip-preview")).writes).toBe(0);
  const { planned, done, writes } = await change(program, "destroy");
  expect([planned, done, writes]).toEqual(["5 to delete, 2 to restore", "5 deleted, 2 restored", 4]);
  await change(program);
  expect(await counted("destroy", "--yes", "--skip-preview")).toMatchObject({ writes: 4, requests: 4 });
});

test("what was deleted outside with its company is forgotten without a write, also where it is replaced", async () => {
  const { change, service } = await project();
  const partner = connect({ baseUrl: service.url, apiKey: service.keys.partner });
  const removeCompanies = async () => {
    for await (const { company_id } of partner.companies.list()) await partner.companies.delete({ company_id });
  };
  const program = (account: string) => `const firm = ${firm("firm")}; ${contents("in", account)}`;
  await change(program("firm"));
  const [{ company_id: id } = { company_id: "" }] = await partner.companies.list().all();
  // By its ID, which is not the resource: then the contents have a deletion of their own.
  await change(program(`"${id}"`));
  await removeCompanies();
  expect(await change(contents("in"))).toMatchObject({ planned: expect.stringMatching(/3 to replace/), writes: 3 });
  await change(
    `${contents("in")} const firm = ${firm("firm")}; ${contents("out", "firm.companyId.apply((id) => id)")}`,
  );
  await removeCompanies();
  expect(await change(contents("in"))).toMatchObject({
    done: expect.stringMatching(/^2 deleted, 2 released/),
    writes: 0,
  });
});

test("what got another name in a run with targets is released by the next one, and deleted as a target", async () => {
  const { change } = await project();
  await change(contents("old"));
  const renamed = [
    contents("new"),
    "up",
    "--target",
    "**new-look",
    "--target",
    "**new-hook",
    "--target",
    "**new-text",
  ] as const;
  expect(await change(...renamed)).toMatchObject({ writes: 0 });
  expect(await change(contents("new"), "up", "--target", "**old-text")).toMatchObject({
    done: expect.stringMatching(/^1 restored/),
    writes: 1,
  });
  const { planned, writes } = await change(contents("new"));
  expect([planned, writes]).toEqual([expect.stringMatching(/^2 to release/), 0]);
});

test("a replaced object that its replacement adopts, and one that is deleted before, are counted as they are", async () => {
  const { change, counted } = await project();
  const program =
    'new esign.User("ann", { name: "Ann", email: "ann@a.example", role: "user", deletionProtection: false }); new esign.Webhook("hook", { type: "all", url: "https://r.example/" });';
  await change(program);
  for (const [name, kind, writes] of [
    ["ann", "User", 0],
    ["hook", "Webhook", 2],
  ] as const) {
    const urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/esign:${kind}::${name}`;
    expect(await counted("preview", "--replace", urn)).toMatchObject({ writes, requests: 0 });
    expect(await counted("up", "--yes", "--skip-preview", "--replace", urn)).toMatchObject({
      writes,
      requests: writes,
    });
  }
});

test("a fleet counts what happens to the accounts, and not the stacks and components", async () => {
  const service = await emulatorForTest({ seed: { companies: [{ name: "Firm", email: "u@firm.example" }] } });
  const home = temporaryFolder({
    "Pulumi.yaml": `name: shop\n${javaScript}\nstackConfigDir: stacks\n`,
    "package.json": '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*" } }',
    "customers.csv": "id\na\n",
    "index.js": `const pulumi = require("@pulumi/pulumi"); const esign = require("pulumi-esign");
new pulumi.ComponentResource("shop:index:Group", "group", {});
const firm = ${firm("firm")};
new esign.Branding("look", { account: firm, colour: "#112233" });
new esign.Webhook("hook", { account: firm, type: "all", url: "https://r.example/" });`,
  });
  linkPackages(home);
  const env = {
    ESIGN_BASE_URL: service.url,
    ESIGN_API_KEY: service.keys.partner,
    PULUMI_CONFIG_PASSPHRASE: "pw",
    PULUMI_BACKEND_URL: `file://${home}`,
  };
  const fleet = async (verb: string, ...more: string[]) => {
    service.clearLog();
    const args = ["fleet", verb, "customers.csv", "--engine", "embedded", "--json", ...more];
    const { code, stdout, stderr } = await run(args, { home, env });
    expect([code, stderr]).toEqual([0, expect.anything()]);
    const [{ changes, account }] = JSON.parse(stdout).outcomes;
    return {
      changes,
      writes: account.writes,
      requests: service.requests().filter(({ method }) => method !== "GET").length,
    };
  };
  const planned = { adopt: 1, "adopt-and-update": 1, create: 1 };
  expect(await fleet("preview")).toEqual({ changes: planned, writes: 2, requests: 0 });
  expect(await fleet("up", "--yes")).toEqual({ changes: planned, writes: 2, requests: 2 });
  expect(await fleet("preview")).toEqual({ changes: { same: 3 }, writes: 0, requests: 0 });
  const program = readFileSync(join(home, "index.js"), "utf8")
    .replace('"hook"', '"other"')
    .replace(/new esign.Branding.*/, "");
  save(home, { "index.js": program });
  expect(await fleet("preview")).toEqual({
    changes: { same: 1, adopt: 1, release: 1, restore: 1 },
    writes: 1,
    requests: 0,
  });
  expect(await fleet("destroy", "--yes")).toEqual({ changes: { delete: 3 }, writes: 1, requests: 1 });
});
