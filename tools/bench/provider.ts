/**
 * What the provider costs: bytes in the state, requests of a refresh, requests in flight, creations among many objects, and the
 * CPU of an `up` of 100 webhooks at 20 ms latency against the same program with hooks that make no request. Real programs on the embedded
 * engine; the service runs in a process of its own, so that its CPU does not count.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { providerText } from "../../provider/core/provider-text";
import { secondsOfChildren, undisturbed } from "./_cpu";

const root = resolve(__dirname, "../..");
const rounds = 9;
const many = 1000;
/** That of the CPU was 1.15 when the start, which is most of what it is compared with, took a second more than now. */
const limits = { providerBytes: 80, stateBytes: 2000, refresh: 1 + many / 50, inFlight: 8, cpu: 1.25, growth: 1.5 };

const service = `
const { start } = require(${JSON.stringify(join(root, "dist/emulator"))});
start({ latency: Number(process.env.LATENCY) }).then((service) => {
  const answer = () => process.send({ url: service.url, key: service.keys.partner, counts: service.counts() });
  process.on("message", async (order) => {
    if (order === "reset") await service.reset();
    if (order === "clear") service.clearLog();
    answer();
  });
  answer();
});
process.on("disconnect", () => process.exit());
`;

/** Creates webhooks, eight at a time, and prints the CPU time of each five hundred. */
const creations = `
const { webhook } = require(${JSON.stringify(join(root, "dist/provider/hooks.js"))});
let made = 0;
let before = process.cpuUsage();
async function create() {
  while (made < ${2 * many}) {
    const number = ++made;
    const { inputs } = await webhook.check({}, { type: "all", url: "https://receiver.example/hooks/" + number });
    await webhook.create(inputs);
    if (number % 500 !== 0) continue;
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    console.log((user + system) / 1000);
  }
}
for (let i = 0; i < 8; i++) create();
`;

interface Report {
  url: string;
  key: string;
  counts: { total: number; maxInFlight: number; byMethod: Record<string, number> };
}

class Service {
  report!: Report;
  readonly #child: ChildProcess;

  constructor(latency: number) {
    this.#child = spawn(process.execPath, ["-e", service], {
      env: { ...process.env, LATENCY: String(latency) },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  }

