/** A call that waits says what for: a response, its next attempt, its turn, or a Retry-After. */
import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, expect, test, vi } from "vitest";
import type { WaitEvent } from "../../sdk";
import { AbortedError, waitFor } from "../../sdk";
import { announceWaits, waitEvent } from "../../sdk/request/announce-waits";
import { failure, form as hook, serve } from "./server";

afterEach(() => void vi.useRealTimers());

test("an attempt that follows in two seconds or more is announced with its cause and time; a soon one is not", async () => {
  const service = await serve((_, index) => ({
    status: 503,
    headers: { "retry-after": index === 0 ? "0" : "30" },
    body: { http: 503, message: "busy" },
  }));
  const seen: WaitEvent[] = [];
  const controller = new AbortController();
  const onWait = (event: WaitEvent) => {
    // On a busy machine the first response takes as long.
    if (event.reason === "response") return;
    seen.push(event);
    controller.abort();
  };
  const client = service.client({ onWait, timeout: 60_000 });
  await failure(client.webhooks.get({ webhook_id: 1 }, { signal: controller.signal }), AbortedError);
  expect(service.seen).toHaveLength(2);
  expect(seen).toEqual([
    {
      operation: "webhooks.get",
      reason: "retry",
      remaining: 30_000,
      ended: expect.any(Promise),
      message: expect.stringMatching(/^webhooks\.get: .* 503.*; the next attempt follows in 30 s \(`retries`\)$/s),
    },
  ]);
});

test("a key that the service has throttled is announced by the calls that wait for it", async () => {
  const service = await serve(() => ({ status: 429, headers: { "retry-after": "30" }, body: { http: 429 } }));
  const seen: WaitEvent[] = [];
  const controller = new AbortController();
  const onWait = (event: WaitEvent) => {
    seen.push(event);
    if (event.reason === "throttling") controller.abort();
  };
  const client = service.client({ onWait, timeout: 60_000, maxConcurrency: 4 });
  const { signal } = controller;
  const call = () => failure(client.webhooks.get({ webhook_id: 1 }, { signal }), AbortedError);
  const calls = Array.from({ length: 8 }, call);
  await vi.waitFor(() => expect(seen.filter(({ reason }) => reason === "retry").length).toBeGreaterThanOrEqual(4), {
    timeout: 30_000,
  });
  await Promise.all([...calls, call()]);
  const last = seen.find(({ reason }) => reason === "throttling");
  expect(last!.message).toMatch(
    /^webhooks\.get: the service takes no requests with this key; this call waits for 30 s \(`requestsPerSecond`.*\)$/,
  );
});

test("a call that waits for its turn is announced with how many wait and how long, and one that has it is not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answers: (() => void)[] = [];
  let onAsked = () => {};
  const service = await serve(async () => {
    await new Promise<void>((resolve) => {
      answers.push(resolve);
      onAsked();
    });
    return { body: { http: 200, ...webhook } };
  });
  // Without a poll: with fake timers each would turn the clock.
  const asked = (count: number) =>
    new Promise<void>((resolve) => {
      onAsked = () => answers.length >= count && resolve();
      onAsked();
    });
  const seen: WaitEvent[] = [];
  const onWait = (event: WaitEvent) => seen.push(event);
  const client = service.client({ onWait, timeout: 60_000, maxConcurrency: 2 });
  const calls = Array.from({ length: 5 }, () => client.webhooks.get({ webhook_id: 1 }));
  const answered = async (count: number) => {
    await asked(count);
    answers.at(-1)!();
  };
  await asked(2);
  vi.advanceTimersByTime(2_000);
  for (let i = 2; i <= 5; i++) await answered(i);
  answers[0]!();
  await Promise.all(calls);
  const queued = seen.filter(({ reason }) => reason === "queue");
  expect(queued).toHaveLength(3);
  expect(queued[0]!.message).toMatch(
    /^webhooks\.get: 3 requests with this key wait for their turn; as fast as responses come now, for \d+ s \(`requestsPerSecond`/,
  );
  expect(queued[0]!.remaining).toBeGreaterThan(0);
});

test("a response that takes two seconds is announced once, and one that comes is not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let answer = () => {};
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const service = await serve(async (_, index) => {
    if (index === 0) return { body: { http: 200, ...webhook } };
    await new Promise<void>((resolve) => {
      answer = resolve;
      ask();
    });
    return { body: { http: 200, ...webhook } };
  });
  const seen: WaitEvent[] = [];
  const client = service.client({ onWait: (event) => seen.push(event), timeout: 30_000 });
  await client.webhooks.create(hook);
  const slow = client.webhooks.create(hook);
  await asked;
  vi.advanceTimersByTime(1_999);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(2_001);
  answer();
  await slow;
  expect(seen).toEqual([
    {
      operation: "webhooks.create",
      reason: "response",
      remaining: expect.any(Number),
      ended: expect.any(Promise),
      message: expect.stringMatching(/^webhooks\.create: no response for 2 s; waiting another \d+ s \(`timeout`\)$/),
    },
  ]);
});

