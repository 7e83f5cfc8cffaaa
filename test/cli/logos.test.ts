/** `diff`, `promote` and `export` compare logos by their pictures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { connect } from "../../sdk";
import { useEmulator } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { esign } from "./in-process";

const [one, two] = [useEmulator({ logoAddress: "fresh" }), useEmulator({ logoAddress: "fresh" })];
const home = temporaryFolder();
const setLogo = (service: typeof one, branding_logo_url: string) =>
  connect({ baseUrl: service.url, apiKey: service.keys.account }).branding.update({ branding_logo_url });
const run = (...args: string[]) =>
  esign(args, {
    home,
    cwd: home,
    env: {
      ESIGN_BASE_URL: one.url,
      ESIGN_API_KEY: one.keys.account,
      ESIGN_TWO_BASE_URL: two.url,
      ESIGN_TWO_API_KEY: two.keys.account,
    },
  });

beforeEach(async () => {
  await Promise.all([one.reset(), two.reset()]);
  await Promise.all([one, two].map((service) => setLogo(service, "https://cdn.example/ours.png")));
});

test("a folder that was exported, and an account whose logo was replaced", async () => {
  const out = join(temporaryFolder(), "account");
  expect((await run("export", "--out", out)).code).toBe(0);
  const logo = () => /logoUrl: (.*)/.exec(readFileSync(join(out, "account.yaml"), "utf8"))?.[1];
  const first = logo();
  const same = await run("diff", out, "account", "--exit-code");
  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining("No differences.")]);
  expect(same.stdout).not.toContain("not compared");
  // Exported again, the address stays.
  await run("export", "--out", out, "--force");
  expect(logo()).toBe(first);

  await setLogo(one, "https://colleague.example/theirs.png");
  const other = await run("diff", out, "account", "--exit-code");
  expect([other.code, other.stdout]).toEqual([1, expect.stringContaining("logo")]);
  const promoted = await run("promote", "account", out, "--dry-run");
  expect(promoted.stdout).toContain("logoUrl");
  const again = await run("export", "--out", out, "--force");
  expect(again.stdout + again.stderr).toContain("the account has another logo than at the last export");
  expect(logo()).not.toBe(first);
  expect((await run("diff", out, "account")).stdout).toContain("No differences.");
});

test("two accounts", async () => {
  expect((await run("diff", "account", "account:two")).stdout).not.toMatch(/logo/);
  await setLogo(two, "https://colleague.example/theirs.png");
  expect((await run("diff", "account", "account:two")).stdout).toMatch(/~ branding\n +logo/);
});

test("a declared picture that was not compared is said", async () => {
  const folder = temporaryFolder();
  save(folder, { "account.yaml": "branding:\n  logoUrl: https://cdn.example/ours.png\n" });
  const { stdout } = await run("diff", folder, "account");
  expect(stdout).toMatch(
    /No differences\..*not compared: branding, logo \(beside an emulator no other machine is asked/s,
  );
});
