import { describe, expect, test } from "vitest";
import { Gate } from "../../sdk/http/limiter";
import { serve, webhook } from "./server";
import { limits, Simulation, simulate, type World } from "./simulation";

/** Ten seconds' worth, or more. */
const forTen = (n: number, burst = n) => Math.max(60, burst + n * 10);

describe.each(["none", "seconds", "exact", "date"] as const)("Retry-After: %s", (wording) => {
  test.each<[World["kind"], number, number]>([
    ["fixed window", 10, 10],
    ["fixed window", 50, 50],
    ["sliding window", 20, 20],
    ["sliding window", 100, 100],
    ["bucket", 20, 5],
    ["bucket", 20, 20],
    ["bucket", 50, 10],
    ["bucket", 100, 25],
  ])("%s, %i a second, burst %i: no more time or requests than needed, and no storm", async (kind, n, burst) => {
    for (const latency of [2, 20]) {
      // More than go at once: where all that call were refused and wait, nobody is left to try.
      for (const callers of [10, 50]) {
        const world = { kind, n, burst, wording, latency, callers, calls: forTen(n, burst) };
        const result = await simulate(world);
        expect(result, JSON.stringify(world)).toMatchObject({ failed: 0 });
        expect(result.time, JSON.stringify(world)).toBeLessThan(1.3);
        expect(result.requests, JSON.stringify(world)).toBeLessThan(1.2);
        expect(result.most).toBeLessThanOrEqual(8);
      }
    }
  });
});

test.each(["fixed window", "sliding window"] as const)(
  "%s: a second's worth goes out at once as soon as there is room, so that three seconds' worth takes three seconds",
  async (kind) => {
    for (const [n, wording, callers] of [
      [10, "none", 50],
      [10, "seconds", 50],
      [20, "none", 50],
      [20, "seconds", 50],
      [50, "none", 50],
      [50, "seconds", 50],
    ] as const) {
      for (const latency of [3, 10]) {
        const world = { kind, n, wording, latency, callers, calls: 4 * n };
        const result = await simulate(world);
        expect(result, JSON.stringify(world)).toMatchObject({ failed: 0 });
        expect(result.time, JSON.stringify(world)).toBeLessThan(1.3);
        expect(result.requests, JSON.stringify(world)).toBeLessThan(1.25);
      }
    }
  },
);

test("where only as many call as go at once, and the last tries soon and waits then, too, a window shows when all may go again", async () => {
  for (const n of [10, 20]) {
    for (const latency of [3, 10]) {
      // Whether the very last is refused, and waits a second, is chance.
      const around = Array.from({ length: 13 }, (_, i) => 4 * n - 6 + i);
      const each = around.map((calls) =>
        simulate({ kind: "sliding window", n, wording: "seconds", latency, callers: 8, calls }),
      );
      const outcomes = await Promise.all(each);
      for (const { failed, requests } of outcomes) {
        expect(failed).toBe(0);
        expect(requests).toBeLessThan(1.25);
      }
      const mean = outcomes.reduce((sum, { time }) => sum + time, 0) / outcomes.length;
      expect(mean, `${n} a second, ${latency} ms`).toBeLessThan(1.1);
    }
  }
});

test("fifty calls at a limit that shows after a fifth of them or later: it is found with fewer refusals than a fifth of them", async () => {
  for (const kind of ["bucket", "fixed window", "sliding window"] as const) {
    for (const n of [5, 10, 20, 30]) {
      for (const wording of ["none", "seconds", "date"] as const) {
        const around = Array.from({ length: 9 }, (_, i) => 46 + i);
        const outcomes = await Promise.all(
          around.map((calls) => simulate({ kind, n, wording, latency: 5, callers: 50, calls })),
        );
        const mean = outcomes.reduce((sum, { requests }) => sum + requests, 0) / outcomes.length;
        expect(mean, `${kind}, ${n} a second, ${wording}`).toBeLessThan(1.18);
        for (const { failed } of outcomes) expect(failed).toBe(0);
      }
    }
  }
});

