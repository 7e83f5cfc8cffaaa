/** `esign-conformance --write`: makes a webhook and a contact in the account that was named, and leaves nothing behind. */
import { expect, test } from "vitest";
import { TrialRun } from "../../conformance/run-trial";
import { Sender } from "../../conformance/sender";
import { trials } from "../../conformance/trials";
import type { Emulator, Options } from "../../emulator";
import { connect, editions } from "../../sdk";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { emulatorForTest } from "../emulator/use-emulator";
import { temporaryFolder } from "../files";
import { type Changes, differingService } from "./differing-service";
import { esignConformance } from "./esign-conformance";
import { fullAccount } from "./full-account";

type Account = "account" | "partner" | "test";

async function run(
  service: Emulator,
  {
    key = "account",
    url = service.url,
    fingerprint = keyFingerprint(service.keys[key]),
  }: { key?: Account; url?: string; fingerprint?: string } = {},
) {
  const args = ["--json", "--write", fingerprint];
  const env = { ESIGN_BASE_URL: url, ESIGN_API_KEY: service.keys[key] };
  return esignConformance(args, { home: temporaryFolder(), env });
}

/** What is in the account. */
async function objects(service: Emulator, key: Account = "account") {
  service.configure({ faults: [] });
  const client = connect({ baseUrl: service.url, apiKey: service.keys[key] });
  const [webhooks, contacts] = [await client.webhooks.list().all(), await client.contacts.list().all()];
  return [...webhooks.map((one) => one.webhook_url), ...contacts.map((one) => one.contact_email)];
}

const writesOf = (service: Emulator) =>
  service
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ operation }) => operation);

test.each(editions)("the emulator, edition %s, differs in nothing; nothing is left", async (edition) => {
  const service = await fullAccount(edition);
  const before = await objects(service, "partner");
  service.clearLog();
  const { code, stdout } = await run(service, { key: "partner" });
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ edition, writes: true, differences: [] });
  expect(report.operations).toEqual(
    expect.arrayContaining(["webhooks.create", "webhooks.update", "webhooks.delete", "contacts.create"]),
  );
  expect(code).toBe(0);
  expect(writesOf(service)).toEqual(
    ["webhooks", "contacts"].flatMap((group) => ["create", "update", "delete"].map((one) => `${group}.${one}`)),
  );
  expect(await objects(service, "partner")).toEqual(before);
});

test.each(["", "0123456789abcdef", "key"])(
  "an account that is not the one named %j gets no request",
  async (fingerprint) => {
    const service = await emulatorForTest();
    const { code, stderr } = await run(service, { fingerprint });
    expect(code).toBe(2);
    expect(stderr).toContain(keyFingerprint(service.keys.account));
    expect(service.requests()).toEqual([]);
  },
);

const faults: [title: string, faults: Options["faults"], writes: string[]][] = [
  [
    "the answer to a create is lost",
    [
      { kind: "cut-after", operation: "webhooks.create" },
      { kind: "truncated", operation: "contacts.create" },
    ],
    ["webhooks.create", "webhooks.delete", "contacts.create", "contacts.delete"],
  ],
  [
    "the answer to a create is an error",
    [{ kind: "html", status: 502, operation: "webhooks.create", commit: true }],
    ["webhooks.create", "webhooks.delete", "contacts.create", "contacts.update", "contacts.delete"],
  ],
  [
    "creates are refused",
    [
      { kind: "error", code: 10309, operation: "webhooks.create" },
      { kind: "status", status: 429, retryAfter: 0, operation: "contacts.create", times: 2 },
    ],
    ["webhooks.create", "contacts.create", "contacts.create", "contacts.create", "contacts.update", "contacts.delete"],
  ],
  [
    "changes are refused",
    [
      { kind: "error", code: 10010, operation: "webhooks.update" },
      { kind: "error", code: 10010, operation: "contacts.update" },
    ],
    ["webhooks", "contacts"].flatMap((group) => ["create", "update", "delete"].map((one) => `${group}.${one}`)),
  ],
  [
    "the answer to a deletion is lost",
    [{ kind: "cut-after", operation: "webhooks.delete", times: 1 }],
    [
      ...["webhooks.create", "webhooks.update", "webhooks.delete", "webhooks.delete"],
      ...["contacts.create", "contacts.update", "contacts.delete"],
    ],
  ],
];

