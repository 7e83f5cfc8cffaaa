/** The secret of a new webhook: the service returns it once, and the command line shows it only where that is safe. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
const service = useEmulator({ edition: "current", notifications: { signed: true } });

const create = (...args: string[]) =>
  esign(["webhooks", "create", "--type", "all", "--url", "https://hooks.example.com/esign", ...args], {
    home,
    cwd: home,
    env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.account },
  });
const secret = () => service.data().accounts.at(-1)!.webhooks.at(-1)!.secret!;

test("it is hidden in a pipe, unless asked for", async () => {
  for (const args of [[], ["--json"]]) {
    const { code, stdout, stderr } = await create(...args);
    expect(code).toBe(0);
    expect(stdout).toContain("[secret]");
    expect(stdout + stderr).not.toContain(secret());
    expect(stderr).toContain("The secret is hidden; use --show-secrets or --key-file <path>.");
  }
  expect((await create("--show-secrets")).stdout).toContain(secret());
});

test("it goes into a file that only its owner reads", async () => {
  const file = join(home, "secret.txt");
  const { stdout, stderr } = await create("--key-file", file);
  expect(readFileSync(file, "utf8")).toBe(`${secret()}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(stdout + stderr).not.toContain(secret());
});

test("a service that does not sign returns none: no file is written", async () => {
  service.configure({ notifications: {} });
  const file = join(home, "none.txt");
  const { code, stderr } = await create("--key-file", file);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("The reply has no secret") });
  expect(existsSync(file)).toBe(false);
  expect((await create()).stdout).not.toContain("secret");
});
