/** `esign fleet` on the built-in engine, by way of its command for the Automation API: through faults, a kill and `--resume`. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Emulator, start } from "../../emulator";
import { bareEnv, esignProcess, linkPackages, main, temporaryFolder } from "./esign";

const folder = temporaryFolder();
const home = folder.path;
let ids: string[];
let service: Emulator;
const env = () => ({
  ESIGN_BASE_URL: service.url,
  ESIGN_API_KEY: service.keys.partner,
  PULUMI_CONFIG_PASSPHRASE: "correct-horse",
});

function writeCustomers(wanted: readonly string[]): void {
  const rows = wanted.map((id) => `${id},Company ${id},${id}@example.com,hush-hush-${id}`);
  writeFileSync(join(home, "customers.csv"), ["id,name,email,token", ...rows].join("\n"));
}

const fleet = (...args: string[]) =>
  esignProcess(["fleet", ...args, "--engine", "embedded", "--parallel", "2"], { home, env: env() });

async function prepare(): Promise<void> {
  service = await start({ faults: [{ kind: "status", status: 503, nth: [2, 5, 9, 14] }] });
  linkPackages(home);
  writeFileSync(join(home, "package.json"), '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*" } }');
  writeFileSync(join(home, "Pulumi.yaml"), "name: shop\nruntime: nodejs\nstackConfigDir: stacks\n");
  writeFileSync(
    join(home, "index.js"),
    `const pulumi = require("@pulumi/pulumi");
     const esign = require("pulumi-esign");
     const config = new pulumi.Config();
     const company = new esign.Company("c", { name: config.require("name"), userName: "Ann", userEmail: config.require("email"), deletionProtection: false });
     new esign.Webhook("w", { account: company, type: "all", url: pulumi.interpolate\`https://h.example.com/\${config.requireSecret("token")}\` });`,
  );
  writeCustomers(ids);
}

/** Starts `fleet up` and kills it when its journal says that a stack is finished. */
async function killAfterTheFirst(): Promise<void> {
  const args = [main, "fleet", "up", "customers.csv", "--yes", "--engine", "embedded", "--parallel", "2"];
  const child = spawn(process.execPath, [...args, "--secret-columns", "token"], {
    cwd: home,
    env: { ...bareEnv(home), ...env() },
    stdio: "ignore",
  });
  const ended = new Promise((done) => child.once("exit", done));
  const journal = () => {
    const path = join(home, ".esign/fleet");
    return readdirSync(path)
      .map((name) => readFileSync(join(path, name), "utf8"))
      .join("");
  };
  await vi.waitFor(() => expect(journal()).toContain('"ok":true'), { timeout: 120_000, interval: 100 });
  child.kill("SIGKILL");
  await ended;
}

/** @param count of customers, from 2 on */
export function testFleet(count: number): void {
  vi.setConfig({ testTimeout: 60_000 * count });
  ids = Array.from({ length: count }, (_, i) => String.fromCharCode(97 + i));
  beforeAll(prepare);
  afterAll(async () => {
    await service.close();
    folder.remove();
  });
  it("deploys all customers once, through faults and a kill, and says who is gone", async () => {
    await killAfterTheFirst();
    const resumed = await fleet("up", "customers.csv", "--yes", "--resume", "--json", "--secret-columns", "token");
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("finished before")]);
    const { outcomes, left } = JSON.parse(resumed.stdout);
    expect([left, outcomes.flatMap((outcome: { ids: string[] }) => outcome.ids).sort()]).toEqual([[], ids]);
    expect(service.requests().map(({ status }) => status)).toContain(503);
    const { accounts } = service.data();
    // What the user has selected is as before.
    const { stdout } = await esignProcess(["stack", "ls", "--json", "--engine", "embedded"], { home, env: env() });
    expect(JSON.parse(stdout).map(({ current }: { current: boolean }) => current)).not.toContain(true);
    const companies = accounts.flatMap(({ name }) => (name.startsWith("Company ") ? [name] : []));
    expect(companies.sort()).toEqual(ids.map((id) => `Company ${id}`));
    expect(accounts.flatMap(({ webhooks }) => webhooks)).toHaveLength(ids.length);
    expect(readFileSync(join(home, "stacks/Pulumi.customer-a.yaml"), "utf8")).not.toContain("hush-hush");
    expect(resumed.stdout + resumed.stderr).not.toContain("hush-hush");
    writeCustomers(ids.slice(1));
    const removed = await fleet("destroy", "customers.csv", "--removed", "--yes");
    expect([removed.code, removed.stdout]).toEqual([
      0,
      "Fleet destroy: 1 stack done, 1 with changes, 0 failed, 0 skipped\n",
    ]);
    expect(service.data().accounts.filter(({ name }) => name === "Company a")).toEqual([]);
    expect(readdirSync(join(home, "stacks"))).not.toContain("Pulumi.customer-a.yaml");
  });
}
