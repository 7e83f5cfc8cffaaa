/** The first minute of the README, from an empty folder on the built-in engine. The languages that need the Pulumi CLI: languages.nightly.test.ts. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../../sdk";
import { linkPackages } from "../cli/esign";
import { esign as command } from "../cli/in-process";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { makeHome, shell } from "./guide";
import { commandsAfter, programIn } from "./readme";

const service = useEmulator();
const account = () => ({ ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account });

describe.each([
  ["yaml", (home: string) => save(home, { "Pulumi.yaml": programIn("yaml") })],
  [
    "ts",
    (home: string) => {
      linkPackages(home, "@types", "typescript", "ts-node");
      save(home, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "index.ts": programIn("ts") });
    },
  ],
] as const)("the program in %s", (_, write) => {
  it("is deployed, has nothing to do then, and is undone", async () => {
    const home = temporaryFolder();
    write(home);
    const esign = async (...args: string[]) => {
      const env = { ...account(), PULUMI_CONFIG_PASSPHRASE: "correct-horse" };
      const { code, stdout, stderr } = await command([...args, "--engine", "embedded"], { home, env });
      expect(code, stderr + stdout).toBe(0);
      return stderr + stdout;
    };
    const client = connect({ baseUrl: service.url, apiKey: service.keys.account });
    const webhooks = async () => (await client.webhooks.list().all()).map(({ webhook_url }) => webhook_url);
    const [before, emails] = [await webhooks(), (await client.branding.emails()).branding_emails];
    await esign("stack", "init", "dev");
    const up = await esign("up", "--yes");
    expect(up).toContain("\n1 created, 1 adopted and updated. Account writes: 2.");
    expect(up).toMatch(/Outputs:\n +\+ webhookId: "\d+"/);
    expect(await webhooks()).toEqual([...before, "https://hooks.example.com/signed"]);
    await esign("up", "--yes", "--skip-preview", "--expect-no-changes");
    await esign("destroy", "--yes");
    expect([await webhooks(), (await client.branding.emails()).branding_emails]).toEqual([before, emails]);
  });
});

it("the commands without the Pulumi CLI make a project in YAML and deploy it", async () => {
  const home = temporaryFolder();
  const env = makeHome(home);
  mkdirSync(join(home, "work"));
  const commands = commandsAfter("**Without the Pulumi CLI**")
    .replace(/npx pulumi-esign/g, "esign")
    .replace("init shop", "init shop --template yaml --yes")
    .replace("https://sign.example.com", service.url)
    .replace("esign:apiKey", `esign:apiKey ${service.keys.account}`)
    .replace(/ up( --local)?(?=\s)/g, " up$1 --yes");
  const { code, output } = await shell(commands, join(home, "work"), env);
  expect(code, output).toBe(0);
  expect(output).not.toContain(service.keys.account);
});
