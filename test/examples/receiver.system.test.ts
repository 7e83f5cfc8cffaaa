/** examples/receiver from the deployment to the event: real processes, real notifications. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type Emulator, type SettingsInput, start } from "../../emulator";
import { esignProcess, freePort, linkPackages, root } from "../cli/esign";
import { esign } from "../cli/in-process";
import { ask } from "../emulator/ask";
import { temporaryFolder } from "../files";
import { hasPulumi } from "../provider/programs";

const home = temporaryFolder();
const cwd = join(home, "receiver");
let service: Emulator | undefined;
let receiver: ChildProcess | undefined;
let printed = "";

beforeAll(() => {
  cpSync(join(root, "examples/receiver"), cwd, { recursive: true });
  linkPackages(cwd, "@types", "ts-node", "typescript");
});
afterEach(async () => {
  receiver?.kill();
  await service?.close();
});

/** Runs the receiver; resolves to the URL that it prints, or to its exit code. `input`: its standard input. */
async function run(port: number, input: string, ...options: string[]): Promise<string | number> {
  printed = "";
  const args = ["-r", "ts-node/register/transpile-only", "receiver.ts", ...options];
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, PORT: String(port) } });
  receiver = child;
  child.stdin.end(input);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
  return new Promise((resolve) => {
    child.on("exit", (code) => resolve(code ?? -1));
    child.stdout.on("data", () => {
      const [url] = /http:\S+/.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Starts a service and deploys to it. Returns the stack's output `secrets` as the command prints it. */
async function deploy(port: number, stack: string, settings: SettingsInput, engine = "embedded"): Promise<string> {
  service = await start({ processingTime: 0, ...settings });
  const { PATH = "" } = process.env;
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: "x", PATH };
  const command = async (...args: string[]) => {
    const run = engine === "pulumi" ? esignProcess : esign;
    const { code, stdout, stderr } = await run([...args, "--engine", engine], { home, cwd, env });
    expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
    return stdout;
  };
  await command("stack", "init", stack);
  await command("config", "set", "receiver:url", `http://127.0.0.1:${port}/esign`);
  const shown = await command("up", "--yes", "--skip-preview");
  for (const secret of secretsOf(service)) expect(shown).not.toContain(secret);
  return command("stack", "output", "secrets", "--show-secrets", "--json");
}

const secretsOf = (emulator: Emulator) =>
  emulator.data().accounts.flatMap(({ webhooks }) => webhooks.flatMap(({ secret }) => secret ?? []));

/** What is in the state's files. */
const stateFiles = () =>
  readdirSync(join(cwd, ".pulumi"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|bak)$/.test(name))
    .map((name) => readFileSync(join(cwd, ".pulumi", name), "utf8"));

async function envelope(emulator: Emulator): Promise<string> {
  const { body } = await ask(emulator)("POST", "/v1/envelopes", {
    envelope_title: "NDA",
    envelope_documents: JSON.stringify([{ document_title: "NDA", document_url: "https://files.example/nda.pdf" }]),
    envelope_parties: JSON.stringify([{ party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" }]),
  });
  return body.envelope_fingerprint as string;
}

test("events of the deployed webhooks arrive, each once", async () => {
  const port = await freePort();
  const secrets = await deploy(port, "unsigned", {});
  const emulator = service!;
  expect(await run(port, secrets)).toBe(1);
  expect(printed).toMatch(/secrets needs the secret of the webhook/);
  expect(await run(port, secrets, "--unsignd")).toBe(1);
  expect(printed).toMatch(/unknown option --unsignd; there is only --unsigned/);
  await run(port, "", "--unsigned");
  const [signed, rejected] = [await envelope(emulator), await envelope(emulator)];
  await emulator.performAction(signed, "sign");
  await emulator.performAction(rejected, "reject");
  await emulator.waitForDeliveries();
  emulator.redeliver(emulator.deliveries()[0]!.id);
  await emulator.waitForDeliveries();
  expect(emulator.deliveries().map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
  await expect.poll(() => printed).toContain(`Ann rejected ${rejected}`);
  expect(printed.match(new RegExp(`${signed} is signed: ${emulator.url}/`, "g"))).toHaveLength(1);
});

test.each(hasPulumi ? ["embedded", "pulumi"] : ["embedded"])(
  "signed notifications are verified with the secrets that the deployment outputs, by the %s engine",
  async (engine) => {
    const port = await freePort();
    const settings = { edition: "current", notifications: { signed: true, retries: 0 } } as const;
    const secrets = await deploy(port, `signed-${engine}`, settings, engine);
    const emulator = service!;
    expect(JSON.parse(secrets).sort()).toEqual(secretsOf(emulator).sort());
    for (const text of stateFiles()) for (const secret of secretsOf(emulator)) expect(text).not.toContain(secret);
    await run(port, JSON.stringify(["wrong"]));
    await emulator.performAction(await envelope(emulator), "sign");
    await emulator.waitForDeliveries();
    expect(emulator.deliveries()).toMatchObject([{ state: "failed", attempts: [401], signed: true }]);
    receiver?.kill();
    await once(receiver!, "exit");
    await run(port, secrets);
    emulator.redeliver(emulator.deliveries()[0]!.id);
    await emulator.waitForDeliveries();
    expect(emulator.deliveries().at(-1)).toMatchObject({ state: "delivered" });
    await expect.poll(() => printed).toMatch(/is signed/);
  },
);
