/**
 * `esign fleet`: CPU, requests, time and memory for each customer, by the number of customers and by how many share a stack.
 *
 *     npm run bench fleet                                            some 75 s: ratios only
 *     FLEET=100,1000,10000 PER_STACK=50 npm run bench fleet           cost by number of customers
 *     FLEET=400 PER_STACK=1,10,50,200,400 npm run bench fleet         by customers in a stack; the last one: all in one
 *     FLEET=1000 PER_STACK=100 RATE=10 npm run bench fleet            time, against the limit of requests per second
 *     FLEET=1000 PER_STACK=1 LANGUAGE=yaml npm run bench fleet        without a process for each program
 *     ENGINE=pulumi                                                  any of them with the Pulumi CLI
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Emulator, start } from "../../emulator";
import { secondsOfChildren } from "./_cpu";

const root = path.join(__dirname, "../..");
const numbers = (text: string) => text.split(",").map(Number);
const { FLEET = "15,45", PER_STACK = "1,15", RATE, ENGINE = "embedded", PARALLEL = "2" } = process.env;
const { LANGUAGE = "javascript" } = process.env;
const [sizes, perStack] = [numbers(FLEET), numbers(PER_STACK)];

interface Run {
  /** Seconds of all processes. */
  cpu: number;
  /** Seconds from the first request to the last one. */
  span: number;
  requests: number;
  lists: number;
  /** Of the fleet's own process, in MB. */
  memory: number;
}

/** The same for one customer: a program in JavaScript needs a process, one in YAML needs none. */
const yaml = `config: { name: { type: string }, email: { type: string }, id: { type: string } }
resources:
  company: { type: "esign:Company", properties: { name: "\${name}", userName: Ann, userEmail: "\${email}" } }
  webhook:
    type: esign:Webhook
    properties: { account: "\${company.companyId}", type: all, url: "https://h.example.com/\${id}" }
`;

function prepare(dir: string, size: number, language: string): void {
  mkdirSync(path.join(dir, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, path.join(dir, "node_modules/pulumi-esign"));
  symlinkSync(path.join(root, "node_modules/@pulumi/pulumi"), path.join(dir, "node_modules/@pulumi/pulumi"));
  writeFileSync(path.join(dir, "package.json"), '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*" } }');
  const backend = `backend: { url: "file://${dir}" }`;
  const settings = `name: bench\nstackConfigDir: stacks\n${backend}\n`;
  const program = language === "yaml" ? `runtime: yaml\n${yaml}` : "runtime: nodejs\n";
  writeFileSync(path.join(dir, "Pulumi.yaml"), settings + program);
  writeFileSync(
    path.join(dir, "index.js"),
    `const pulumi = require("@pulumi/pulumi");
     const esign = require("pulumi-esign");
     const config = new pulumi.Config();
     const own = () => ({ id: config.require("id"), name: config.require("name"), email: config.require("email") });
     for (const { id, name, email } of config.getObject("customers") ?? [own()]) {
       const account = new esign.Company(id, { name, userName: "Ann", userEmail: email });
       new esign.Webhook(id, { account, type: "all", url: "https://h.example.com/" + id });
     }`,
  );
  // At its end: the peak of its memory, in KB.
  writeFileSync(
    path.join(dir, "memory.js"),
    `process.on("exit", () => require("fs").writeFileSync("${dir}/memory", String(process.resourceUsage().maxRSS)));`,
  );
  const rows = Array.from({ length: size }, (_, i) => `c${i},Company ${i},c${i}@example.com`);
  writeFileSync(path.join(dir, "customers.csv"), ["id,name,email", ...rows].join("\n"));
}

async function up(dir: string, stacks: number | undefined, service: Emulator, times: number[]): Promise<Run> {
  const flags = [`--engine ${ENGINE}`, `--parallel ${PARALLEL}`, stacks && `--stacks ${stacks}`];
  if (RATE) flags.push(`--requests-per-second ${RATE}`);
  const node = `'${process.execPath}' --require ./memory.js '${path.join(root, "dist/cli/main.js")}'`;
  const command = `${node} fleet up customers.csv --yes ${flags.filter(Boolean).join(" ")}; times`;
  const before = service.counts();
  times.length = 0;
  const { stdout, stderr } = await promisify(execFile)("/bin/sh", ["-c", command], {
    cwd: dir,
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      ESIGN_BASE_URL: service.url,
      ESIGN_API_KEY: service.keys.partner ?? "",
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_HOME: path.join(dir, "home"),
    },
  });
  if (!stdout.includes(", 0 failed, 0 skipped\n")) throw new Error(stderr + stdout);
  const after = service.counts();
  const lists = ({ byOperation }: typeof after) => byOperation["companies.list"] ?? 0;
  return {
    cpu: secondsOfChildren(stdout.trim().split("\n").at(-1) ?? ""),
    span: times.length === 0 ? 0 : (times.at(-1)! - times[0]!) / 1000,
    requests: after.total - before.total,
    lists: lists(after) - lists(before),
    memory: Number(readFileSync(path.join(dir, "memory"), "utf8")) / 1024,
  };
}