test("a wait of two seconds in whole ones says that the first of them is full: that such a service counts by the second is still found out", async () => {
  for (const n of [10, 20, 50]) {
    for (const latency of [3, 10]) {
      const world = { kind: "sliding window", n, wording: "date", latency, callers: 50, calls: 7 * n } as const;
      const result = await simulate(world);
      expect(result, JSON.stringify(world)).toMatchObject({ failed: 0 });
      expect(result.time, JSON.stringify(world)).toBeLessThan(1.3);
      expect(result.requests, JSON.stringify(world)).toBeLessThan(1.2);
    }
  }
});

test("a pace at which every second request is refused is not kept for a second", async () => {
  for (const [n, burst, latency] of [
    [10, 25, 3],
    [20, 10, 3],
    [50, 10, 60],
  ] as const) {
    const calls = burst + 6 * n;
    const world = { kind: "bucket", n, burst, wording: "exact", latency, callers: 50, calls } as const;
    const result = await simulate(world);
    expect(result, JSON.stringify(world)).toMatchObject({ failed: 0 });
    expect(result.requests, JSON.stringify(world)).toBeLessThan(1.21);
  }
});

test("a request that is served while others are refused does not hide a limit per second where few are in flight", async () => {
  for (const calls of [60, 80]) {
    const world = {
      kind: "bucket",
      n: 20,
      burst: 20,
      wording: "seconds",
      latency: 60,
      callers: 50,
      calls,
    } as const;
    const result = await simulate(world);
    expect(result, JSON.stringify(world)).toMatchObject({ failed: 0 });
    expect(result.requests, JSON.stringify(world)).toBeLessThan(1.3);
  }
});

test.each([2, 5])("%i requests at once: the gate finds the number and stays at it", async (n) => {
  for (const wording of ["none", "seconds"] as const) {
    const world = { kind: "at once", n, wording, latency: 20, callers: 50, calls: 2000 } as const;
    const result = await simulate(world);
    expect(result.failed).toBe(0);
    expect(result.requests).toBeLessThan(1.2);
    expect(result.time).toBeLessThan(1.3);
  }
});

test("a service that asks to wait 0 seconds has not said when it serves again: that it bears three at once is still found out", async () => {
  const world = { kind: "at once", n: 3, wording: "exact", latency: 3, callers: 50, calls: 600 } as const;
  const result = await simulate(world);
  expect(result).toMatchObject({ failed: 0 });
  expect(result.time).toBeLessThan(1.5);
});

test("a limit that falls is found again, and so is one that rises", async () => {
  const world = { kind: "bucket", n: 40, burst: 10, wording: "seconds", latency: 20, callers: 8, calls: 1000 } as const;
  for (const change of [0.5, 2]) {
    const result = await simulate({ ...world, change });
    expect(result.failed).toBe(0);
    expect(result.requests).toBeLessThan(1.2);
    expect(result.time).toBeLessThan(1.3);
  }
});

test("a limit that falls to a quarter or a twentieth fails no call", async () => {
  for (const n of [5, 50, 100]) {
    for (const callers of [8, 50]) {
      for (const change of [0.25, 0.05]) {
        const calls = 25 * n;
        const world = { kind: "bucket", n, burst: 10, wording: "exact", latency: 60, callers, calls, change } as const;
        expect(await simulate(world), JSON.stringify(world)).toMatchObject({ failed: 0 });
      }
    }
  }
});