test("the report says how often a write was turned away, too", async () => {
  const fault = { kind: "status", status: 429, retryAfter: 0, operation: "contacts.create", times: 2 } as const;
  const { stdout } = await run(await emulatorForTest({ edition: "current", faults: [fault] }));
  expect(JSON.parse(stdout)).toMatchObject({ throttled: 2 });
});

test.each(faults)("nothing is left, and nothing is made twice: %s", async (_, injected = [], writes) => {
  const service = await emulatorForTest({ edition: "current" });
  const before = await objects(service);
  service.clearLog();
  service.configure({ faults: injected });
  const { stderr } = await run(service);
  expect(stderr).not.toContain("left");
  expect(writesOf(service)).toEqual(writes);
  expect(await objects(service)).toEqual(before);
});

test("an object that cannot be deleted is named, and goes with the next run", async () => {
  const service = await emulatorForTest({ edition: "current" });
  service.configure({ faults: [{ kind: "error", code: 10010, operation: "contacts.delete" }] });
  const { code, stderr } = await run(service);
  expect(code).toBe(1);
  const [, id] = /The contact (\d+) could not be deleted: contact_email esign-conformance-\w+@example.com/.exec(
    stderr,
  )!;
  expect(stderr).toContain(`esign contacts delete ${id}`);
  expect(await objects(service)).toEqual([expect.stringMatching(/^esign-conformance-[0-9a-f]{8}@example\.com$/)]);
  const next = await run(service);
  expect(JSON.parse(next.stdout).differences).toEqual([]);
  expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining("Deleted 1 contact of an earlier run") });
  expect(await objects(service)).toEqual([]);
});

test.each([
  ["before a change", "PUT"],
  ["during a create", "POST"],
])("Ctrl-C %s: what was made is deleted", async (_, method) => {
  const service = await emulatorForTest({ edition: "current" });
  const changes: Changes = {
    reply: (exchange) => {
      if (exchange.method !== method) return undefined;
      process.emit("SIGINT");
      return "cut";
    },
  };
  const { url } = await differingService(service, changes);
  const { code, stderr } = await run(service, { url });
  expect(code).toBe(8);
  expect(stderr).toContain("Stopping: what was made is deleted first.");
  expect(await objects(service)).toEqual([]);
  // After that, nothing else is made.
  expect(writesOf(service)).not.toContain("contacts.create");
});

test("a create without an answer, of which nothing is found, is no reason for a second one", async () => {
  const service = await emulatorForTest({ edition: "current" });
  const { url } = await differingService(service, { request: ({ method }) => (method === "POST" ? "cut" : undefined) });
  const sender = new Sender({ baseUrl: url, apiKey: service.keys.account });
  const [webhook] = trials(undefined);
  const { left } = await new TrialRun(sender, webhook!, "current", 1).run();
  expect(left).toEqual([{ id: undefined }]);
  expect(writesOf(service)).toEqual([]);
});

test("a test key: its simulated objects are not looked for", async () => {
  const service = await emulatorForTest({ edition: "current" });
  const { code, stdout } = await run(service, { key: "test" });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).notCompared).toContainEqual({
    what: "webhooks.create",
    why: "a test key: its writes change nothing",
  });
  expect(writesOf(service)).toEqual(["webhooks.create", "contacts.create"]);
});

test("the webhook leads nowhere, or where the account's owner says", () => {
  const [nowhere] = trials(undefined);
  expect(nowhere!.fields.webhook_url).toMatch(/^https:\/\/esign-conformance-[0-9a-f]{8}\.invalid\/$/);
  const [own] = trials("https://hooks.example/a?b=c");
  expect(own!.fields.webhook_url).toMatch(/^https:\/\/hooks\.example\/a\?b=c&run=esign-conformance-[0-9a-f]{8}$/);
});
