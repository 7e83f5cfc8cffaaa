import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linkPackages, root } from "../cli/esign";
import { esign } from "../cli/in-process";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";

const home = temporaryFolder();
const service = useEmulator();

test("examples/takeover adopts the account with which the local service begins, without a write", async () => {
  const cwd = join(home, "takeover");
  cpSync(join(root, "examples/takeover"), cwd, { recursive: true });
  linkPackages(cwd, "@types");
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, PULUMI_CONFIG_PASSPHRASE: "x" };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await esign(args, { home, cwd, env });
    expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  };
  await run("stack", "init", "dev", "--engine", "embedded");
  await run("up", "--yes", "--skip-preview", "--engine", "embedded");
  await run("preview", "--expect-no-changes", "--engine", "embedded");
  await run("lint", ".");
  await run("diff", ".", "account");
  expect(service.counts().byMethod).toEqual({ GET: expect.any(Number) });
});
