import { setMaxListeners } from "node:events";
import { beforeAll, describe, expect, test } from "vitest";
import { type Limits, limiterFor, type Permit, RateLimiter } from "../../sdk/http/rate-limiter";
import { bad, failure, good, serve } from "./server";
import { bars, FakeClock, limits, maxConcurrency, simulate, unluckyWorlds, worlds } from "./simulation";

describe.each(worlds)("a service limited %s", (_, list) => {
  let results: Awaited<ReturnType<typeof simulate>>[];
  beforeAll(async () => {
    results = await Promise.all(list.map(simulate));
  });

  const numbered = list.map((world, index) => ({ ...world, index }));
  test.each(numbered)("$limit $n, Retry-After: $retryAfter, responses in $latency ms", ({ index }) => {
    const { requestsPerCall, time, mostInFlight, failed } = results[index]!;
    expect(failed).toBe(0);
    expect(requestsPerCall).toBeLessThanOrEqual(bars.requestsPerCall);
    expect(time).toBeLessThanOrEqual(bars.time);
    expect(mostInFlight).toBeLessThanOrEqual(maxConcurrency);
  });

  test("on average, few requests are throttled", () => {
    const sum = results.reduce((all, { requestsPerCall }) => all + requestsPerCall, 0);
    expect(sum / results.length).toBeLessThanOrEqual(bars.meanRequestsPerCall);
  });
});

describe.each(unluckyWorlds)("a service that turns requests away, %s", (_, list, bar) => {
  test.each(list)("$calls calls, responses in $latency ms: $unlucky", async (world) => {
    const { time, failed } = await simulate(world);
    expect(failed).toBe(0);
    expect(time).toBeLessThanOrEqual(bar);
  });
});

test("a limit that falls to a twentieth fails no call", async () => {
  const world = { limit: "bucket", n: 50, burst: 10, latency: 60, callers: 50, calls: 600, change: 0.05 } as const;
  for (const retryAfter of ["none", "seconds", "exact"] as const)
    expect(await simulate({ ...world, retryAfter })).toMatchObject({ failed: 0 });
});

const eight: Limits = { maxConcurrency: 8 };

function limiterOnFakeClock() {
  const clock = new FakeClock();
  const limiter = new RateLimiter(undefined, clock);
  const wait = async (ms: number) => {
    const end = clock.now() + ms;
    clock.after(ms, () => undefined);
    await clock.until(() => clock.now() >= end);
  };
  /** The permits that are granted within so many milliseconds, while none is released. */
  const acquire = async (ms: number, allowed = eight) => {
    const permits: Permit[] = [];
    const controller = new AbortController();
    setMaxListeners(20, controller.signal);
    for (let i = 0; i < 20; i++)
      void limiter.acquire(allowed, controller.signal).then(
        (permit) => permits.push(permit),
        () => undefined,
      );
    await wait(ms);
    controller.abort();
    return permits;
  };
  /** So many requests, each answered within a millisecond. */
  const answer = async (count: number) => {
    let answered = 0;
    for (let i = 0; i < count; i++)
      void limiter.acquire(eight).then(async (permit) => {
        await clock.sleep(1);
        permit.release("answered");
        answered++;
      });
    await clock.until(() => answered === count);
  };
  return { clock, limiter, wait, acquire, answer };
}

test("a single throttled request, which may have other reasons, does not lower the rate", async () => {
  const { clock, wait, acquire, answer } = limiterOnFakeClock();
  for (let i = 0; i < 20; i++) {
    await answer(1);
    await wait(50);
  }
  const [permit] = await acquire(1, { maxConcurrency: 1 });
  permit!.release("throttled", 5_000);
  const start = clock.now();
  await answer(5);
  expect(clock.now() - start).toBeLessThan(10);
});

/** Throttled in a row, with these Retry-Afters: the key is over a limit. */
async function exceedLimit({ acquire }: ReturnType<typeof limiterOnFakeClock>, ...retryAfters: number[]) {
  const permits = await acquire(1, { maxConcurrency: retryAfters.length });
  for (const [i, permit] of permits.entries()) permit.release("throttled", retryAfters[i]);
}

test("Retry-After of several requests in a row holds for all requests of the key, and for no other key of the host", async () => {
  const world = limiterOnFakeClock();
  const { limiter, clock } = world;
  // A shorter wait does not end the longer one.
  await exceedLimit(world, 1_000, 1_000, 5_000, 1_000);
  const start = clock.now();
  const granted: number[] = [];
  for (let i = 0; i < 2; i++) void limiter.acquire(eight).then(({ since }) => granted.push(since));
  const other = new RateLimiter(limiter.host, clock);
  const { since } = await other.acquire(eight);
  expect(since).toBe(start);
  await clock.until(() => granted.length > 0);
  expect(granted[0]).toBeGreaterThanOrEqual(start + 5_000);
});

test("what is throttled among others that are answered lowers no limit for long", async () => {
  const { clock, limiter, acquire } = limiterOnFakeClock();
  for (let n = 0; n < 4; n++) {
    const permits = await acquire(1);
    for (const [i, permit] of permits.entries()) permit.release(i === 2 ? "throttled" : "answered", 60_000);
  }
  expect(await acquire(1)).toHaveLength(8);
  expect(limiter.waiting).toBe(0);
  expect(clock.now()).toBeLessThan(1_000);
});

test("the retry budget: a hundred retries without a response, and one more for each response", async () => {
  const { limiter, answer } = limiterOnFakeClock();
  for (let i = 0; i < 100; i++) expect(limiter.takeRetry()).toBe(true);
  expect(limiter.takeRetry()).toBe(false);
  await answer(2);
  expect([1, 2, 3].map(() => limiter.takeRetry())).toEqual([true, true, false]);
  // It is no more than that, however much was answered.
  await answer(300);
  for (let i = 0; i < 100; i++) limiter.takeRetry();
  expect(limiter.takeRetry()).toBe(false);
});

