/** Explicit providers, objects that are only read, and functions, through a real program. */
import { beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { emulatorForTest, useEmulator } from "../emulator/use-emulator";
import { engines, Program } from "./programs";

const text = `
"use strict";
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const config = new pulumi.Config("program");
module.exports = async () => {
  const own = new esign.Provider("own", { apiKey: process.env.EMPTY ? pulumi.secret(undefined) : config.requireSecret("otherKey"), baseUrl: config.require("otherUrl"), maxConcurrency: 2 });
  const hook = new esign.Webhook("hook", { type: "all", url: "https://own.example/" }, { provider: own });
  const company = new esign.Company("firm", { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false });
  // A provider whose key is an output: unknown in the first preview.
  const firm = new esign.Provider("firm", { apiKey: company.apiKey, baseUrl: config.require("otherUrl") });
  const inside = new esign.Branding("inside", { colour: "#0a0b0c" }, { provider: firm });
  const found = esign.Webhook.get("found", config.require("existing"));
  const branding = await esign.getBranding();
  return {
    hook: hook.id,
    found: found.url,
    colour: branding.colour,
    own: esign.getWebhooksOutput({}, { provider: own }).apply((webhooks) => webhooks.length),
    inside: esign.getBrandingOutput({ account: company }).colour,
    logo: inside.logo,
  };
};
`;

describe.each(engines)("%s", (engine) => {
  const service = useEmulator();
  let program: Program;
  beforeAll(async () => {
    program = new Program(engine, text);
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    const partner = connect({ baseUrl: service.url, apiKey: service.keys.partner });
    const { webhook_id } = await partner.webhooks.create({
      webhook_type: "add-user",
      webhook_url: "https://there.example/",
    });
    await program.configure("program:otherUrl", service.url);
    await program.configure("program:existing", webhook_id);
    await setOtherKey(service.keys.account);
  });
  const setOtherKey = (key: string) => program.configure("--secret", "program:otherKey", key);
  const accounts = () => service.data().accounts;
  const ordinary = () => accounts().find(({ partner, parent }) => !partner && parent === undefined)!;

  it("take no other account's key where their own turns out to be empty", async () => {
    program.launch.environment = { EMPTY: "1", ESIGN_API_KEY: service.keys.partner };
    const { code, output } = await program.run("preview", "--stack", program.stack);
    program.launch.environment = {};
    expect(code).not.toBe(0);
    expect(output).toMatch(/Provider "own": apiKey is an output without a value/);
  });

  it("write to the accounts of their keys, which are not known in the preview", async () => {
    const plan = await program.succeed("preview", "--stack", program.stack);
    const up = await program.operate("up");
    // A plan and its run have the same rows.
    expect(plan.output).toMatch(/pulumi:providers:\S+ +own +create/);
    // In a table of effects beside what the provider serves, and nothing else; without one under the provider, once.
    const notices = {
      embedded: /Branding +inside +create +account not read: the key of its provider is not known before the update/g,
      pulumi:
        /\n +pulumi:providers:\S+ \(firm\):\n +the key of this provider is not known before the update, so the preview does not read/g,
    };
    expect(plan.output.match(notices[engine])).toHaveLength(1);
    expect(up.output).toMatch(/pulumi:providers:\S+ +own +created/);
    expect(ordinary().webhooks).toMatchObject([{ url: "https://own.example/" }]);
    expect(accounts().find(({ name }) => name === "Firm")!.branding.colour).toBe("#0A0B0C");
  });

  it("change no resource when their key is rotated", async () => {
    await setOtherKey(await service.rotateKey(ordinary().id));
    service.clearLog();
    expect((await program.operate("up")).output).toMatch(/pulumi:providers:\S+ +own +updated/);
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    const { output } = await program.succeed("stack", "output", "--stack", program.stack, "--json");
    expect(JSON.parse(output.slice(output.indexOf("{")))).toMatchObject({
      found: "https://there.example/",
      colour: "#1F6FEB",
      own: 1,
      inside: "#0A0B0C",
    });
  });

  it("leave what is only read when all is destroyed", async () => {
    await program.operate("destroy");
    expect(ordinary().webhooks).toEqual([]);
    expect(accounts().find(({ partner }) => partner)!.webhooks).toMatchObject([{ url: "https://there.example/" }]);
  });
});

const moved = `
"use strict";
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const config = new pulumi.Config("esign");
const apiKey = config.requireSecret("apiKey");
const own = new esign.Provider("own", { apiKey, baseUrl: config.require("baseUrl") });
const [name, opts] = process.env.MOVED ? ["new", { provider: own }] : ["old", {}];
if (!process.env.GONE) {
  new esign.Webhook(name + "-hook", { type: "all", url: "https://own.example/" }, opts);
  new esign.Branding(name + "-branding", { colour: "#0a0b0c" }, opts);
  const firm = { name: "Firm", userName: "U", userEmail: "u@firm.example", deletionProtection: false };
  new esign.Company(name + "-firm", firm, opts);
}
`;

describe.each(engines)("a new name and another provider of the same account (%s)", (engine) => {
  it("leave every object, and the original values are restored in the end", async () => {
    const service = await emulatorForTest();
    const program = new Program(engine, moved);
    const run = (environment: NodeJS.ProcessEnv) => {
      program.launch = { environment };
      return program.operate("up");
    };
    const held = () => {
      const { webhooks, branding } = service.data().accounts.find(({ partner }) => partner)!;
      const firms = service.data().accounts.filter(({ name }) => name === "Firm");
      return { webhooks: webhooks.map(({ id }) => id), colour: branding.colour, firms: firms.map(({ id }) => id) };
    };
    await program.begin({ apiKey: service.keys.partner, baseUrl: service.url });
    const { colour } = held();
    await run({});
    const before = held();
    expect(before).toMatchObject({ webhooks: [expect.anything()], colour: "#0A0B0C", firms: [expect.anything()] });
    const { output } = await run({ MOVED: "1" });
    expect(output).toMatch(/Webhook \d+: not deleted: another resource of this program has adopted it/);
    expect(held()).toEqual(before);
    await run({ MOVED: "1", GONE: "1" });
    expect(held()).toEqual({ webhooks: [], colour, firms: [] });
  });
});
