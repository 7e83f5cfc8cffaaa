/** Resources of one type and name, below different components and in different accounts: each has the effect of its own. */
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { connect } from "../../sdk";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { beginShop, esignProcess } from "./esign";
import { esign as command } from "./in-process";

const pulumi = findPulumi();
const engines = pulumi === undefined ? (["embedded"] as const) : (["embedded", "pulumi"] as const);

/** What the first table of effects says, by component. */
function effectsIn(stdout: string): Record<string, string[]> {
  const [, table = ""] = /^ +Resource .*\n((?:.+\n)+)/m.exec(stdout) ?? [];
  const rows = [...table.matchAll(/(Team|Office) |(Webhook|Branding) +\S+ +(\w+(?: \w+)*)/g)];
  const effects: Record<string, string[]> = {};
  let component = "";
  for (const [, name, kind, effect] of rows) {
    if (name === undefined) effects[component] = [...(effects[component] ?? []), `${kind} ${effect}`].sort();
    else component = name;
  }
  return effects;
}

describe.each(engines)("with %s", (engine) => {
  it("plans what each does, counts what was done, plans new names and a replacement, and goes back", async () => {
    const [own, other] = [await emulatorForTest(), await emulatorForTest()];
    const home = temporaryFolder();
    beginShop(home);
    const program = (name: string, path = "") => `
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const provider = new esign.Provider("other", { apiKey: "${other.keys.account}", baseUrl: "${other.url}" });
for (const [type, name, options] of [["Team", "${name}", {}], ["Office", "hook", { provider }]]) {
  const parent = new pulumi.ComponentResource("shop:index:" + type, type, {}, options);
  new esign.Webhook(name, { type: "all", url: "https://r.example/" + (type === "Team" ? "" : "${path}") }, { parent });
  new esign.Branding("look", { colour: "#112233" }, { parent });
}`;
    const esign = async (text: string, ...args: string[]) => {
      save(home, { "index.js": text });
      const { code, stdout, stderr } = await (engine === "pulumi" ? esignProcess : command)(
        [...args, "--engine", engine],
        {
          home,
          env: {
            PATH: `${dirname(process.execPath)}:${dirname(pulumi ?? "")}`,
            PULUMI_HOME: home,
            ESIGN_BASE_URL: own.url,
            ESIGN_API_KEY: own.keys.account,
            PULUMI_CONFIG_PASSPHRASE: "pw",
          },
        },
      );
      expect([code, code === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
      return stdout;
    };
    // One account has the webhook, the other one the colour.
    await connect({ baseUrl: own.url, apiKey: own.keys.account }).webhooks.create({
      webhook_type: "all",
      webhook_url: "https://r.example/",
    });
    await connect({ baseUrl: other.url, apiKey: other.keys.account }).branding.update({ branding_colour: "#112233" });
    await esign(program("hook"), "stack", "init", "dev");
    const up = await esign(program("hook"), "up", "--yes");
    expect(effectsIn(up)).toEqual({
      Team: ["Branding adopt and update", "Webhook adopt"],
      Office: ["Branding adopt", "Webhook create"],
    });
    expect(up).toContain("1 created, 1 adopted and updated, 2 adopted. Account writes: 2.");
    // In one of the two, the webhook has another name; in the other one, it is replaced.
    const urn = "urn:pulumi:dev::shop::shop:index:Office$pulumi-nodejs:dynamic/esign:Webhook::hook";
    const next = await esign(program("door"), "preview", "--replace", urn);
    expect(Object.values(effectsIn(next)).flat()).toEqual(["Webhook adopt", "Webhook release", "Webhook replace"]);
    expect(next).toContain("Account writes: 2.");
    if (engine === "pulumi") return;
    await esign(program("hook", "new"), "up", "--yes");
    const back = await esign(program("hook", "new"), "rollback", "--yes");
    expect(Object.values(effectsIn(back))).toEqual([["Webhook update"]]);
    expect(back).toContain("Account writes: 1.");
  });
});
