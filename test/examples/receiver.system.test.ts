/** examples/receiver from the deployment to the event: real processes, real notifications. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type Emulator, type SettingsInput, start } from "../../emulator";
import { root, temporaryFolder } from "../cli/esign";
import { esign } from "../cli/in-process";
import { ask } from "../emulator/ask";

const { path: home, remove } = temporaryFolder();
const cwd = join(home, "receiver");
let service: Emulator | undefined;
let receiver: ChildProcess | undefined;
let printed = "";

beforeAll(() => {
  cpSync(join(root, "examples/receiver"), cwd, { recursive: true });
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(root, join(cwd, "node_modules/pulumi-esign"));
  for (const name of ["@pulumi", "@types", "ts-node", "typescript"]) {
    symlinkSync(join(root, "node_modules", name), join(cwd, "node_modules", name));
  }
  return remove;
});
afterEach(async () => {
  receiver?.kill();
  await service?.close();
});

/** Runs the receiver; resolves to the URL that it prints, or to its exit code. */
async function run(secrets: string, port = "0"): Promise<string | number> {
  printed = "";
  const args = ["-r", "ts-node/register/transpile-only", "receiver.ts"];
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, PORT: port, WEBHOOK_SECRETS: secrets } });
  receiver = child;
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
  return new Promise((resolve) => {
    child.on("exit", (code) => resolve(code ?? -1));
    child.stdout.on("data", () => {
      const [url] = /http:\S+/.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

async function deploy(url: string, stack: string, settings: SettingsInput): Promise<Emulator> {
  service = await start({ processingTime: 0, ...settings });
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: "x" };
  for (const args of [
    ["stack", "init", stack],
    ["config", "set", "receiver:url", url],
    ["up", "--yes", "--skip-preview"],
  ]) {
    const { code, stdout, stderr } = await esign([...args, "--engine", "embedded"], { home, cwd, env });
    expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  }
  return service;
}

async function envelope(emulator: Emulator): Promise<string> {
  const { body } = await ask(emulator)("POST", "/v1/envelopes", {
    envelope_title: "NDA",
    envelope_documents: JSON.stringify([{ document_title: "NDA", document_url: "https://files.example/nda.pdf" }]),
    envelope_parties: JSON.stringify([{ party_name: "Ann", party_email: "ann@b.example", party_role: "signer1" }]),
  });
  return body.envelope_fingerprint as string;
}

test("events of the deployed webhooks arrive, each once", { timeout: 120_000 }, async () => {
  const url = await run("unsigned");
  const emulator = await deploy(String(url), "unsigned", {});
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

test("signed notifications are verified, and a receiver without a secret does not start", {
  timeout: 120_000,
}, async () => {
  expect(await run("")).toBe(1);
  expect(printed).toMatch(/secrets needs the secret of the webhook/);
  const url = String(await run("wrong"));
  const emulator = await deploy(url, "signed", {
    edition: "current",
    notifications: { signed: true, retries: 0 },
  });
  await emulator.performAction(await envelope(emulator), "sign");
  await emulator.waitForDeliveries();
  expect(emulator.deliveries()).toMatchObject([{ state: "failed", attempts: [401], signed: true }]);
  receiver?.kill();
  const secrets = emulator.data().accounts[0]!.webhooks.map(({ secret }) => secret);
  for (const name of readdirSync(join(cwd, ".pulumi"), { recursive: true, encoding: "utf8" })) {
    if (/\.(json|bak)$/.test(name))
      for (const secret of secrets) expect(readFileSync(join(cwd, ".pulumi", name), "utf8")).not.toContain(secret);
  }
  await run(secrets.join(","), new URL(url).port);
  emulator.redeliver(emulator.deliveries()[0]!.id);
  await emulator.waitForDeliveries();
  expect(emulator.deliveries().at(-1)).toMatchObject({ state: "delivered" });
  await expect.poll(() => printed).toMatch(/is signed/);
});
