import { expect, test } from "vitest";
import { ApiError, type Client } from "../../sdk";
import { parseRetryAfter, retryDelay } from "../../sdk/http/retry-policy";
import { attemptTimeout } from "../../sdk/request/call-time";
import { bad, failure, form, good, serve } from "./server";

// What is done after an answer, by what the call is: again, or fail with or without doubt.
test.each([
  [429, {}, "again", "again"],
  ...[429, 503].map((status) => [status, { "retry-after": "0" }, "again", "again"] as const),
  ...[503, 500, 502, 504, 408].map((status) => [status, {}, "doubt", "again"] as const),
  ...[400, 401, 403, 404, 409].map((status) => [status, {}, "sure", "sure"] as const),
] as const)("after %i %j a POST: %s, a call that is safe to repeat: %s", async (status, headers, post, other) => {
  const party = { envelope_fingerprint: "f", party_id: 1, party_title: "Ann" };
  const calls: [string, (client: Client) => Promise<unknown>][] = [
    [post, (client) => client.webhooks.create(form)],
    // Each success is one of five: it is not spent twice.
    [post, (client) => client.envelopes.updateParty(party)],
    [other, (client) => client.webhooks.update({ webhook_id: 7, webhook_type: "all" })],
    [other, (client) => client.webhooks.delete({ webhook_id: 7 })],
    [other, (client) => client.webhooks.get({ webhook_id: 7 })],
  ];
  for (const [wanted, call] of calls) {
    const service = await serve((_, index) => (index === 0 ? bad(status, headers) : good));
    if (wanted === "again") {
      await call(service.client());
      expect(service.seen).toHaveLength(2);
    } else {
      const error = await failure(call(service.client()), ApiError);
      expect(error).toMatchObject({ status, mayHaveSucceeded: wanted === "doubt" });
      expect(service.seen).toHaveLength(1);
    }
  }
});

test("a reminder sends an email each time: it is not retried when its outcome is unknown", async () => {
  const service = await serve(() => bad(500));
  const error = await failure(service.client().envelopes.remind({ envelope_fingerprint: "f" }), ApiError);
  expect(error.mayHaveSucceeded).toBe(true);
  expect(service.seen).toHaveLength(1);
});

test("retries are limited, and the last failure is reported", async () => {
  for (const status of [429, 500]) {
    const service = await serve((_, index) => ({ status, body: { http: status, message: `attempt ${index + 1}` } }));
    const error = await failure(service.client({ retries: 2 }).branding.get(), ApiError);
    expect(error.message).toContain("attempt 3");
    expect(service.seen).toHaveLength(3);
    await failure(service.client({ retries: 0 }).branding.get());
    expect(service.seen).toHaveLength(4);
  }
});

test("a Retry-After beyond the call's time is not waited for, and does not block others for that long", async () => {
  const service = await serve((_, index) => (index === 0 ? bad(429, { "retry-after": "99999999" }) : good));
  const { webhooks } = service.client({ timeout: 20_000 });
  const error = await failure(webhooks.create(form), ApiError);
  expect(error).toMatchObject({ status: 429, retryAfter: 99_999_999_000, mayHaveSucceeded: false });
  expect(error.message).toContain("retry after 99999999 s");
  expect(service.seen).toHaveLength(1);
  await webhooks.create(form);
  expect(service.seen).toHaveLength(2);
});

test("Retry-After is kept, as seconds and as a date", async () => {
  for (const [header, least] of [
    [() => "1", 990],
    [() => new Date(Date.now() + 2000).toUTCString(), 500],
  ] as const) {
    const times: number[] = [];
    const service = await serve((_, index) => {
      times.push(performance.now());
      return index === 0 ? bad(429, { "retry-after": header() }) : good;
    });
    await service.client().webhooks.create(form);
    expect(times[1]! - times[0]!).toBeGreaterThan(least);
  }
});

test("a date counts from the Date of the response", () => {
  const now = Date.parse("2024-01-01T12:00:00Z");
  const wrong = "Mon, 01 Jan 2024 13:00:00 GMT";
  expect(parseRetryAfter("Mon, 01 Jan 2024 13:00:05 GMT", wrong, now)).toBe(5000);
  expect(parseRetryAfter("Mon, 01 Jan 2024 12:00:05 GMT", undefined, now)).toBe(5000);
  expect(parseRetryAfter("Mon, 01 Jan 2024 11:00:05 GMT", undefined, now)).toBe(0);
  expect(parseRetryAfter("17", undefined, now)).toBe(17_000);
  for (const nonsense of ["soon", "", "-5", undefined])
    expect(parseRetryAfter(nonsense, undefined, now)).toBeUndefined();
});

test("delays double, with full jitter, and stay bounded", () => {
  for (const random of [0, 0.5, 0.999]) {
    const delays = [1, 2, 3, 4, 20].map((n) => retryDelay(n, () => random));
    expect(delays).toEqual([100, 200, 400, 800, 5000].map((longest) => longest * random));
  }
});

test("a hanging attempt leaves time for another only where that is safe", () => {
  expect(attemptTimeout(30_000, true)).toBe(15_000);
  expect(attemptTimeout(30_000, false)).toBe(30_000);
  expect(attemptTimeout(1000, true)).toBe(1000);
});

test("a lost response still counts when the retry was rejected", async () => {
  const service = await serve((_, index, response) => (index === 0 ? void response.destroy() : bad(404)));
  const error = await failure(service.client().webhooks.delete({ webhook_id: 7 }), ApiError);
  expect(error).toMatchObject({ status: 404, mayHaveSucceeded: true });
});

test("a function for the key is called once for many calls, and again after a 401", async () => {
  const asked: (string | undefined)[] = [];
  const service = await serve(({ headers }) =>
    Buffer.from(headers.authorization!.slice(6), "base64").toString() === "second:x" ? good : bad(401),
  );
  const client = service.client({
    apiKey: async (refused) => {
      asked.push(refused);
      return refused === undefined ? "first-key" : "second";
    },
  });
  await Promise.all([1, 2, 3].map(() => client.webhooks.create(form)));
  expect(asked).toEqual([undefined, "first-key"]);
  // One that stays wrong fails, after one more question.
  const wrong = await failure(service.client({ apiKey: () => "wrong-key" }).webhooks.create(form), ApiError);
  expect(wrong.status).toBe(401);
});
