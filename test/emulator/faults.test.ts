import { IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import type { Emulator, SettingsInput } from "../../emulator";
import { sendCorrupted } from "../../emulator/http/fault-responses";
import { ask, basic } from "./ask";
import { emulatorForTest, useEmulator } from "./use-emulator";

const service = useEmulator();
beforeEach(() => service.reset());

type FaultInput = NonNullable<SettingsInput["faults"]>[number];
const faults = (...list: FaultInput[]) => service.configure({ faults: list });
const call = ask(service);
const branding = async (asked = call) => (await asked("GET", "/v1/branding")).status;
const create = (webhook_url = "https://example.com/hook", init: RequestInit = {}) =>
  call("POST", "/v1/webhooks", { webhook_type: "all", webhook_url }, init);
/** The statuses of that many requests, one after the other. */
async function statuses(count: number, asked = call) {
  const seen: number[] = [];
  for (let i = 0; i < count; i++) seen.push(await branding(asked));
  return seen;
}
const stored = () => service.data().accounts[0]!.webhooks.length;

test("a connection that is cut before and after the commit", async () => {
  faults({ kind: "cut-before", nth: 1 }, { kind: "cut-after", nth: 2 });
  await expect(create()).rejects.toThrow();
  expect(stored()).toBe(0);
  await expect(create()).rejects.toThrow();
  expect(stored()).toBe(1);
  expect((await create()).status).toBe(200);
  expect(service.counts()).toMatchObject({ byStatus: { 0: 2, 200: 1 }, byFault: { "cut-before": 1, "cut-after": 1 } });
});

test("status codes with Retry-After as seconds and as a date, and bodies of all kinds", async () => {
  const own = await emulatorForTest({
    clock: () => 1_750_000_000_500,
    faults: [
      { kind: "status", status: 429, retryAfter: 2, nth: 1 },
      { kind: "status", status: 503, retryAfter: 2, retryAfterStyle: "date", body: "html", nth: 2 },
      { kind: "status", status: 500, body: "empty", nth: 3 },
    ],
  });
  const form = { webhook_type: "all", webhook_url: "https://example.com/hook" };
  const post = () => ask(own)("POST", "/v1/webhooks", form);
  const [first, second, third] = [await post(), await post(), await post()];
  expect(first).toMatchObject({ status: 429, body: { http: 429, message: expect.any(String) } });
  expect(first.headers.get("retry-after")).toBe("2");
  expect(second).toMatchObject({ status: 503, body: expect.stringContaining("<html>") });
  // The date of the response has no half seconds, and a wait is not rounded down.
  expect(Date.parse(second.headers.get("retry-after")!) - Date.parse(second.headers.get("date")!)).toBe(3000);
  expect(third).toMatchObject({ status: 500, body: "" });
  expect(own.data().accounts[0]!.webhooks).toEqual([]);
});

test("an error of the service, by its code; in a body under status 200", async () => {
  faults({ kind: "error", code: 10004, from: 3 }, { kind: "error", code: 10010, status: 200, nth: 2 });
  expect((await create()).status).toBe(200);
  expect(await create()).toMatchObject({ status: 200, body: { http: 400, code: 10010 } });
  for (let i = 0; i < 3; i++) expect(await create()).toMatchObject({ status: 403, body: { http: 403, code: 10004 } });
  expect(stored()).toBe(1);
});

test("a webhook's address that cannot be reached, by its form field", async () => {
  faults({ kind: "error", code: 10309, operation: "webhooks.create", form: { webhook_url: "*.invalid/*" } });
  expect((await create("https://a.invalid/x")).body.code).toBe(10309);
  expect((await create("https://a.example/x")).status).toBe(200);
});

test.each([true, false])("HTML, cut, empty and twisted bodies, with the request applied: %s", async (commit) => {
  faults(
    { kind: "html", commit, nth: 1 },
    { kind: "truncated", commit, nth: 2 },
    { kind: "empty", commit, nth: 3 },
    { kind: "wrong-types", commit, nth: 4 },
    { kind: "html", status: 200, commit, nth: 5 },
  );
  expect(await create()).toMatchObject({ status: 502, body: expect.stringContaining("<html>") });
  await expect(create()).rejects.toThrow();
  expect(await create()).toMatchObject({ status: 200, body: "" });
  const { body } = await create();
  if (commit) expect(body.webhook_id).toEqual([expect.any(String)]);
  expect(await create()).toMatchObject({ status: 200, body: expect.stringContaining("<html>") });
  expect(stored()).toBe(commit ? 5 : 0);
});

test("a request that is never answered", async () => {
  faults({ kind: "hang" });
  await expect(create(undefined, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  expect(stored()).toBe(1);
});

test("a client that gave up while its request was performed is not waited for", async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.destroy();
  await wait(10);
  expect(
    await Promise.race([sendCorrupted(response, { status: 200, body: {} }, { kind: "hang" }), wait(500, "never")]),
  ).toBe(0);
});

test("slow bodies and latencies arrive whole", async () => {
  faults({ kind: "slow", ms: 60 }, { kind: "latency", ms: 20, jitter: 5 });
  service.configure({ latency: 10 });
  const { status, body } = await create();
  expect([status, body.http]).toEqual([200, 200]);
  expect(service.requests()[0]!.elapsed).toBeGreaterThan(70);
});

test("success of a test key, for a key that is not a test key", async () => {
  faults({ kind: "test" });
  expect((await create()).body).toMatchObject({ http: 200, test: true });
  expect(stored()).toBe(0);
});

test("answers about other objects", async () => {
  const first = (await create()).body.webhook_id;
  const second = (await create()).body.webhook_id;
  faults({ kind: "other-ids", method: "GET" });
  expect((await call("GET", `/v1/webhooks/${first}`)).body.webhook_id).toBe(Number(second));
});

test("faults meet requests by method, path, operation and account", async () => {
  const other = ask(service, service.keys.account);
  faults(
    { kind: "status", status: 500, path: "/v1/webhooks/*", method: "DELETE" },
    { kind: "status", status: 501, operation: "branding.get", account: service.data().accounts.at(-1)!.id },
  );
  expect((await call("DELETE", "/v1/webhooks/1")).status).toBe(500);
  expect((await call("GET", "/v1/webhooks/1")).status).toBe(404);
  expect(await branding()).toBe(200);
  expect(await branding(other)).toBe(501);
});

test("the n-th, from the n-th, at most so many times", async () => {
  faults({ kind: "status", status: 500, nth: [2, 4] }, { kind: "status", status: 501, from: 5, times: 2 });
  expect(await statuses(8)).toEqual([200, 500, 200, 500, 501, 501, 200, 200]);
});

test("chances come from a generator with a fixed seed", async () => {
  const run = async (faultSeed: number) => {
    service.configure({ faultSeed, faults: [{ kind: "status", status: 500, probability: 0.3 }] });
    return statuses(30);
  };
  const [first, again, other] = [await run(7), await run(7), await run(8)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  const struck = first.filter((status) => status === 500).length;
  expect(struck).toBeGreaterThan(2);
  expect(struck).toBeLessThan(18);
});

test("a limit per second and key, with Retry-After", async () => {
  let now = 1_750_000_000_000;
  const own = await emulatorForTest({ clock: () => now, rateLimit: { perSecond: 2 } });
  const its = ask(own);
  expect(await statuses(4, its)).toEqual([200, 200, 429, 429]);
  expect((await its("GET", "/v1/branding")).headers.get("retry-after")).toBe("1");
  // Another key has a limit of its own.
  expect(await branding(ask(own, own.keys.account))).toBe(200);
  now += 1000;
  expect(await branding(its)).toBe(200);
  own.configure({ rateLimit: { perSecond: 1, retryAfter: "date" } });
  await branding(its);
  const late = await its("GET", "/v1/branding");
  expect(Date.parse(late.headers.get("retry-after")!)).toBe(now + 1000);
});

/** Requests that the service holds, each on a connection of its own, until they are released. */
function hold(emulator: Emulator, count: number): () => Promise<unknown> {
  const end = new AbortController();
  const one = () => ask(emulator)("GET", "/v1/webhooks", undefined, { signal: end.signal });
  const held = Promise.allSettled(Array.from({ length: count }, one));
  return () => {
    end.abort();
    return held;
  };
}

test("a limit of requests in flight", async () => {
  service.configure({ rateLimit: { concurrent: 3 }, faults: [{ kind: "hang", operation: "webhooks.list" }] });
  service.clearLog();
  const release = hold(service, 3);
  // Before that a request of this test's would take the place of one that is held.
  await expect.poll(() => service.counts().maxInFlight).toBe(3);
  expect(await Promise.all([branding(), branding()])).toEqual([429, 429]);
  await release();
  await expect.poll(() => branding()).toBe(200);
});

test("a limit of connections: more are cut", async () => {
  const faults = [{ kind: "hang", operation: "webhooks.list" } as const];
  const own = await emulatorForTest({ rateLimit: { connections: 2 }, faults });
  const release = hold(own, 2);
  await expect.poll(() => own.counts().maxInFlight).toBe(2);
  for (let i = 0; i < 3; i++) await expect(branding(ask(own))).rejects.toThrow("fetch failed");
  await release();
  await expect.poll(() => branding(ask(own)).catch(() => 0)).toBe(200);
});

test("a wrong clock shows in the header and in what is written", async () => {
  service.configure({ clockSkew: -3600_000 });
  const { headers, body } = await create();
  const wrong = (text: string) => Date.now() - Date.parse(text.replace("+0000", "Z"));
  for (const text of [headers.get("date")!, body.webhook_created]) {
    expect(wrong(text)).toBeGreaterThan(3590_000);
    expect(wrong(text)).toBeLessThan(3610_000);
  }
});

test("settings that make no sense are refused, with the member's name", () => {
  expect(() => service.configure({ latency: -1 })).toThrow(/latency/);
  expect(() => service.configure({ faults: [{ kind: "error", code: 1 }] })).toThrow(/code/);
  expect(() => service.configure({ faults: [{ kind: "cut" } as never] })).toThrow(/kind/);
  expect(() => service.configure({ speed: 1 } as never)).toThrow(/speed/);
  expect(service.settings.latency).toBe(0);
});

test("what was set at the start comes back with a reset", async () => {
  const own = await emulatorForTest({
    pageCap: { limit: 5, fallback: 5 },
    faults: [{ kind: "status", status: 500, nth: 1 }],
  });
  const its = ask(own);
  expect(await branding(its)).toBe(500);
  own.configure({ pageCap: { limit: 7, fallback: 7 }, faults: [] });
  await own.reset();
  expect(own.settings.pageCap.limit).toBe(5);
  expect(await statuses(2, its)).toEqual([500, 200]);
});

test("a request that a client gives up in the middle does no harm", async () => {
  const socket = connect(service.port, "127.0.0.1");
  socket.write(
    `POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(service.keys.partner)}\r\nContent-Length: 900\r\n\r\nwebhook`,
  );
  await wait(50);
  socket.destroy();
  expect((await create()).status).toBe(200);
  expect(stored()).toBe(1);
});