/** The first run for this many customers, and one without changes. */
async function measure(size: number, each: number, language = LANGUAGE): Promise<{ first: Run; again: Run }> {
  const dir = mkdtempSync(path.join(tmpdir(), "bench-fleet-"));
  const times: number[] = [];
  // In this process, whose time does not count.
  const service = await start({ logSize: 0, log: () => times.push(performance.now()) });
  const stacks = each === 1 ? undefined : Math.ceil(size / each);
  try {
    prepare(dir, size, language);
    const first = await up(dir, stacks, service, times);
    const again = await up(dir, stacks, service, times);
    const created = service.data().accounts.filter(({ webhooks }) => webhooks.length === 1).length;
    if (created !== size) throw new Error(`${created} of ${size} customers have their webhook`);
    print(size, each, language, first, again);
    return { first, again };
  } finally {
    await service.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function print(size: number, each: number, language: string, first: Run, again: Run): void {
  const row = [
    language.padEnd(10),
    `${size} customers`.padStart(15),
    `${each} in a stack`.padStart(15),
    `${(first.cpu / size).toFixed(3)} s CPU each, ${(again.cpu / size).toFixed(3)} without changes`,
    `requests ${(first.requests / size).toFixed(2)} each (${first.lists} lists), ${again.requests} without changes (${again.lists} lists)`,
    `${first.memory.toFixed(0)} MB`,
    ...(RATE ? [`${first.span.toFixed(0)} s of ${(first.requests / Number(RATE)).toFixed(0)} s`] : []),
  ];
  console.log(row.join("   "));
}

let isOk = true;
function limit(what: string, value: number, most: number): void {
  const holds = value <= most;
  isOk &&= holds;
  console.log(`${holds ? "  " : "✗ "}${what}   ${value.toFixed(2)} (limit ${most})`);
}

async function main(): Promise<void> {
  for (const each of perStack) {
    // A stack for each customer costs the same whatever the number: few of them show it.
    const some = each === 1 && process.env.FLEET === undefined ? [2, 6] : sizes;
    const runs: { size: number; first: Run; again: Run }[] = [];
    for (const size of some) runs.push({ size, ...(await measure(size, each)) });
    const [least, most] = [runs[0]!, runs.at(-1)!];
    for (const { size, first, again } of runs) {
      // A listing for each page of the partner's customers, itself among them, and stack.
      const pages = Math.ceil((size + 1) / 50) * Math.ceil(size / each);
      limit(`lists without changes for ${size} customers, by pages and stacks`, again.lists / pages, 1);
      if (RATE) limit("time by the limit of requests", first.span / (first.requests / Number(RATE)), 1.1);
    }
    if (least === most) continue;
    const exponent = Math.log(most.first.cpu / least.first.cpu) / Math.log(most.size / least.size);
    limit(`exponent of the cost from ${least.size} to ${most.size} customers`, exponent, 1.05);
    limit("memory of the fleet's process, by that of the fewest", most.first.memory / least.first.memory, 1.25);
  }
  if (process.env.FLEET === undefined) await compareLanguages();
  process.exitCode = isOk ? 0 : 1;
}

/** A stack for each customer, with a process for its program and without one. */
async function compareLanguages(): Promise<void> {
  const [inside, outside] = [20, 6];
  const [one, several] = [await measure(inside, 1, "yaml"), await measure(outside, 1, "javascript")];
  const ratio = (run: "first" | "again") => one[run].cpu / inside / (several[run].cpu / outside);
  limit("CPU of a customer in YAML, by that in JavaScript, first run", ratio("first"), 0.2);
  limit("CPU of a customer in YAML, by that in JavaScript, without changes", ratio("again"), 0.2);
}

void main();
