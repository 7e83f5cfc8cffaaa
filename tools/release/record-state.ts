/**
 * Keeps what this version leaves of two stacks, as test/fixtures/state-<version>: every later version must continue it.
 *
 *   node --import tsx tools/release/record-state.ts
 *
 * The programs, the configuration and what the service has before are those that the fixture has already, or else the latest one. What is
 * recorded is in the README beside them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { version } from "../../package.json";
import { bareEnv, esignProcess, main, root } from "../../test/cli/esign";
import { fixtures, readJson, Scene, stackOptions } from "../../test/provider/released-state";
import { family, send, survivors } from "../../test/reliability/processes";

/** What the first run has in place of a text of the program. */
type FirstEdition = readonly [text: string | RegExp, first: string][];

const deployed: FirstEdition = [
  ["#0b7285", "#1098ad"],
  ["#5c940d", "#74b816"],
  ["#c2255c", "#d6336c"],
  ["Please sign {contract title}", "Sign {contract title}"],
  ["Good morning! Please sign here:", "Please sign here:"],
  ["orchard.example.com/logo.png", "orchard.example.com/first.png"],
  [/^\/\/ New in the last deployment: .*\n.*"late".*\n/m, ""],
  [/^\/\/ New in the last deployment, too\.\n.*Webhook\([^;]*;\n/m, ""],
];

const interrupted: FirstEdition = [
  ["Please sign {contract title}", "Sign {contract title}"],
  ["hooks.example.com/complete", "hooks.example.com/first"],
  [/^\/\/ Written for the first time .*/ms, ""],
];

/** A project whose first edition is deployed. */
async function deployFirst(name: string, edition: FirstEdition) {
  const scene = await Scene.open(name, "before.json");
  const project = scene.copyProject({ isNew: true });
  const program = join(project, "index.js");
  const last = readFileSync(program, "utf8");
  let first = last;
  for (const [text, replacement] of edition) {
    if (first.search(text) < 0) throw new Error(`${program} has no ${text}`);
    first = first.replaceAll(text instanceof RegExp ? new RegExp(text, `${text.flags}g`) : text, replacement);
  }
  const run = async (args: string[], environment = {}) => {
    const options = { home: scene.folder, cwd: project, env: { ...scene.environment, ...environment } };
    const { code, stdout, stderr } = await esignProcess(args, options);
    if (code !== 0) throw new Error(stdout + stderr);
  };
  writeFileSync(program, first);
  await run(["stack", "init", "dev", "--engine", "embedded"]);
  await run(["up", ...stackOptions]);
  writeFileSync(program, last);
  return { scene, project, run };
}

async function recordDeployed(name: string): Promise<void> {
  const { scene, project, run } = await deployFirst(name, deployed);
  const { key } = scene.service.data().accounts.find((account) => account.name === "Shop")!;
  await run(["branding", "update", "--colour", "#e8590c"], {
    ESIGN_API_KEY: key,
    ESIGN_BASE_URL: "https://sign.invalid",
  });
  await run(["refresh", ...stackOptions]);
  await run(["up", ...stackOptions]);
  await scene.close();
  keep(scene, project);
}

/** The service does what an update asks for and never answers a write; then all processes of the update are killed. */
async function recordInterrupted(name: string): Promise<void> {
  const { scene, project } = await deployFirst(name, interrupted);
  const writes = 6;
  scene.service.configure({ faults: (["POST", "PUT"] as const).map((method) => ({ kind: "hang", method })) });
  scene.service.clearLog();
  const run = spawn(process.execPath, [main, "up", ...stackOptions], {
    cwd: project,
    env: { ...bareEnv(scene.folder), ...scene.environment },
    stdio: "ignore",
    detached: true,
  });
  const ended = once(run, "exit");
  while ((scene.service.counts().byFault.hang ?? 0) < writes) await sleep(50);
  // The engine writes what is pending a moment after it has asked for it.
  await sleep(3000);
  const processes = await family(run.pid!);
  for (const { pid } of processes) send(pid, "SIGKILL");
  await ended;
  for (const { pid } of await survivors(processes, () => true)) send(pid, "SIGKILL");
  await scene.close();
  keep(scene, project);
}

/** Replaces what the fixture has. Histories, backups and locks are left out; no later run needs them. */
function keep({ fixture, folder }: Scene, project: string): void {
  cpSync(join(folder, "service.json"), join(fixture, "service.json"));
  const shop = join(fixture, "shop");
  for (const part of [
    ".pulumi/meta.yaml",
    ".pulumi/stacks/shop/dev.json",
    ".esign/journal",
    ".esign/pending-creates",
  ]) {
    rmSync(join(shop, part), { recursive: true, force: true });
    if (existsSync(join(project, part))) cpSync(join(project, part), join(shop, part), { recursive: true });
  }
  const state = join(shop, ".pulumi/stacks/shop/dev.json");
  // Where this folder is on this machine, in the stack traces of resources.
  writeFileSync(state, readFileSync(state, "utf8").replaceAll(root, ""));
  for (const name of readdirSync(join(shop, ".esign/pending-creates")))
    withoutProcess(join(shop, ".esign/pending-creates", name));
}

/** A process that no machine can have, and no trace of this one. */
function withoutProcess(file: string): void {
  const [first, ...more] = readFileSync(file, "utf8").split("\n");
  const life = { boot: "00000000-0000-4000-8000-000000000000", namespace: "pid:[1]", started: "1" };
  const record = JSON.stringify({ ...JSON.parse(first!), process: { pid: 99_999_999, life } });
  writeFileSync(file, [record, ...more].join("\n"));
}

async function record(): Promise<void> {
  const name = `state-${version}`;
  if (!existsSync(join(fixtures, name))) {
    const latest = readdirSync(fixtures)
      .filter((folder) => folder.startsWith("state-"))
      .sort()
      .at(-1)!;
    mkdirSync(join(fixtures, name));
    cpSync(join(fixtures, latest), join(fixtures, name), { recursive: true });
  }
  await recordDeployed(`${name}/deployed`);
  await recordInterrupted(`${name}/interrupted`);
  const state = join(fixtures, name, "deployed/shop/.pulumi/stacks/shop/dev.json");
  process.stdout.write(`${JSON.stringify(readJson(state)).length} bytes of state\n`);
}

void record();
