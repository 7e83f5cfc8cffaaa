/**
 * `esign fleet` on the built-in engine: CPU for each customer, of the first `up` and of one without changes, for few and for more
 * customers. `FLEET=10,100,1000 npm run bench fleet` takes other numbers.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Emulator, start } from "../emulator";
import { secondsOfChildren } from "./_cpu";

const root = path.join(__dirname, "..");
const sizes = (process.env.FLEET ?? "3,12").split(",").map(Number);

function prepare(dir: string, size: number): void {
  mkdirSync(path.join(dir, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, path.join(dir, "node_modules/pulumi-esign"));
  symlinkSync(path.join(root, "node_modules/@pulumi/pulumi"), path.join(dir, "node_modules/@pulumi/pulumi"));
  writeFileSync(path.join(dir, "package.json"), '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*" } }');
  writeFileSync(path.join(dir, "Pulumi.yaml"), "name: bench\nruntime: nodejs\nstackConfigDir: stacks\n");
  writeFileSync(
    path.join(dir, "index.js"),
    `const pulumi = require("@pulumi/pulumi");
     const esign = require("pulumi-esign");
     const config = new pulumi.Config();
     const company = new esign.Company("c", { name: config.require("name"), userName: "Ann", userEmail: config.require("email") });
     new esign.Webhook("w", { account: company, type: "all", url: "https://h.example.com" });`,
  );
  const rows = Array.from({ length: size }, (_, i) => `c${i},Company ${size}-${i},c${size}-${i}@example.com`);
  writeFileSync(path.join(dir, "customers.csv"), ["id,name,email", ...rows].join("\n"));
}

/** Seconds of CPU for each customer. */
async function up(dir: string, size: number, service: Emulator): Promise<number> {
  const command = `'${process.execPath}' '${path.join(root, "dist/cli/main.js")}' fleet up customers.csv --yes --engine embedded --parallel 2; times`;
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", command], {
    cwd: dir,
    maxBuffer: 1 << 26,
    env: {
      ...process.env,
      ESIGN_BASE_URL: service.url,
      ESIGN_API_KEY: service.keys.partner ?? "",
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_HOME: path.join(dir, "home"),
    },
  });
  if (!stdout.includes(`Fleet up: ${size} stack`)) throw new Error(stdout);
  return secondsOfChildren(stdout.trim().split("\n").at(-1) ?? "") / size;
}

async function main(): Promise<void> {
  const costs: number[] = [];
  for (const size of sizes) {
    const dir = mkdtempSync(path.join(tmpdir(), "bench-fleet-"));
    // In this process, whose time does not count.
    const service = await start();
    try {
      prepare(dir, size);
      const first = await up(dir, size, service);
      const again = await up(dir, size, service);
      costs.push(first);
      console.log(
        `  ${String(size).padStart(5)} customers   ${first.toFixed(1)} s CPU each   ${again.toFixed(1)} s without changes`,
      );
    } finally {
      await service.close();
      rmSync(dir, { recursive: true, force: true });
    }
  }
  const [least, most] = [sizes[0]!, sizes.at(-1)!];
  const exponent = 1 + Math.log(costs.at(-1)! / costs[0]!) / Math.log(most / least);
  const isOk = !(exponent > 1.05);
  console.log(
    `${isOk ? "  " : "✗ "}exponent of the cost from ${least} to ${most} customers   ${exponent.toFixed(2)} (limit 1.05)`,
  );
  process.exitCode = isOk ? 0 : 1;
}

void main();
