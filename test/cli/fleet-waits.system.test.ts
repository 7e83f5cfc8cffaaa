/** `esign fleet` says what its stacks wait for. */
import { expect, it } from "vitest";
import { emulatorForTest } from "../emulator/use-emulator";
import { save, temporaryFolder } from "../files";
import { beginShop } from "./esign";
import { esign } from "./in-process";

it("shows what a stack waits for when that begins, and has nothing of it in the report", async () => {
  const retryAfter = { kind: "status", status: 429, retryAfter: 2, times: 1, operation: "webhooks.create" } as const;
  const service = await emulatorForTest({ faults: [retryAfter] });
  const home = temporaryFolder();
  beginShop(home);
  save(home, {
    "index.js": `const esign = require("pulumi-esign");
new esign.Webhook("all", { type: "all", url: "https://receiver.example/" });`,
    "customers.csv": "id\nacme",
  });
  const { code, stdout, stderr } = await esign(
    ["fleet", "up", "customers.csv", "--yes", "--json", "--engine", "embedded"],
    {
      home,
      env: {
        ESIGN_BASE_URL: service.url,
        ESIGN_API_KEY: service.keys.account,
        PULUMI_CONFIG_PASSPHRASE: "correct-horse",
      },
    },
  );
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^ … acme {2}webhooks\.create: .* 429.*; the next attempt follows in 2 s \(`requestsPerSecond` stays below a limit\)$/m,
  );
  expect(stdout).not.toMatch(/429|the next attempt/);
});