test("a call is not given up while others are served, however often it is refused itself", async () => {
  let refusals = 0;
  const service = await serve(({ body }) => {
    if (!body.includes("unlucky") || refusals === 9) return { body: { http: 200, ...webhook } };
    refusals++;
    return { status: 429, body: { http: 429 } };
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
  expect(refusals).toBe(9);
});

// Without any it takes half a second, and 2.5; a call that is told to wait a second waits.
test.each([
  [0.1, "none", 3, 8, 1000, 5],
  [0.1, "seconds", 3, 8, 1000, 25],
  [0.1, "none", 20, 50, 1000, 6],
  [0.1, "seconds", 20, 50, 1000, 12],
  // A pace that was taken for the limit by mistake was kept for a minute, and for half an hour.
  [0.1, "none", 3, 10, 1500, 15],
  [0.2, "none", 3, 50, 1500, 120],
  [0.2, "seconds", 3, 50, 1500, 120],
] as const)(
  "refusals for no reason (%d, %s) are borne: going slower would not help",
  async (noise, wording, latency, callers, calls, seconds) => {
    const result = await simulate({ kind: "bucket", n: 100_000, wording, latency, callers, calls, noise });
    expect(result.failed).toBe(0);
    expect(result.requests).toBeLessThan(1.1 / (1 - noise));
    expect((result.time * result.ideal) / 1000).toBeLessThan(seconds);
  },
);

// Who waits a second each time gets a burst a second: a tenth or a twentieth of what the bucket bears.
test.each([
  [100, 4],
  [100, 10],
  [50, 10],
])("one caller alone, of %i a second with bursts of %i, need not wait for each burst as told", async (n, burst) => {
  const world = { kind: "bucket", n, burst, wording: "seconds", latency: 3, callers: 1, calls: 12 * n } as const;
  const result = await simulate(world);
  expect(result).toMatchObject({ failed: 0 });
  expect(result.time).toBeLessThan(2.6);
  expect(result.requests).toBeLessThan(1.05);
});

test("one caller alone, who has waited a second for each window, goes on like that where it is no worse", async () => {
  const world = { kind: "fixed window", n: 20, wording: "seconds", latency: 3, callers: 1, calls: 1000 } as const;
  const result = await simulate(world);
  expect(result.failed).toBe(0);
  expect(result.time).toBeLessThan(1.3);
});

test("refusals for no reason have no rhythm: one caller alone goes on at once", async () => {
  const world = {
    kind: "bucket",
    n: 100_000,
    wording: "none",
    latency: 3,
    callers: 1,
    calls: 600,
    noise: 0.03,
  } as const;
  const result = await simulate(world);
  expect(result.failed).toBe(0);
  expect((result.time * result.ideal) / 1000).toBeLessThan(4);
});

/** The most that are let in at once from now on, when nothing ends. */
function room(gate: Gate): number {
  let entered = 0;
  while (entered < 20 && gate.enter({ maxConcurrency: 20 }) === undefined) entered++;
  return entered;
}

/** A gate that has opened to eight at once, with so many in flight. */
function fill(count: number): Gate {
  const gate = new Gate(undefined, new Simulation());
  for (let i = 0; i < 60; i++) {
    void gate.enter({ maxConcurrency: 8 });
    gate.leave("answered", 0);
  }
  for (let i = 0; i < count; i++) void gate.enter({ maxConcurrency: 8 });
  return gate;
}

test("new connections are cut while others work: no more than those are used, until much has gone well", () => {
  const gate = fill(8);
  for (let i = 0; i < 5; i++) gate.leave("cut-unproven", 0);
  expect(gate.inFlight).toBe(3);
  expect(gate.enter({ maxConcurrency: 8 })).toBeInstanceOf(Promise);
  for (let i = 0; i < 2; i++) gate.leave("answered", 0);
  // One waited, and took the first turn that was free.
  expect(gate.inFlight).toBe(2);
  for (let i = 0; i < 318; i++) {
    gate.leave("answered", 0);
    void gate.enter({ maxConcurrency: 8 });
  }
  expect(2 + room(gate)).toBe(4);
});

test.each([
  ["all are cut, so it is no limit", (gate: Gate) => gate.leave("cut-unproven", 0)],
  ["one that worked is cut, so the line is bad", (gate: Gate) => gate.leave("cut-proven", 0)],
])("a limit of connections is dropped again: %s", (_, end) => {
  const gate = fill(4);
  for (let i = 0; i < 3; i++) gate.leave("cut-unproven", 0);
  end(gate);
  expect(gate.inFlight).toBe(0);
  expect(room(gate)).toBe(8);
});

test("without refusals the gate opens to the caller's own cap, and keeps to it", async () => {
  const world = { kind: "bucket", n: 100_000, wording: "none", latency: 20, callers: 60, calls: 1000 } as const;
  expect(await simulate({ ...world, maxConcurrency: 50 })).toMatchObject({ most: 50, requests: 1 });
});

test.each([
  [300, 1.6],
  [1000, 1.3],
])("a service that takes %i ms for each answer is not found out slowly", async (latency, times) => {
  const world = { kind: "at once", n: 1000, wording: "none", latency, callers: 50, calls: 24 } as const;
  const result = await simulate(world);
  expect(result).toMatchObject({ most: 8, requests: 1 });
  expect(result.time).toBeLessThan(times);
});

test("calls that are never answered hold up no others, be they the first", async () => {
  const time = new Simulation();
  const gate = new Gate(undefined, time);
  let done = 0;
  const call = async (i: number) => {
    await gate.enter({ maxConcurrency: 8 });
    if (i < 7) return;
    await time.sleep(10);
    gate.leave("answered", time.now());
    done++;
  };
  for (let i = 0; i < 50; i++) void call(i);
  await time.until(() => done === 43);
  expect(time.now()).toBeLessThan(1500);
});

test("so many begun per second means in any second", async () => {
  const time = new Simulation();
  const gate = new Gate(undefined, time);
  const begun: number[] = [];
  let done = 0;
  for (let i = 0; i < 100; i++) {
    void (async () => {
      await gate.enter({ maxConcurrency: 8, requestsPerSecond: 20 });
      begun.push(time.now());
      await time.sleep(5);
      gate.leave("answered", time.now());
      done++;
    })();
  }
  await time.until(() => done === 100);
  for (const [i, at] of begun.entries())
    expect(begun.filter((b) => b >= at && b < at + 999).length, `${i}`).toBeLessThanOrEqual(20);
  expect(time.now()).toBeLessThan(5000);
});

test("gates of one address share its cap and take turns", async () => {
  const time = new Simulation();
  const first = new Gate(undefined, time);
  const second = new Gate(first.address, time);
  const order: string[] = [];
  let inFlight = 0;
  let most = 0;
  const call = async (gate: Gate, name: string) => {
    await gate.enter({ maxConcurrency: 2 });
    order.push(name);
    most = Math.max(most, ++inFlight);
    await time.sleep(10);
    inFlight--;
    gate.leave("answered", time.now());
  };
  for (let i = 0; i < 10; i++) void call(first, "first");
  for (let i = 0; i < 3; i++) void call(second, "second");
  await time.until(() => order.length === 13 && inFlight === 0);
  expect(most).toBe(2);
  expect(order.slice(0, 9).filter((name) => name === "second")).toHaveLength(3);
});

test("a call that is given up while it waits leaves no timer, which would keep the process alive", async () => {
  const time = new Simulation();
  const gate = new Gate(undefined, time);
  await gate.enter({ maxConcurrency: 8 });
  gate.leave("refused", time.now(), 20_000);
  const controller = new AbortController();
  const waiting = gate.enter({ maxConcurrency: 8 }, 20_000, controller.signal);
  controller.abort(new Error("given up"));
  await expect(waiting).rejects.toThrow("given up");
  await expect(time.until(() => false)).rejects.toThrow("nobody has anything to do");
  expect(time.now()).toBeLessThan(20_000);
});

test("over HTTP: 100 calls against 20 a second all succeed, in one run, with few requests too many", async () => {
  const limit = limits["fixed window"]();
  let inFlight = 0;
  let most = 0;
  const service = await serve(async () => {
    most = Math.max(most, ++inFlight);
    await new Promise((resolve) => setTimeout(resolve, 2));
    inFlight--;
    const served = limit(performance.now(), 20, inFlight);
    if (served === true) return { body: { http: 200, ...webhook } };
    return { status: 429, headers: { "retry-after": String(Math.ceil(served / 1000)) }, body: { http: 429 } };
  });
  const client = service.client();
  const calls = Array.from({ length: 100 }, (_, i) =>
    client.webhooks.create({ webhook_type: "all", webhook_url: `https://r.example/${i}` }),
  );
  await Promise.all(calls);
  expect(most).toBeLessThanOrEqual(8);
  expect(service.seen.length).toBeLessThanOrEqual(100 * 1.2);
});
