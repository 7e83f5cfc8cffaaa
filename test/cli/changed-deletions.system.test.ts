/** The plan of a deletion, on either engine: it shows what the account has, and refuses what the run refuses. */
import { beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { engines } from "../provider/programs";
import { withEngine } from "./either-engine";
import { beginShop } from "./esign";

const home = temporaryFolder();
const service = useEmulator();
const client = () => connect({ baseUrl: service.url, apiKey: service.keys.partner });
const [ours, theirs] = ["https://hooks.example.com/ours", "https://hooks.example.com/theirs"];
const esignModule = `const esign = require("pulumi-esign");\n`;
const program = `${esignModule}new esign.Webhook("hook", { type: "all", url: "${ours}" });
  new esign.Branding("look", { colour: "#112233" });`;

beforeAll(() => beginShop(home));

describe.each(engines)("with the %s engine", (engine) => {
  const esign = (...args: string[]) => withEngine(engine, [...args, "-s", engine], { home, service });
  const writes = () => service.requests().filter(({ method }) => method !== "GET").length;
  const urls = async () => (await client().webhooks.list().all()).map(({ webhook_url }) => webhook_url);

  it("a webhook and a branding that were changed outside Pulumi", async () => {
    await service.reset();
    save(home, { "index.js": program });
    expect(await esign("stack", "init")).toMatchObject({ code: 0 });
    expect(await esign("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    const before = await urls();
    const made = (await client().webhooks.list().all()).find(({ webhook_url }) => webhook_url === ours);
    await client().webhooks.update({ webhook_id: made!.webhook_id, webhook_url: theirs });
    await client().branding.update({ branding_colour: "#ABABAB" });
    service.clearLog();

    // Neither verb goes on, and each plan has both values.
    save(home, { "index.js": esignModule });
    for (const args of [["preview"], ["up", "--yes"], ["destroy", "--preview-only"], ["destroy", "--yes"]]) {
      const { code, all } = await esign(...args);
      expect([args, code, all]).toEqual([args, 1, expect.stringContaining("2 in conflict")]);
      expect(all).toMatch(/ ! +Webhook +hook +conflict +changed outside Pulumi +all → https:\/\/hooks\S+\/theirs\n/);
      expect(all).toMatch(/! url:\n +state +"https:\S+\/ours"\n +account +"https:\S+\/theirs"\n/);
      expect(all).toMatch(/! colour:\n +state +"#112233"\n +account +"#ABABAB"\n +original +"#\w+"\n/i);
    }
    expect([await urls(), writes()]).toEqual([before.map((url) => (url === ours ? theirs : url)), 0]);

    // What reads the account first, and what overwrites, shows what is deleted.
    await esign("config", "set", "esign:onConflict", "overwrite");
    const overwritten = await esign("destroy", "--preview-only");
    expect([overwritten.code, overwritten.all]).toEqual([0, expect.stringContaining("1 to delete")]);
    expect(overwritten.all).toMatch(
      / - +Webhook +hook +delete +id \d+ +all → https:\S+\/theirs +changed outside Pulumi: url\n/,
    );
    await esign("config", "rm", "esign:onConflict");
    const refreshed = await esign("destroy", "--refresh", "--yes");
    expect([refreshed.code, refreshed.all]).toEqual([0, expect.stringContaining("Account writes: 2.")]);
    expect(await urls()).toEqual(before.filter((url) => url !== ours));
  });
});
