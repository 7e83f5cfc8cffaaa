/** Comparing and promoting between the stacks of one project, whose texts hold values of their environments. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Service, start } from "../../emulator";
import { esign, temporaryFolder } from "./esign";

const { path: home, remove } = temporaryFolder();
let staging: Service;
let env: Record<string, string>;

const files: Record<string, string> = {
  "Pulumi.yaml": "name: two\nruntime: nodejs\n",
  "Pulumi.staging.yaml":
    "config:\n  two:values:\n    hooks: https://hooks.staging.example\n    portal: https://portal.staging.example\n",
  "Pulumi.production.yaml":
    "config:\n  two:values:\n    hooks: https://hooks.example\n    portal: https://portal.example\n",
  "account/account.yaml": "webhooks:\n  all:\n    type: all\n    url: ${hooks}/all\n",
  "account/emails/email-send/subject.txt": "Sign at ${portal}\n",
};

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  mkdirSync(join(home, "state"));
  staging = await start({
    seed: {
      account: {
        emails: { "email-send": { subject: "Please sign at https://portal.staging.example" } },
        webhooks: [{ type: "all", url: "https://hooks.staging.example/all" }],
      },
    },
  });
  env = {
    PULUMI_BACKEND_URL: `file://${join(home, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "correct-horse",
    ESIGN_STAGING_BASE_URL: staging.url,
    ESIGN_STAGING_API_KEY: staging.keys.account,
  };
  for (const stack of ["staging", "production"])
    expect((await run("stack", "init", stack, "--engine", "embedded")).code).toBe(0);
});
afterAll(async () => {
  await staging.close();
  remove();
});

const run = (...args: string[]) => esign(args, { home, env });
const file = (path: string) => readFileSync(join(home, path), "utf8");

test("two environments of one folder do not differ, and what is left out is told", async () => {
  const { code, stdout } = await run("diff", "./account@staging", "./account@production");
  expect(code).toBe(0);
  expect(stdout).toContain("No differences.");
  expect(stdout).toContain("e-mail email-send, subject (the same text with other values of the environment)");
});

test("a change that was made by hand in staging is promoted without staging's addresses", async () => {
  const { code, stdout } = await run("diff", "./account@staging", "account:staging", "--markdown");
  expect(code).toBe(1);
  expect(stdout).toContain(
    'subject: "Sign at https://portal.staging.example" → "Please sign at https://portal.staging.example"',
  );
  const promoted = await run("promote", "account:staging", "stack:production", "--managed-only");
  expect(promoted.code).toBe(0);
  expect(promoted.stdout).toContain("account/emails/email-send/subject.txt");
  expect(promoted.stdout).toContain("envelopes in flight were not counted");
  expect(file("account/emails/email-send/subject.txt")).toBe("Please sign at ${portal}\n");
  expect(file("account/account.yaml")).toBe(files["account/account.yaml"]);
  expect((await run("diff", "./account@staging", "account:staging")).code).toBe(0);
});

test("--values carries the values over, into the configuration of the target's stack", async () => {
  expect((await run("promote", "./account@staging", "./account@production", "--values", "--dry-run")).stdout).toContain(
    "portal: https://portal.staging.example",
  );
  expect(file("Pulumi.production.yaml")).toContain("portal: https://portal.example\n");
  expect((await run("promote", "./account@staging", "./account@production", "--values")).code).toBe(0);
  expect(file("Pulumi.production.yaml")).toContain("portal: https://portal.staging.example");
});

test("an account is no target", async () => {
  const { code, stderr } = await run("promote", "./account@staging", "account:staging");
  expect([code, stderr]).toEqual([2, expect.stringContaining("never to an account")]);
});
