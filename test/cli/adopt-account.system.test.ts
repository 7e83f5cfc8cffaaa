/** An account made by hand, exported, adopted, changed and released: what each plan says is what then happens. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../sdk";
import { spread } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { linkPackages } from "./esign";
import { esign as run } from "./in-process";

describe.each(spread(["yaml", "typescript"], 1))("with a program in %s", (language) => {
  const home = temporaryFolder();
  const project = join(home, "acme");
  // Each read shows the logo under another address, which no plan may depend on.
  const service = useEmulator({ logoAddress: "fresh" });
  const client = () => connect({ baseUrl: service.url, apiKey: service.keys.account });

  const esign = async (args: string[], env: Record<string, string> = {}) => {
    const settings = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account };
    const state = { PULUMI_CONFIG_PASSPHRASE: "pw", PULUMI_BACKEND_URL: `file://${home}` };
    const options = { home, cwd: args[0] === "export" ? home : project, env: { ...settings, ...state, ...env } };
    const outcome = await run([...args, ...(args[0] === "export" ? [] : ["--engine", "embedded"])], options);
    return { ...outcome, all: outcome.stderr + outcome.stdout };
  };
  const writes = () => service.requests().filter(({ method }) => method !== "GET").length;

  beforeAll(async () => {
    await client().branding.update({ branding_colour: "#0a6b5e" });
    await client().branding.updateEmail({ branding_email_type: "email-send", branding_email_subject: "Sign, please" });
    await client().webhooks.create({ webhook_type: "all", webhook_url: "https://audit.example.com/esign" });
    expect((await esign(["export", "--out", "acme", "--language", language])).code).toBe(0);
    linkPackages(project);
    expect((await esign(["stack", "init", "production"])).code).toBe(0);
    service.clearLog();
  });

  test("the first plan adopts each object, and the first up writes nothing", async () => {
    const preview = await esign(["preview", "--expect-no-writes"]);
    expect(preview).toMatchObject({ code: 0 });
    const rows = preview.stdout.match(/^ \S+ +(Branding|BrandingEmail|Webhook) .*$/gm)!;
    expect(rows).toHaveLength(9);
    for (const row of rows) expect(row).toMatch(/^ = {3}\w+ +\S+ +adopt +(id \d+ {2}\w+ → \S+|identical)$/);
    expect(preview.stdout).toMatch(/^9 to adopt\. Account writes: 0\. /m);
    const up = await esign(["up", "--yes", "--expect-no-writes"]);
    expect(up).toMatchObject({ code: 0 });
    expect(up.stdout).toMatch(/^9 adopted\. Account writes: 0\. /m);
    expect(writes()).toBe(0);
  });

  test("a change outside Pulumi: refresh shows both values, and a plan of the same field is a conflict", async () => {
    await client().branding.update({ branding_colour: "#112233" });
    const refresh = await esign(["refresh", "--preview-only"]);
    expect(refresh.stdout).toMatch(/↓ {3}Branding .*refresh\n +~ colour: "#0A6B5E" → "#112233"/i);
    const file = join(project, "account.yaml");
    const declared = readFileSync(file, "utf8");
    writeFileSync(file, declared.replace(/#0a6b5e/i, "#445566"));
    const refused = await esign(["up", "--yes"]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/ ! {3}Branding +\S+ +conflict +changed outside Pulumi\n +! colour:/);
    for (const line of [/state +"#0A6B5E"/i, /account +"#112233"/, /declared +"#445566"/])
      expect(refused.stdout).toMatch(line);
    const overwrite = await esign(["preview"], { ESIGN_ON_CONFLICT: "overwrite" });
    expect(overwrite).toMatchObject({ code: 0, stdout: expect.stringMatching(/!~ +Branding .*overwrite/) });
    service.clearLog();
    expect((await esign(["up", "--yes", "--expect-no-writes"], { ESIGN_ON_CONFLICT: "overwrite" })).code).toBe(7);
    expect(writes()).toBe(0);
    writeFileSync(file, declared);
    await client().branding.update({ branding_colour: "#0a6b5e" });
  });

  test("a plan says which field is updated, and nothing of the account when it is offline", async () => {
    const subject = join(project, "emails/email-send/subject.txt");
    writeFileSync(subject, "Your signature, please");
    service.clearLog();
    for (const offline of [
      await esign(["preview", "--offline"]),
      await esign(["preview"], { ESIGN_OFFLINE: "true" }),
    ]) {
      expect(offline.stdout).toContain("The account was not read: these are operations on the stack's state.");
      expect(offline.stdout).toMatch(/1 to update, 8 unchanged\. Account writes: unknown/);
    }
    expect(service.requests()).toEqual([]);
    const json = await esign(["preview", "--json"]);
    const events = json.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.find(({ step }) => step?.op === "update")).toMatchObject({
      step: { effect: "update", writes: 1, id: "email-send" },
    });
    expect(events.at(-1)).toMatchObject({ account: { effects: { update: 1 }, writes: 1, unread: 0 } });
    const up = await esign(["up", "--yes"]);
    expect(up.stdout).toMatch(/^1 updated, 8 unchanged\. Account writes: 1\. /m);
  });

  test("destroy restores what it changed, releases what it never changed, and says what existed before the stack", async () => {
    const plan = await esign(["destroy", "--preview-only"]);
    expect(plan.stdout).toMatch(/ - {3}Webhook +\S+ +delete +id \d+ .*\(adopted: existed before this stack\)/);
    expect(plan.stdout).toMatch(/○ {3}\d resources +release +never modified, left unchanged/);
    expect(plan.stdout).toMatch(/ ↩ {3}BrandingEmail +\S+ +restore/);
    expect(plan.stdout).toMatch(/^1 to delete, 1 to restore, 7 to release\. Account writes: 2\. /m);
    expect(await esign(["destroy", "--preview-only", "--expect-no-writes"])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("No account writes were expected, but there are some."),
    });
    service.clearLog();
    const destroy = await esign(["destroy", "--yes"]);
    expect(destroy.stdout).toMatch(/^1 deleted, 1 restored, 7 released\. Account writes: 2\. /m);
    expect(writes()).toBe(2);
  });

  test("one error for one cause: a key that is wrong", async () => {
    expect((await esign(["config", "rm", "esign:apiKey"])).code).toBe(0);
    const { code, stdout } = await esign(["preview"], {
      ESIGN_API_KEY: "key_0000000000000000000000000000000000000000",
    });
    expect([code, stdout]).toEqual([1, expect.stringContaining("The API key is not valid")]);
    expect(stdout).not.toMatch(/create$|No changes/m);
    expect(stdout.match(/^error:/gm)).toHaveLength(1);
    const malformed = await esign(["preview"], { ESIGN_ON_CONFLICT: "maybe" });
    expect(malformed).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("must be fail or overwrite"),
    });
  });
});