  async ready(): Promise<this> {
    [this.report] = (await once(this.#child, "message")) as [Report];
    return this;
  }

  async ask(order: "reset" | "clear" | "counts"): Promise<Report> {
    this.#child.send(order);
    [this.report] = (await once(this.#child, "message")) as [Report];
    return this.report;
  }

  end(): void {
    this.#child.disconnect();
  }
}

/** A program of so many webhooks, with the real hooks or with hooks that make no request. */
class Program {
  readonly home = mkdtempSync(join(tmpdir(), "esign-bench-"));

  constructor(
    readonly count: number,
    hooks: "real" | "idle",
  ) {
    const modules = join(this.home, "node_modules");
    mkdirSync(join(modules, "@pulumi"), { recursive: true });
    mkdirSync(join(this.home, "state"));
    symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
    const ours = join(modules, "pulumi-esign");
    if (hooks === "real") symlinkSync(root, ours);
    else {
      mkdirSync(ours);
      const provider = join(root, "dist/provider");
      const idle = `
        // Loads what the real hooks load, and answers what they would.
        require(${JSON.stringify(join(provider, "hooks.js"))});
        let last = 0;
        exports.webhook = {
          async configure() {},
          async check(olds, news) { return { inputs: news, failures: [] }; },
          async diff() { return { changes: false }; },
          async create(inputs) {
            const id = String(++last);
            return { id, outs: { ...inputs, webhookId: id, createdAt: "2024-01-01T00:00:00+0000", __esign: { v: 1, born: "12345678", key: "0123456789abcdef" } } };
          },
          async read(id, props) { return { id, props }; },
          async update(id, olds, news) { return { outs: news }; },
          async delete() {},
        };`;
      writeFileSync(
        join(ours, "package.json"),
        JSON.stringify({ name: "pulumi-esign", exports: { ".": "./index.js", "./hooks": "./hooks.js" } }),
      );
      writeFileSync(join(ours, "index.js"), `module.exports = require(${JSON.stringify(provider)});`);
      writeFileSync(join(ours, "hooks.js"), idle);
    }
    writeFileSync(
      join(this.home, "Pulumi.yaml"),
      "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
    );
    writeFileSync(join(this.home, "package.json"), '{ "name": "bench", "main": "index.js" }');
    writeFileSync(
      join(this.home, "index.js"),
      `const { Webhook } = require("pulumi-esign");
       for (let i = 0; i < ${count}; i++) new Webhook("hook-" + i, { type: "signed-envelope", url: "https://receiver.example/hooks/" + i });`,
    );
  }

  /** Runs `esign`; the CPU seconds of it and of all processes that it started. */
  async run({ url, key }: Report, ...args: string[]): Promise<number> {
    const command = [process.execPath, join(root, "dist/cli/main.js"), ...args, "--engine", "embedded"];
    const child = spawn("bash", ["-c", '"$@" >"$LOG" 2>&1; code=$?; times; exit $code', "bash", ...command], {
      cwd: this.home,
      env: {
        PATH: process.env.PATH,
        HOME: this.home,
        PULUMI_HOME: join(this.home, ".pulumi"),
        LOG: join(this.home, "log"),
        PULUMI_BACKEND_URL: `file://${join(this.home, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "bench",
        ESIGN_API_KEY: key,
        ESIGN_BASE_URL: url,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${args.join(" ")}:\n${readFileSync(join(this.home, "log"), "utf8")}`);
    return secondsOfChildren(text.split("\n")[1]!);
  }

  get stateBytes(): number {
    return statSync(join(this.home, "state/.pulumi/stacks/bench/dev.json")).size;
  }

  end(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}

const broken: string[] = [];
function report(what: string, value: number, limit: number, unit = ""): void {
  const isOver = value > limit;
  if (isOver) broken.push(what);
  const shown = Number.isInteger(value) ? value : value.toFixed(3);
  console.log(`${isOver ? "✗" : "✓"} ${what}: ${shown}${unit} (at most ${limit}${unit})`);
}

async function bytesAndRequests(): Promise<void> {
  const names = ["branding", "brandingEmail", "webhook", "company"];
  report(
    "provider text",
    Math.max(...names.map((name) => Buffer.byteLength(providerText(name)))),
    limits.providerBytes,
    " bytes",
  );
  const target = await new Service(20).ready();
  const program = new Program(many, "real");
  const small = new Program(0, "real");
  try {
    for (const each of [program, small]) {
      await each.run(target.report, "stack", "init", "dev");
      await each.run(target.report, "up", "--yes", "--skip-preview", "--stack", "dev", "--parallel", "64");
    }
    const { counts } = await target.ask("counts");
    report(`requests in flight, ${many} creations, 64 at a time`, counts.maxInFlight, limits.inFlight);
    report(
      "state of a webhook",
      Math.ceil((program.stateBytes - small.stateBytes) / many),
      limits.stateBytes,
      " bytes",
    );
    await target.ask("clear");
    await program.run(target.report, "refresh", "--yes", "--skip-preview", "--stack", "dev");
    report(`requests of a refresh of ${many} webhooks`, (await target.ask("counts")).counts.total, limits.refresh);
  } finally {
    for (const each of [program, small]) each.end();
    target.end();
  }
}

async function cpu(): Promise<void> {
  const target = await new Service(20).ready();
  const costs: Record<"real" | "idle", number[]> = { real: [], idle: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      for (const hooks of round % 2 === 0 ? (["real", "idle"] as const) : (["idle", "real"] as const)) {
        await target.ask("reset");
        const program = new Program(100, hooks);
        await program.run(target.report, "stack", "init", "dev");
        costs[hooks].push(await program.run(target.report, "up", "--yes", "--skip-preview", "--stack", "dev"));
        program.end();
      }
      console.log(
        `  round ${round + 1}: ${costs.real[round]!.toFixed(2)} s with requests, ${costs.idle[round]!.toFixed(2)} s without`,
      );
    }
  } finally {
    target.end();
  }
  const ratio = undisturbed(costs.real) / undisturbed(costs.idle);
  report("CPU of `up` of 100 webhooks at 20 ms, against hooks without requests", ratio, limits.cpu, " times");
}

/** Each creation looks for equal objects among those that are there: that there are many must not make it slow. */
async function growth(): Promise<void> {
  const target = await new Service(0).ready();
  const environment = { ...process.env, ESIGN_API_KEY: target.report.key, ESIGN_BASE_URL: target.report.url };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", creations], { env: environment });
  target.end();
  const costs = stdout.trim().split("\n").map(Number);
  // While the first are made, code is still compiled.
  const ratio = costs.at(-1)! / costs[1]!;
  report(`CPU of a creation among ${2 * many} webhooks, against one among ${many}`, ratio, limits.growth, " times");
}

async function main(): Promise<void> {
  await bytesAndRequests();
  await growth();
  await cpu();
  process.exitCode = broken.length > 0 ? 1 : 0;
}

void main();
