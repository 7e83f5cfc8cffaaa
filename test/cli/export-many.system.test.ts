/** An export of many subaccounts: bounded requests, progress, and going on after it was killed. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { times } from "../chance";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { bareEnv, main } from "./esign";
import { esign } from "./in-process";

const COUNT = times > 1 ? 500 : 60;
const home = temporaryFolder();
const companies = Array.from({ length: COUNT }, (_, i) => ({
  name: `Customer ${i % (COUNT / 2)}`,
  email: `office${i}@customers.example`,
  user: { name: "User", email: `user${i}@customers.example` },
  webhooks: [{ type: "all" as const, url: `https://hooks.example.com/${i}` }],
}));
const service = useEmulator({ seed: { companies } });

const journal = () => {
  const file = join(home, "out/.esign-export");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 2 : 0;
};

test(`${COUNT} subaccounts`, async () => {
  const env = { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner };
  const args = ["export", "--out", "out", "--parallel", "6"];
  const child = spawn(process.execPath, [main, ...args], {
    cwd: home,
    env: { ...bareEnv(home), ...env },
    stdio: "ignore",
  });
  const ended = new Promise((done) => child.once("close", done));
  while (journal() < 10 && child.exitCode === null) await wait(5);
  child.kill("SIGKILL");
  await ended;
  const before = journal();
  expect(before).toBeGreaterThanOrEqual(10);
  expect(before).toBeLessThan(COUNT);
  const key = readFileSync(join(home, "out/.esign-export"), "utf8");
  expect(key).not.toContain(service.keys.partner);

  const other = await esign(args, { home, env: { ...env, ESIGN_API_KEY: service.keys.account } });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("interrupted export of another account")]);

  service.clearLog();
  const again = await esign(args, { home, env });
  expect(again.stderr).toContain(`Resuming: ${before} subaccounts already exported.`);
  expect(again.stderr).toContain(`${COUNT}/${COUNT} subaccounts`);
  expect(again.code).toBe(0);
  const { byOperation, byMethod, maxInFlight, total } = service.counts();
  expect(byOperation["branding.emails"]).toBe(1 + COUNT - before);
  expect(Object.keys(byMethod)).toEqual(["GET"]);
  // The lists of the export itself and of the keys of subaccounts.
  expect(total).toBeLessThanOrEqual(3 * (1 + COUNT - before) + 2 * (COUNT / 50));
  expect(maxInFlight).toBeLessThanOrEqual(8);

  expect(readdirSync(join(home, "out/companies"))).toHaveLength(COUNT);
  const { resources } = JSON.parse(readFileSync(join(home, "out/import.json"), "utf8")) as {
    resources: { id?: string; type: string; name: string }[];
  };
  const ids = new Set(resources.filter(({ type }) => type.endsWith(":Company")).map(({ id }) => id));
  expect(ids.size).toBe(COUNT);
  expect(new Set(resources.map(({ name }) => name)).size).toBe(resources.length);
  expect(existsSync(join(home, "out/.esign-export"))).toBe(false);

  const refused = await esign(args, { home, env });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("is not empty")]);
});
