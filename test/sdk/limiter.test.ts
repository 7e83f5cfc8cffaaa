import { expect, test } from "vitest";
import { type Clock, Gate } from "../../sdk/limiter";
import { serve, webhook } from "./server";

/** Time that a test turns: events run in their order, nothing is slept. */
class Simulation implements Clock {
  #now = 0;
  #order = 0;
  #events: { at: number; order: number; run: () => void }[] = [];

  now() {
    return this.#now;
  }

  after(ms: number, run: () => void) {
    const event = { at: this.#now + Math.max(ms, 0.01), order: this.#order++, run };
    this.#events.push(event);
    return () => {
      this.#events = this.#events.filter((other) => other !== event);
    };
  }

  sleep(ms: number) {
    return new Promise<void>((resolve) => this.after(ms, resolve));
  }

  async until(done: () => boolean) {
    for (;;) {
      for (let i = 0; i < 12; i++) await Promise.resolve();
      if (done()) return;
      this.#events.sort((a, b) => a.at - b.at || a.order - b.order);
      const next = this.#events.shift();
      if (next === undefined) throw new Error("nobody has anything to do, but not all is done");
      this.#now = next.at;
      next.run();
    }
  }
}

/** A service's limit: whether a request at this time, with so many in flight, is served; else how long until it might be. */
type Limit = (now: number, inFlight: number) => true | number;

const perSecond = {
  "a fixed window": (n: number): Limit => {
    let window = -1;
    let count = 0;
    return (now) => {
      const present = Math.floor((now + 370) / 1000);
      if (present !== window) [window, count] = [present, 0];
      return ++count <= n || (present + 1) * 1000 - 370 - now;
    };
  },
  "a sliding window": (n: number): Limit => {
    let served: number[] = [];
    return (now) => {
      served = served.filter((at) => at > now - 1000);
      if (served.length >= n) return served[0]! + 1000 - now;
      served.push(now);
      return true;
    };
  },
  "a token bucket": (n: number): Limit => {
    let tokens = n;
    let last = 0;
    return (now) => {
      tokens = Math.min(n, tokens + ((now - last) * n) / 1000);
      last = now;
      if (tokens < 1) return ((1 - tokens) * 1000) / n;
      tokens--;
      return true;
    };
  },
};
const atOnce =
  (n: number): Limit =>
  (_, inFlight) =>
    inFlight <= n || 1;

/** How a service words the wait. */
const wordings = {
  "no Retry-After": () => undefined,
  "Retry-After in seconds": (ms: number) => Math.ceil(ms / 1000) * 1000,
  "an exact Retry-After": (ms: number) => ms,
};

async function run(limit: Limit, wording: (ms: number) => number | undefined, calls: number, maxConcurrency: number) {
  const time = new Simulation();
  const gate = new Gate(undefined, time);
  const latency = 20;
  let requests = 0;
  let inFlight = 0;
  let most = 0;
  let done = 0;
  let refusals = 0;
  const call = async () => {
    let again: number | undefined;
    for (let mine = 0; ; mine++) {
      await gate.enter({ maxConcurrency }, again);
      const began = time.now();
      requests++;
      most = Math.max(most, ++inFlight);
      await time.sleep(latency * 0.4);
      const served = limit(time.now(), inFlight);
      await time.sleep(latency * 0.6);
      inFlight--;
      if (served === true) {
        gate.leave("answered", began);
        done++;
        refusals = Math.max(refusals, mine);
        return;
      }
      const retryAfter = wording(served);
      gate.leave("refused", began, retryAfter);
      again = Math.max(retryAfter ?? 0, 75 * 2 ** mine);
    }
  };
  for (let i = 0; i < calls; i++) void call();
  await time.until(() => done === calls);
  return { requests, most, refusals, took: time.now() };
}

for (const [kind, limit] of Object.entries(perSecond)) {
  for (const [wording, words] of Object.entries(wordings)) {
    test.each([10, 50])(`${kind} of %i a second, ${wording}: few refusals, little time lost, no storm`, async (n) => {
      const calls = Math.max(400, n * 12);
      for (const maxConcurrency of [8, 50]) {
        const { requests, most, refusals, took } = await run(limit(n), words, calls, maxConcurrency);
        expect(most).toBeLessThanOrEqual(maxConcurrency);
        // A caller that allows many at once learns at a higher price.
        expect(requests / calls).toBeLessThan(maxConcurrency === 8 ? 1.2 : 1.35);
        // No call is refused more often than it would be repeated.
        expect(refusals).toBeLessThanOrEqual(5);
        expect(took / (((calls - n) / n) * 1000)).toBeLessThan(1.7);
      }
    });
  }
}

test.each([1, 4, 20])("%i requests at once: the gate finds the limit and stays at it", async (n) => {
  for (const maxConcurrency of [8, 50]) {
    const { requests, took } = await run(atOnce(n), wordings["no Retry-After"], 1000, maxConcurrency);
    expect(requests / 1000).toBeLessThan(1.2);
    // What is lost to learning is lost once, whatever the number of calls.
    expect(took).toBeLessThan(((1000 * 20) / Math.min(n, maxConcurrency)) * 1.5 + 2000);
  }
});

/** The most that are let in at once from now on, when nothing ends. */
function room(gate: Gate): number {
  let entered = 0;
  while (entered < 20 && gate.enter({ maxConcurrency: 20 }) === undefined) entered++;
  return entered;
}

function fill(count: number): Gate {
  const gate = new Gate(undefined, new Simulation());
  for (let i = 0; i < count; i++) void gate.enter({ maxConcurrency: count });
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

test("single refusals of a service that bears more do not slow the rest down much", async () => {
  let count = 0;
  const { requests, took } = await run(() => ++count % 20 !== 0 || 1000, wordings["Retry-After in seconds"], 1000, 8);
  expect(requests).toBeLessThan(1100);
  expect(took).toBeLessThan(10_000);
});

test("without refusals the gate opens to the caller's own cap, and keeps to it", async () => {
  const { most, requests } = await run(() => true, wordings["no Retry-After"], 1000, 50);
  expect(most).toBe(50);
  expect(requests).toBe(1000);
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

test("over HTTP: 60 calls against 20 a second all succeed, in one run, with few requests too many", async () => {
  const limit = perSecond["a fixed window"](20);
  let inFlight = 0;
  let most = 0;
  const service = await serve(async () => {
    most = Math.max(most, ++inFlight);
    await new Promise((resolve) => setTimeout(resolve, 2));
    inFlight--;
    const served = limit(performance.now(), inFlight);
    if (served === true) return { body: { http: 200, ...webhook } };
    return { status: 429, headers: { "retry-after": String(Math.ceil(served / 1000)) }, body: { http: 429 } };
  });
  const client = service.client();
  const calls = Array.from({ length: 60 }, (_, i) =>
    client.webhooks.create({ webhook_type: "all", webhook_url: `https://r.example/${i}` }),
  );
  await Promise.all(calls);
  expect(most).toBeLessThanOrEqual(8);
  expect(service.seen.length).toBeLessThanOrEqual(60 * 1.3);
});
