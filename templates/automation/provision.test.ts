import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type Emulator, start } from "pulumi-esign/emulator";

/** An emulator, and a folder for the states. */
let emulator: Emulator;
let states: string;
before(async () => {
  emulator = await start();
  states = mkdtempSync(join(tmpdir(), "states-"));
});
after(async () => {
  await emulator?.close();
  rmSync(states, { recursive: true });
});

async function provision(): Promise<string> {
  const env = {
    ...process.env,
    ESIGN_BASE_URL: emulator.url,
    ESIGN_API_KEY: emulator.keys.partner,
    PULUMI_BACKEND_URL: `file://${states}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "provision.ts"], { env });
  return stdout;
}

test("each customer gets a subaccount", async () => {
  assert.equal(await provision(), 'harbour: {"create":4}\n');
  assert.ok(emulator.data().accounts.some(({ name }) => name === "Harbour Lettings"));
});

test("another run changes nothing", async () => {
  assert.equal(await provision(), 'harbour: {"same":4}\n');
});
