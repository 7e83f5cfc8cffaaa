/**
 * The workflow of docs/how-to/roll-out-to-many.md: its command, on two machines at once, with the Pulumi CLI and a bucket that they
 * share. The server of the bucket is moto, which is installed from where `pip` installs.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from "vitest";
import { parse } from "yaml";
import { findPulumi } from "../../cli/engine/find-pulumi";
import { type Emulator, start } from "../../emulator";
import { temporaryFolder } from "../files";
import { freePort, linkPackages, main, type Outcome, root, run } from "./esign";

const guide = readFileSync(join(root, "docs/how-to/roll-out-to-many.md"), "utf8");
const { jobs } = parse(/^```yaml\n(name: fleet\n.*?)^```/ms.exec(guide)![1]!);
const deploy: string = jobs.up.steps.find(({ name }: { name?: string }) => name === "Deploy").run;

const program = `
const pulumi = require("@pulumi/pulumi");
const esign = require("pulumi-esign");
const config = new pulumi.Config();
const id = config.require("id");
if (process.env.WITHOUT_CONTRACT === id) throw new Error("there is no contract of " + id);
const account = new esign.Company(id, { name: config.require("name"), userName: "Ann", userEmail: id + "@example.com" });
new esign.Webhook(id, { account, type: "all", url: pulumi.interpolate\`https://h.example.com/\${config.requireSecret("crmToken")}\` });
`;
const ids = ["acme", "bond", "cole", "dune", "eden", "fern"];

/** An S3-compatible server with the bucket `states`. */
class Bucket {
  readonly #server: ChildProcess;

  private constructor(
    server: ChildProcess,
    readonly url: string,
  ) {
    this.#server = server;
  }

  static async start(folder: string): Promise<Bucket> {
    const [venv, bin] = [join(folder, "moto"), join(folder, "moto/bin")];
    const command = promisify(execFile);
    await command("python3", ["-m", "venv", venv]);
    await command(join(bin, "pip"), ["install", "--quiet", "moto[s3]>=5,<6", "flask", "flask-cors"]);
    const port = await freePort();
    const server = spawn(join(bin, "moto_server"), ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
    const bucket = new Bucket(server, `http://127.0.0.1:${port}/states`);
    await vi.waitFor(() => fetch(bucket.url, { method: "PUT" }), { timeout: 60_000, interval: 200 });
    return bucket;
  }

  /** As PULUMI_BACKEND_URL. */
  get backend(): string {
    return `s3://states?endpoint=${new URL(this.url).origin}&s3ForcePathStyle=true&region=us-east-1`;
  }

  /** The objects by their keys. */
  async objects(): Promise<Map<string, string>> {
    const listing = await (await fetch(`${this.url}?list-type=2&max-keys=1000`)).text();
    const keys = [...listing.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!);
    const texts = keys.map(async (key) => [key, await (await fetch(`${this.url}/${key}`)).text()] as const);
    return new Map(await Promise.all(texts));
  }

  close(): void {
    this.#server.kill();
  }
}

describe.skipIf(findPulumi() === undefined)("the workflow of a fleet, on the Pulumi CLI and a bucket of S3", () => {
  vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });
  const folder = temporaryFolder();
  let service: Emulator;
  let bucket: Bucket | undefined;
  let reason = "";

  beforeAll(async () => {
    service = await start();
    bucket = await Bucket.start(folder).catch((error: Error) => {
      reason = `no S3-compatible server: python3 -m venv and pip install moto are needed (${error.message})`;
      return undefined;
    });
  });
  afterAll(async () => {
    bucket?.close();
    await service.close();
  });

