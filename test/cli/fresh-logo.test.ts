/** An account whose logo has another address at each read: no command takes that for a change. */
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { filesIn, save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();
const service = useEmulator({ logoAddress: "fresh", edition: "current" });
const client = () => connect({ baseUrl: service.url, apiKey: service.keys.partner, edition: "current" });
const run = (...args: string[]) =>
  esign(args, {
    home,
    env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, ESIGN_EDITION: "current" },
  });
const exported = () => filesIn(join(home, "acme"));
const accountFile = () => exported()["account.yaml"]!;

beforeAll(async () => {
  await client().companies.create({ company_name: "Firm", user_name: "U", user_email: "u@firm.example" });
  expect(await run("export", "--out", "acme")).toMatchObject({ code: 0 });
});

test("an export again changes nothing, in subaccounts either", async () => {
  const before = exported();
  expect(before["companies/firm/account.yaml"]).toContain("logoUrl: ");
  expect(await run("export", "--out", "acme", "--force")).toMatchObject({ code: 0 });
  const after = exported();
  for (const path of Object.keys(before).filter((name) => name.endsWith(".yaml")))
    expect(after[path]).toBe(before[path]);
});

test("the account does not differ from its export, nor from itself, and there is nothing to promote", async () => {
  for (const sides of [
    ["acme", "account"],
    ["account", "acme"],
    ["account", "account"],
  ]) {
    const { code, stdout } = await run("diff", "--exit-code", ...sides);
    expect([code, stdout]).toEqual([0, expect.stringContaining("No differences.")]);
    expect(stdout).not.toContain("logo");
  }
  const before = accountFile();
  expect(await run("promote", "account", "acme")).toMatchObject({ code: 0 });
  expect(accountFile()).toBe(before);
});

test("an address that people have written stays in the next export", async () => {
  const ours = accountFile().replace(/logoUrl: .*/, "logoUrl: https://www.example.com/ours.png");
  save(join(home, "acme"), { "account.yaml": ours });
  expect(await run("diff", "--exit-code", "acme", "account")).toMatchObject({ code: 0 });
  expect(await run("export", "--out", "acme", "--force")).toMatchObject({ code: 0 });
  expect(accountFile()).toBe(ours);
});

test("a logo that is gone is a difference", async () => {
  await client().branding.update({ branding_logo_url: null });
  const { code, stdout } = await run("diff", "--exit-code", "acme", "account");
  expect([code, stdout]).toEqual([expect.any(Number), expect.stringContaining("logo")]);
  expect(code).not.toBe(0);
});