test("a call whose turn in a shared budget does not come is announced, and its end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const service = await serve(() => ({ body: { http: 200, ...webhook } }));
  const seen: WaitEvent[] = [];
  let take = () => {};
  const turn = new Promise<void>((resolve) => {
    take = resolve;
  });
  const client = service.client({ onWait: (event) => seen.push(event), waitForTurn: () => turn });
  const call = client.webhooks.get({ webhook_id: 1 });
  // Its key has been found.
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(2_000);
  expect(seen).toEqual([
    {
      operation: "webhooks.get",
      reason: "turn",
      message: expect.stringMatching(/^webhooks\.get: no turn for 2 s; other processes .* \(`waitForTurn`;.*\)$/),
      ended: expect.any(Promise),
    },
  ]);
  take();
  await seen[0]!.ended;
  await call;
});

const webhook = { webhook_id: 1, webhook_type: "all", webhook_url: "https://a.example/" };

test("people see one line in ten seconds for what several calls wait for", () => {
  const lines: string[] = [];
  let now = 0;
  const announce = announceWaits(
    (line) => lines.push(line),
    () => {},
    () => now,
  );
  const event = (reason: WaitEvent["reason"], message: string, operation = "o") =>
    announce({ operation, reason, message, ended: Promise.resolve() });
  event("retry", "a");
  event("retry", "b");
  event("response", "c");
  event("response", "of another operation", "p");
  event("queue", "of the key");
  event("queue", "of the key again", "p");
  now = 9_999;
  event("retry", "d");
  now = 10_000;
  event("retry", "e");
  expect(lines).toEqual(["a", "c", "of another operation", "of the key", "e"]);
});

test("the end of each wait that people see comes in its own context, and the next one is shown at once", async () => {
  const resource = new AsyncLocalStorage<string>();
  const lines: string[] = [];
  const announce = announceWaits(
    (line) => lines.push(`${resource.getStore()}: ${line}`),
    () => lines.push(`${resource.getStore()}: ended`),
    () => 0,
  );
  const begin = (name: string, operation: string) => {
    let resolve = () => {};
    const ended = new Promise<void>((done) => {
      resolve = done;
    });
    resource.run(name, () => announce({ operation, reason: "response", message: operation, ended }));
    return async () => {
      resolve();
      await ended;
    };
  };
  const [first, hidden, second] = [begin("a", "o"), begin("b", "o"), begin("c", "p")];
  await hidden();
  expect(lines).toEqual(["a: o", "c: p"]);
  await first();
  begin("d", "o");
  await second();
  expect(lines.slice(2)).toEqual(["a: ended", "d: o", "c: ended"]);
});

test("a Retry-After beyond the longest timer is waited for, where the call has the time", async () => {
  const warnings = vi.spyOn(process, "emitWarning");
  const days = 40;
  const headers = { "retry-after": String(days * 24 * 60 * 60) };
  const service = await serve(() => ({ status: 503, headers, body: { http: 503, message: "closed" } }));
  const controller = new AbortController();
  const call = service.client().webhooks.get({ webhook_id: 1 }, { signal: controller.signal, timeout: Infinity });
  setTimeout(() => controller.abort(), 300);
  await failure(call, AbortedError);
  expect(service.seen).toHaveLength(1);
  expect(warnings).not.toHaveBeenCalled();
  warnings.mockRestore();
});

test("an interval and a timeout beyond the longest timer are waited for between two requests for an envelope", async () => {
  const warnings = vi.spyOn(process, "emitWarning");
  const service = await serve(() => ({ body: { http: 200, envelope_fingerprint: "f", envelope_status: "sent" } }));
  const controller = new AbortController();
  const days = 24 * 60 * 60 * 1000;
  const { signal } = controller;
  const wait = waitFor(service.client(), "f", { interval: 40 * days, timeout: 60 * days, signal });
  setTimeout(() => controller.abort(), 300);
  await failure(wait, AbortedError);
  expect(service.seen).toHaveLength(1);
  expect(warnings).not.toHaveBeenCalled();
  warnings.mockRestore();
});

test.each([
  [7_000, "webhooks.get: no response for 2 s; waiting another 7 s (`timeout`)", { remaining: 7_000 }],
  [Number.POSITIVE_INFINITY, "webhooks.get: no response for 2 s; waiting until it comes (`timeout`)", {}],
])("a response that may take another %d ms is announced by what is known", (remaining, message, expected) => {
  const ended = Promise.resolve();
  const wait = { reason: "response", remaining, cause: "no response for 2 s" } as const;
  expect(waitEvent("webhooks.get", wait, ended)).toEqual({
    operation: "webhooks.get",
    reason: "response",
    message,
    ended,
    ...expected,
  });
});
