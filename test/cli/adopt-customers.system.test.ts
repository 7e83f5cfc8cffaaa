/** A partner's account, exported with its customers: the first plan knows each of them, and another account's key opens no plan. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../sdk";
import { spread } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { linkPackages } from "./esign";
import { esign as run } from "./in-process";

/** Each has branding, texts and a webhook of its own. */
const customers = spread(
  [
    { count: 2, language: "yaml" },
    { count: 19, language: "typescript" },
  ],
  1,
);

describe.each(customers)("of $count customers, with a program in $language", ({ count, language }) => {
  const companies = Array.from({ length: count }, (_, i) => ({ name: `Customer ${i}` }));
  const service = useEmulator({ seed: { companies } });
  const other = useEmulator({ seed: { companies } });
  const home = temporaryFolder();
  const partner = () => connect({ baseUrl: service.url, apiKey: service.keys.partner });
  const esign = async (args: string[], env: Record<string, string> = {}) => {
    const settings = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner };
    const state = { PULUMI_CONFIG_PASSPHRASE: "pw", PULUMI_BACKEND_URL: `file://${home}` };
    const cwd = args[0] === "export" ? home : join(home, "partner");
    const outcome = await run([...args, ...(args[0] === "export" ? [] : ["--engine", "embedded"])], {
      home,
      cwd,
      env: { ...settings, ...state, ...env },
    });
    return { ...outcome, all: outcome.stdout + outcome.stderr };
  };
  const writesTo = (emulator: typeof service) => emulator.requests().filter(({ method }) => method !== "GET");
  let first: ReturnType<typeof partner>;

  beforeAll(async () => {
    const clients = (await partner().companies.list().all()).map(({ company_id }) => partner().as(company_id));
    first = clients[0]!;
    for (const client of clients) {
      await client.branding.update({ branding_colour: "#0a6b5e" });
      await client.branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "Sign, please" });
      await client.webhooks.create({ webhook_type: "all", webhook_url: "https://audit.example.com/esign" });
    }
    expect(await esign(["export", "--out", "partner", "--language", language])).toMatchObject({ code: 0 });
    linkPackages(join(home, "partner"));
    expect(await esign(["stack", "init", "production"])).toMatchObject({ code: 0 });
  });

  test("a change of one is shown with both values; without it nothing is written", async () => {
    await first.branding.update({ branding_colour: "#112233" });
    service.clearLog();
    const changed = await esign(["preview", "--expect-no-writes"]);
    expect(changed.stdout).toMatch(/^1 to adopt and update, \d+ to adopt\. Account writes: 1\. /m);
    expect(changed.stdout).toMatch(/~ colour: "#112233" → "#0A6B5E"/i);
    expect(changed).toMatchObject({ code: 7, stderr: "No account writes were expected, but there are some.\n" });
    expect(writesTo(service)).toEqual([]);
    await first.branding.update({ branding_colour: "#0a6b5e" });
    service.clearLog();
    const up = await esign(["up", "--yes", "--expect-no-writes"]);
    expect(up.all).toMatch(/^\d+ adopted\. Account writes: 0\. /m);
    expect(up.code).toBe(0);
    expect(writesTo(service)).toEqual([]);
  });

  test("the key of another account is refused although nothing has changed, with and without a preview; a rotated one is not", async () => {
    expect(await esign(["config", "rm-all", "esign:baseUrl", "esign:apiKey"])).toMatchObject({ code: 0 });
    const there = { ESIGN_BASE_URL: other.url, ESIGN_API_KEY: other.keys.partner };
    for (const args of [["preview"], ["up", "--yes"], ["up", "--yes", "--skip-preview"]]) {
      const { code, all } = await esign(args, there);
      expect([args, code, all.match(/wrong account\?/g)]).toEqual([args, 1, ["wrong account?"]]);
      expect(all).toMatch(/stack init <name>/);
    }
    expect(writesTo(other)).toEqual([]);
    const key = await service.rotateKey(service.data().accounts.find(({ key }) => key === service.keys.partner)!.id);
    for (const args of [["preview"], ["up", "--yes"], ["up", "--yes", "--skip-preview"]])
      expect((await esign(args, { ESIGN_API_KEY: key })).all).toMatch(/^No changes\. \d+ resources up to date/m);
  });
});
