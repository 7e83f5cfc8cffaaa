import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSince, readWrites } from "../../cli/commands/stack/writes";
import { RequestCounter, sumCounts } from "../../provider/reporting/request-counts";
import { appendToLog, WriteLog } from "../../provider/reporting/write-log";
import type { ResponseEvent } from "../../sdk/options";
import { esign } from "../cli/in-process";
import { temporaryFolder } from "../files";

const event = (more: Partial<ResponseEvent> = {}): ResponseEvent => ({
  operation: "webhooks.create",
  method: "POST",
  path: "/v1/webhooks",
  attempt: 1,
  fields: ["webhook_url"],
  status: 201,
  elapsed: 1,
  waited: 0,
  ...more,
});

test("each write is a line at once; the id of a create follows", async () => {
  const folder = temporaryFolder();
  const environment = {
    GITHUB_ACTOR: "ann",
    GITHUB_SERVER_URL: "https://git.example",
    GITHUB_REPOSITORY: "a/b",
    GITHUB_RUN_ID: "7",
  };
  const log = new WriteLog(folder, environment, () => "dev");
  await log.during("Webhook", async () => {
    log.add(event({ status: 503, error: "secret text", requestId: "r-1" }));
    expect(readWrites(folder)).toHaveLength(1);
    log.add(event({ attempt: 2 }));
    log.add(event({ method: "GET" }));
    log.setId("12");
  });
  await log.during("Branding", async () => {
    log.setId("branding");
    log.add(event({ operation: "branding.update", error: "lost", mayHaveSucceeded: true, fields: [] }));
  });
  const common = { user: "ann", job: "https://git.example/a/b/actions/runs/7", stack: "dev" };
  expect(readWrites(folder)).toMatchObject([
    {
      ...common,
      kind: "Webhook",
      id: "12",
      operation: "webhooks.create",
      fields: ["webhook_url"],
      status: 503,
      requestId: "r-1",
      outcome: "failed",
    },
    { ...common, kind: "Webhook", id: "12", attempt: 2, status: 201, outcome: "succeeded" },
    { ...common, kind: "Branding", id: "branding", outcome: "unknown" },
  ]);
  const file = join(folder, ".esign/writes.jsonl");
  expect(readFileSync(file, "utf8")).not.toContain("secret text");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("the CLI adds the URNs, and the stack where the provider does not know it; a line that is cut short is passed over", async () => {
  const folder = temporaryFolder();
  const log = new WriteLog(folder, {}, () => "");
  await log.during("Branding", async () => {
    log.setId("branding");
    log.add(event({ operation: "branding.update" }));
  });
  appendToLog(folder, { stack: "dev", urns: { "Branding branding": "urn:b" } });
  writeFileSync(join(folder, ".esign/writes.jsonl"), '{"time":"2026', { flag: "a" });
  expect(readWrites(folder)).toMatchObject([{ stack: "dev", urn: "urn:b" }]);
});

test("its size is bounded: a long file makes room for a new one, and both are read", () => {
  const folder = temporaryFolder();
  const log = () => new WriteLog(folder, {}, () => "dev");
  log().add(event({ requestId: "first" }));
  writeFileSync(join(folder, ".esign/writes.jsonl"), " ".repeat(2_000_000), { flag: "a" });
  log().add(event({ requestId: "second" }));
  expect(statSync(join(folder, ".esign/writes.jsonl")).size).toBeLessThan(1000);
  expect(readWrites(folder).map(({ requestId }) => requestId)).toEqual(["first", "second"]);
});

test("outside a run nothing is logged, and a folder that cannot be written stops nothing", () => {
  const folder = temporaryFolder();
  new WriteLog(undefined, {}, () => "").add(event());
  writeFileSync(join(folder, ".esign"), "a file");
  new WriteLog(folder, {}, () => "").add(event());
  expect(readWrites(folder)).toEqual([]);
});

test("where no entry is shown, `history` says why, and when the stack's last one was", async () => {
  const folder = temporaryFolder();
  const history = async (...args: string[]) => (await esign(["stack", "writes", ...args], { home: folder })).stderr;
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\nbackend: { url: file://. }\n");
  expect(await history()).toContain("no run in this folder has written to an account");
  const entry = (stack: string, time: string) =>
    `${JSON.stringify({ run: stack, seq: 1, stack, time, kind: "Webhook", fields: [] })}\n`;
  mkdirSync(join(folder, ".esign"));
  const entries = [entry("dev", "2026-01-01T00:00:00.000Z"), entry("prod", "2026-02-01T00:00:00.000Z")];
  writeFileSync(join(folder, ".esign/writes.jsonl"), entries.join(""));
  expect(await history("--since", "2026-03-01")).toContain("The last entry is from 2026-02-01T00:00:00.000Z.");
  const sinceJanuary = await history("--stack", "dev", "--since", "2026-01-15");
  expect(sinceJanuary).toContain("The last entry is from 2026-01-01T00:00:00.000Z.");
  expect(await history("--stack", "qa")).toContain("for stack qa. The log has entries for dev, prod.");
});

test("a time is a duration or a date", () => {
  const now = Date.parse("2026-02-08T00:00:00Z");
  expect(parseSince("7d", undefined, now).toISOString()).toBe("2026-02-01T00:00:00.000Z");
  expect(parseSince("2026-01-31").toISOString()).toBe("2026-01-31T00:00:00.000Z");
  expect(parseSince("2026-01-31T09:30:00Z").toISOString()).toBe("2026-01-31T09:30:00.000Z");
  for (const text of ["yesterday", "7", "12", "2026", "2026-02-31", "2026-13-01", "2026-01-31T25:00Z", "1 March", ""])
    expect(() => parseSince(text), text).toThrow("must be a duration");
});

test("requests are counted by account, over all processes of a run", () => {
  const counter = new RequestCounter();
  expect(counter.takeRecord()).toBe(undefined);
  counter.add(event({ waited: 10 }));
  counter.add(event({ attempt: 2, waited: 5.4 }));
  counter.add(event({ companyId: "4711" }));
  const record = counter.takeRecord()!;
  expect(counter.takeRecord()).toBe(undefined);
  counter.add(event({ companyId: "4711" }));
  expect(sumCounts([record, counter.takeRecord()!, { "": { requests: 1, retries: 0, waited: 1 } }])).toEqual({
    "": { requests: 3, retries: 1, waited: 16 },
    4711: { requests: 2, retries: 0, waited: 0 },
  });
});