test("requestsPerSecond holds in any second", async () => {
  const { limiter, clock } = limiterOnFakeClock();
  const granted: number[] = [];
  for (let i = 0; i < 100; i++) {
    void limiter.acquire({ maxConcurrency: 8, requestsPerSecond: 20 }).then(async (permit) => {
      granted.push(permit.since);
      await clock.sleep(5);
      permit.release("answered");
    });
  }
  await clock.until(() => granted.length === 100);
  for (const since of granted)
    expect(granted.filter((at) => at >= since && at < since + 999).length).toBeLessThanOrEqual(20);
  expect(clock.now()).toBeLessThan(5_000);
});

test("requestsPerSecond holds where requests are throttled by chance, too", async () => {
  const { limiter, clock } = limiterOnFakeClock();
  const granted: number[] = [];
  for (let i = 0; i < 60; i++)
    void limiter.acquire({ maxConcurrency: 8, requestsPerSecond: 20 }).then(async (permit) => {
      granted.push(permit.since);
      await clock.sleep(200);
      permit.release(i % 3 === 2 ? "throttled" : "answered");
    });
  await clock.until(() => granted.length === 60);
  // Each 50 ms, less what is made up for of a late timer.
  const gaps = granted.slice(1).map((at, i) => at - granted[i]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(39.9);
});

test("keys of one host share its cap and take turns", async () => {
  const { limiter: first, clock } = limiterOnFakeClock();
  const second = new RateLimiter(first.host, clock);
  const order: string[] = [];
  let inFlight = 0;
  let most = 0;
  const call = async (limiter: RateLimiter, name: string) => {
    const permit = await limiter.acquire({ maxConcurrency: 2 });
    order.push(name);
    most = Math.max(most, ++inFlight);
    await clock.sleep(10);
    inFlight--;
    permit.release("answered");
  };
  for (let i = 0; i < 10; i++) void call(first, "first");
  for (let i = 0; i < 3; i++) void call(second, "second");
  await clock.until(() => order.length === 13 && inFlight === 0);
  expect(most).toBe(2);
  expect(order.slice(0, 9).filter((name) => name === "second")).toHaveLength(3);
});

test("requests without a response do not block others", async () => {
  const { limiter, clock } = limiterOnFakeClock();
  let done = 0;
  const call = async (i: number) => {
    const permit = await limiter.acquire(eight);
    if (i < 7) return;
    await clock.sleep(10);
    permit.release("answered");
    done++;
  };
  for (let i = 0; i < 50; i++) void call(i);
  await clock.until(() => done === 43);
  expect(clock.now()).toBeLessThan(1_500);
});

test("an abort while waiting takes no permit, and leaves no timer that would keep the process alive", async () => {
  const world = limiterOnFakeClock();
  const { limiter, clock } = world;
  await exceedLimit(world, 20_000, 20_000, 20_000);
  const controller = new AbortController();
  const waiting = limiter.acquire(eight, controller.signal);
  expect(clock.pending).toBe(1);
  controller.abort(new Error("aborted"));
  await expect(waiting).rejects.toThrow("aborted");
  expect(clock.pending).toBe(0);
  expect(limiter.waiting).toBe(0);
  await expect(limiter.acquire(eight, AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
});

test("all clients of a process share the limiter of a host and key", () => {
  const limiter = limiterFor("https://one.example", "a");
  expect(limiterFor("https://one.example", "a")).toBe(limiter);
  expect(limiterFor("https://one.example", "b")).not.toBe(limiter);
  expect(limiterFor("https://one.example", "b").host).toBe(limiter.host);
  expect(limiterFor("https://two.example", "a").host).not.toBe(limiter.host);
});

test("a call does not fail while others get responses, however often it is throttled", async () => {
  let throttled = 0;
  const service = await serve(({ body }) => {
    if (!body.includes("unlucky") || throttled === 5) return good;
    throttled++;
    return bad(429);
  });
  const client = service.client({ retries: 2 });
  const create = (name: string) =>
    client.webhooks.create({ webhook_type: "all", webhook_url: `https://r.example/${name}` });
  let isDone = false;
  const unlucky = create("unlucky").finally(() => {
    isDone = true;
  });
  while (!isDone) await create("other");
  await unlucky;
  expect(throttled).toBe(5);
});

test("a service that is down gets no endless retries: calls fail once the budget is used up", async () => {
  const service = await serve(() => bad(500));
  const client = service.client({ retries: 2, maxConcurrency: 50 });
  await Promise.all(Array.from({ length: 200 }, () => failure(client.branding.get())));
  expect(service.seen).toHaveLength(300);
});

test.each([
  ["429 with Retry-After", 429],
  ["503 without", 503],
] as const)("over HTTP, %s: 300 calls against 100 a second all succeed, at most eight at once", async (_, status) => {
  const limit = limits.window();
  let inFlight = 0;
  let most = 0;
  const service = await serve(async () => {
    most = Math.max(most, ++inFlight);
    await new Promise((resolve) => setTimeout(resolve, 50));
    inFlight--;
    const wait = limit(performance.now(), 100, inFlight);
    if (wait === true) return good;
    const headers = status === 429 ? { "retry-after": String(Math.ceil(wait / 1000)) } : {};
    return bad(status, headers);
  });
  const client = service.client();
  await Promise.all(Array.from({ length: 300 }, () => client.webhooks.update({ webhook_id: 7, webhook_type: "all" })));
  // How many requests that takes is measured in simulated time, above.
  expect(most).toBeLessThanOrEqual(8);
});
