/** `esign fleet` from its first run to the last: through faults, a kill and `--resume`; then a customer leaves. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Emulator, start } from "../../emulator";
import { temporaryFolder } from "../files";
import { bareEnv, esignProcess, javaScript, linkPackages, main } from "./esign";
import { esign } from "./in-process";

export interface FleetTest {
  /** Number of customers, from 2 on. */
  count: number;
  /** How many stacks they share. Default: each has its own. */
  stacks?: number;
  engine: "embedded" | "pulumi";
  /** Language of the program, which for customers in stacks of their own may be YAML. Default: JavaScript. */
  runtime?: "nodejs" | "yaml";
}

const program = `
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const config = new pulumi.Config();
const own = () => ({ id: config.require("id"), name: config.require("name"), email: config.require("email"), token: config.requireSecret("token") });
for (const { id, name, email, token } of config.getObject("customers") ?? [own()]) {
  const account = new esign.Company(id, { name, userName: "Ann", userEmail: email, deletionProtection: false });
  new esign.Webhook(id, { account, type: "all", url: pulumi.secret(pulumi.interpolate\`https://h.example.com/\${token}\`) });
}`;

const yamlProgram = `
config:
  name: { type: string }
  email: { type: string }
  token: { type: string, secret: true }
resources:
  company:
    type: esign:Company
    properties: { name: "\${name}", userName: Ann, userEmail: "\${email}", deletionProtection: false }
  webhook:
    type: esign:Webhook
    properties: { account: "\${company.companyId}", type: all, url: "https://h.example.com/\${token}" }
`;

export function testFleet({ count, stacks, engine, runtime = "nodejs" }: FleetTest): void {
  vi.setConfig({ testTimeout: 60_000 * count });
  const home = temporaryFolder();
  const ids = ["a", ...Array.from({ length: count - 1 }, (_, i) => `c${String(i).padStart(3, "0")}`)];
  let service: Emulator;
  const env = () => ({
    ESIGN_BASE_URL: service.url,
    ESIGN_API_KEY: service.keys.partner,
    PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    PULUMI_HOME: join(home, "pulumi-home"),
    // The environment of tests has no Pulumi CLI.
    ...(engine === "pulumi" && { PATH: process.env.PATH! }),
  });
  const flags = ["--parallel", "2", ...(stacks === undefined ? [] : ["--stacks", String(stacks)])];
  const command = (...args: string[]) =>
    (engine === "pulumi" ? esignProcess : esign)([...args, "--engine", engine], { home, env: env() });
  const fleet = (verb: string, ...more: string[]) => command("fleet", verb, "customers.csv", ...flags, ...more);
  const upFlags = ["--yes", "--secret-columns", "token"];

  function writeCustomers(wanted: readonly string[]): void {
    const rows = wanted.map((id) => `${id},Company ${id},${id}@example.com,hush-hush-${id}`);
    writeFileSync(join(home, "customers.csv"), ["id,name,email,token", ...rows].join("\n"));
  }

  /** Starts `fleet up` and kills it when its journal says that a stack is finished. */
  async function killAfterTheFirst(): Promise<void> {
    const args = [main, "fleet", "up", "customers.csv", "--engine", engine, ...flags, ...upFlags];
    const child = spawn(process.execPath, args, { cwd: home, env: { ...bareEnv(home), ...env() }, stdio: "ignore" });
    const ended = new Promise((done) => child.once("exit", done));
    const journal = () => {
      const path = join(home, ".esign/fleet");
      return readdirSync(path)
        .map((name) => readFileSync(join(path, name), "utf8"))
        .join("");
    };
    await vi.waitFor(() => expect(journal()).toContain('"ok":true'), { timeout: 240_000, interval: 100 });
    child.kill("SIGKILL");
    await ended;
  }

  /** As the guide says: where the kill left a lock, of which the engine does not know that its owner is gone, it is removed by hand. */
  async function resume() {
    const again = () => fleet("up", ...upFlags, "--resume", "--json");
    const first = await again();
    const { outcomes } = JSON.parse(first.stdout) as { outcomes: { stack: string; reason?: string }[] };
    const locked = outcomes.filter(({ reason }) => reason?.includes("locked"));
    for (const { stack } of locked) await command("cancel", "--yes", "--stack", stack);
    return locked.length === 0 ? first : again();
  }

  const where = stacks === undefined ? "each in a stack" : `${stacks} in stacks`;
  describe(`${count} customers, ${where}, ${engine}, ${runtime}`, () => {
    beforeAll(async () => {
      const often = { kind: "status", probability: 0.025 } as const;
      const faults = [
        { ...often, status: 429 },
        { ...often, status: 503 },
        { ...often, status: 503, nth: 2, probability: 1 },
      ];
      service = await start({ faults, faultSeed: 1 });
      const backend = `backend: { url: "file://${home}" }`;
      const settings = `name: shop\n${runtime === "yaml" ? "runtime: yaml" : javaScript}\nstackConfigDir: stacks\n${backend}\n`;
      writeFileSync(join(home, "Pulumi.yaml"), runtime === "yaml" ? settings + yamlProgram : settings);
      if (runtime === "nodejs") {
        linkPackages(home);
        writeFileSync(join(home, "package.json"), '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*" } }');
        writeFileSync(join(home, "index.js"), program);
      }
      writeCustomers(ids);
    });
    afterAll(async () => {
      await service.close();
    });

    it("are deployed once, through faults and a kill", async () => {
      await killAfterTheFirst();
      const resumed = await resume();
      expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("finished before")]);
      const { outcomes, left } = JSON.parse(resumed.stdout);
      expect([left, outcomes.flatMap((outcome: { ids: string[] }) => outcome.ids).sort()]).toEqual([[], ids]);
      expect(service.counts().byStatus["503"]).toBeGreaterThan(0);
      const companies = service.data().accounts.filter(({ name }) => name.startsWith("Company "));
      expect(companies.map(({ name }) => name).sort()).toEqual(ids.map((id) => `Company ${id}`));
      expect(companies.map(({ webhooks }) => webhooks.length)).toEqual(ids.map(() => 1));
      const configs = readdirSync(join(home, "stacks")).map((name) => readFileSync(join(home, "stacks", name), "utf8"));
      expect(configs.join() + resumed.stdout + resumed.stderr).not.toContain("hush-hush");
      // What the user has selected is as before.
      const { stdout } = await command("stack", "ls", "--json");
      expect(JSON.parse(stdout).map(({ current }: { current: boolean }) => current)).not.toContain(true);
    });

    it("are removed by a command of its own only", async () => {
      writeCustomers(ids.slice(1));
      if (stacks !== undefined) {
        const preview = await fleet("preview", "--secret-columns", "token", "--expect-no-changes");
        expect([preview.code, preview.stderr]).toEqual([
          0,
          expect.stringContaining("unchanged, since they have no record: a ("),
        ]);
      }
      const removed = await fleet("destroy", "--removed", "--yes", "--secret-columns", "token");
      const done = "Fleet destroy: 1 stack done, 1 with changes, 0 failed, 0 skipped\n";
      expect([removed.code, removed.stdout]).toEqual([0, done]);
      const names = service.data().accounts.map(({ name }) => name);
      expect(names.filter((name) => name.startsWith("Company "))).toHaveLength(count - 1);
      expect(names).not.toContain("Company a");
      expect(readdirSync(join(home, "stacks"))).not.toContain("Pulumi.customer-a.yaml");
    });
  });
}