  /** The repository as a job checks it out, with what the cache has kept of an earlier attempt. */
  function checkOut(name: string, kept?: string): string {
    const home = join(folder, name);
    linkPackages(home);
    mkdirSync(join(home, "node_modules/.bin"));
    const command = `#!/usr/bin/env node\nrequire(${JSON.stringify(main)});\n`;
    writeFileSync(join(home, "node_modules/.bin/esign"), command, { mode: 0o755 });
    writeFileSync(join(home, "package.json"), '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*" } }');
    writeFileSync(join(home, "Pulumi.yaml"), "name: shop\nruntime: nodejs\nstackConfigDir: stacks\n");
    writeFileSync(join(home, "index.js"), program);
    const rows = ids.map((id) => `${id},Company ${id},hush-hush-${id}`);
    writeFileSync(join(home, "customers.csv"), ["id,name,crmToken", ...rows].join("\n"));
    if (kept !== undefined) cpSync(join(folder, kept, ".esign"), join(home, ".esign"), { recursive: true });
    return home;
  }

  /** The step of a job. */
  const job = (home: string, shard: string, more: Record<string, string> = {}): Promise<Outcome> =>
    run("sh", ["-c", deploy], {
      home,
      env: {
        PATH: process.env.PATH!,
        SHARD: shard,
        ESIGN_BASE_URL: service.url,
        ESIGN_API_KEY: service.keys.partner,
        PULUMI_CONFIG_PASSPHRASE: "correct-horse",
        PULUMI_BACKEND_URL: bucket!.backend,
        AWS_ACCESS_KEY_ID: "any",
        AWS_SECRET_ACCESS_KEY: "any",
        npm_config_update_notifier: "false",
        ...more,
      },
    });

  /** The customers whose line begins with this sign. */
  const named = ({ stderr }: Outcome, sign: string): string[] =>
    [...stderr.matchAll(new RegExp(`^ ${sign} (\\w+)`, "gm"))].map(([, id]) => id!);

  function skipWithoutBucket({ skip }: TestContext): void {
    if (bucket === undefined) skip(reason);
  }

  it("deploys each customer once; a job that failed continues where it ended", async (test) => {
    skipWithoutBucket(test);
    const [first, failed] = await Promise.all([
      job(checkOut("first"), "1/2"),
      job(checkOut("second"), "2/2", { WITHOUT_CONTRACT: "eden" }),
    ]);
    expect([first.code, failed.code, named(failed, "✗")], first.stderr + failed.stderr).toEqual([0, 1, ["eden"]]);
    expect(failed.stderr).toContain("there is no contract of eden");

    const again = await job(checkOut("again", "second"), "2/2");
    expect([again.code, named(again, "-")], again.stderr).toEqual([0, named(failed, "✓")]);
    const done = [first, failed, again].flatMap((outcome) => named(outcome, "✓"));
    expect(done.sort()).toEqual(ids);

    const companies = service.data().accounts.filter(({ name }) => name.startsWith("Company "));
    expect(companies.map(({ name, webhooks }) => [name, webhooks.length]).sort()).toEqual(
      ids.map((id) => [`Company ${id}`, 1]),
    );
    const objects = await bucket!.objects();
    const states = ids.map((id) => `.pulumi/stacks/shop/customer-${id}.json`);
    expect([...objects.keys()].filter((key) => /^\.pulumi\/(stacks\/.*\.json|locks\/.*)$/.test(key)).sort()).toEqual(
      states,
    );
    expect([...objects.values()].join() + first.stdout + first.stderr + failed.stderr).not.toContain("hush-hush");
  });

  it("changes nothing in a second run, on machines that have nothing of the first", async (test) => {
    skipWithoutBucket(test);
    service.clearLog();
    const outcomes = await Promise.all([job(checkOut("third"), "1/2"), job(checkOut("fourth"), "2/2")]);
    expect(
      outcomes.map(({ code }) => code),
      outcomes.map(({ stderr }) => stderr).join("\n"),
    ).toEqual([0, 0]);
    const all = outcomes.flatMap(({ stderr }) => stderr.match(/^ ✓ .*$/gm) ?? []);
    expect(all).toHaveLength(ids.length);
    for (const line of all) expect(line).toContain("no changes");
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
