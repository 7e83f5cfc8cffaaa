/** The API commands on both editions, without a setting; and what they say of a test key. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { start } from "../../emulator";
import { useEmulator } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { esign } from "./in-process";

const home = temporaryFolder();

describe.each(["specification", "current"] as const)("edition %s", (edition) => {
  const service = useEmulator({ edition });
  const run = (args: string[], key = service.keys.partner) =>
    esign(args, { home, env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: key } });

  test("writes, and offsets that mean positions", async () => {
    for (let n = 1; n <= 12; n++) {
      const { code } = await run(["webhooks", "create", "--type", "all", "--url", `https://hooks.example/${n}`]);
      expect(code).toBe(0);
    }
    const page = JSON.parse((await run(["webhooks", "list", "--page", "--offset", "11", "--limit", "5"])).stdout);
    expect(page).toMatchObject({ limit: 5, total_webhooks: 12, offset: edition === "current" ? 10 : 11 });
    const all = JSON.parse((await run(["webhooks", "list", "--json", "--offset", "12", "--limit", "100"])).stdout);
    const urls = (found: { webhook_url: string }[]) => found.map(({ webhook_url }) => webhook_url);
    expect(urls(page.webhooks)).toEqual(["https://hooks.example/11", "https://hooks.example/12"]);
    expect(urls(all)).toEqual(["https://hooks.example/12"]);
  });

  test("a write with a test key says that nothing was changed; doctor finds the key where it can", async () => {
    const before = service.data().accounts[0]!.webhooks.length;
    const args = ["webhooks", "create", "--type", "all", "--url", "https://hooks.example/test"];
    const { code, stderr } = await run(args, service.keys.test);
    expect(code).toBe(0);
    expect(stderr).toContain("This is a test key: the service reported success and changed nothing.");
    expect(service.data().accounts[0]!.webhooks).toHaveLength(before);
    const { stdout } = await run(["doctor"], service.keys.test);
    expect(stdout).toContain(edition === "current" ? "yes: its writes change nothing" : "skipped (needs --write)");
  });
});

test("--local is of the configured edition, and an unknown one is refused", async () => {
  writeFileSync(join(home, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const list = (edition: string) =>
    esign(["webhooks", "list", "--local", "--page"], { home, env: { ESIGN_EDITION: edition } });
  expect(JSON.parse((await list("current")).stdout)).toMatchObject({ offset: 0, total_webhooks: 0 });
  expect(JSON.parse((await list("specification")).stdout)).toMatchObject({ offset: 1, total_webhooks: 0 });
  const env = { ESIGN_BASE_URL: "http://127.0.0.1:9", ESIGN_API_KEY: "k", ESIGN_EDITION: "next" };
  const { code, stderr } = await esign(["webhooks", "list"], { home, env });
  expect(code).not.toBe(0);
  expect(stderr).toContain("esign:edition must be specification or current");
});

test("filters of a list are options, which need the edition that has them", async () => {
  const envelopes = [{ title: "Lease, flat 3" }, { title: "NDA" }];
  const service = await start({ edition: "current", seed: { partner: { envelopes } } });
  onTestFinished(() => service.close());
  const list = (args: string[], env: Record<string, string> = {}) =>
    esign(["envelopes", "list", ...args], {
      home,
      env: { ESIGN_BASE_URL: service.url, ESIGN_API_KEY: service.keys.partner, ...env },
    });
  const { stdout } = await list(["--q", "lease", "--json"], { ESIGN_EDITION: "current" });
  expect(JSON.parse(stdout)).toMatchObject([{ envelope_title: "Lease, flat 3" }]);
  const { code, stderr } = await list(["--status", "sent"]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--status exists in the edition") });
  expect((await list(["--help"])).stdout).toMatch(/--q <value> +Part of the title/);
});
