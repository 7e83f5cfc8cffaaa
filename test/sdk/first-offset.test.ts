/** An offset means the same on services that count from 0 and from 1: a position, counted from 1. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, start } from "../../emulator";
import { api, connect } from "../../sdk";
import { pagedList } from "../../sdk/pagination/list";
import { compileEndpoint } from "../../sdk/request/validate-input";
import { cases, fc } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import { serve, webhook } from "./server";

const ids = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => String(from + i));
type Page = { webhooks: { webhook_id: string }[] };

interface Service {
  /** The first record's offset. */
  base: 0 | 1;
  size: number;
  /** How far the total is ahead of the records; undefined without a total. */
  ahead: number | undefined;
  next: "absent" | "advancing" | "same";
  /** What `offset` in the response is: as requested, or the number of records. */
  offset: "echo" | "absent" | "count";
  /** The most records per page; above it 10. */
  cap: number;
}

/** A list in memory, and what was requested. */
function listOf({ base, size, ahead, next, offset: echo, cap }: Service) {
  const seen: { offset?: number; limit: number }[] = [];
  const traits = { firstOffset: undefined, pageSize: 50, bodies: "specification" as const };
  const list = (options: { offset?: number; limit?: number } = {}) =>
    pagedList(
      compileEndpoint("webhooks.list", api.webhooks.list),
      async (input) => {
        const query = input as { offset?: number; limit: number };
        seen.push(query);
        if (seen.length > 1000) throw new Error("endless");
        const offset = query.offset ?? base;
        const limit = query.limit > cap ? Math.min(10, cap) : query.limit;
        const webhooks = ids(offset - base + 1, Math.min(size, offset - base + limit)).map((id) => ({
          ...webhook,
          webhook_id: id,
        }));
        const at = { absent: undefined, same: offset, advancing: offset + limit }[next];
        const hasNext = at !== undefined && (next === "same" || offset - base + limit < size);
        return {
          http: 200,
          webhooks,
          limit,
          ...(echo !== "absent" && { offset: echo === "echo" ? offset : webhooks.length }),
          ...(ahead !== undefined && { total_webhooks: size + ahead }),
          ...(hasNext && { next: `https://a.example/v1/webhooks?offset=${at}&limit=${limit}` }),
        };
      },
      traits,
      options,
    );
  const read = async (options?: { offset?: number; limit?: number }) =>
    ((await list(options).all()) as Page["webhooks"]).map((one) => one.webhook_id);
  const page = async (options?: { offset?: number; limit?: number }) =>
    ((await list(options).page()) as unknown as Page).webhooks.map((one) => one.webhook_id);
  return { read, page, seen };
}

const service = fc.record({
  base: fc.constantFrom<0 | 1>(0, 1),
  size: fc.integer({ min: 0, max: 130 }),
  ahead: fc.constantFrom(0, 0, 1, 7, undefined),
  next: fc.constantFrom<Service["next"]>("absent", "advancing", "same"),
  offset: fc.constantFrom<Service["offset"]>("echo", "echo", "absent", "count"),
  cap: fc.constantFrom(50, 50, 30, 10),
});

/** True if the first page can show how the service counts. */
const isShown = ({ offset, next, size }: Service) =>
  size > 0 && (offset === "echo" || (next === "advancing" && size > 2));

test("a list is read completely, in order, on either base, whatever next and the total say", async () => {
  await fc.assert(
    fc.asyncProperty(service, fc.integer({ min: 1, max: 120 }), async (service, limit) => {
      const { read, seen } = listOf(service);
      expect(await read({ limit })).toEqual(ids(1, service.size));
      expect(Math.max(...seen.map((query) => query.limit))).toBeLessThanOrEqual(50);
      expect(await listOf(service).read()).toEqual(ids(1, service.size));
    }),
    { numRuns: cases(300) },
  );
});

test("a page or a list from the middle begins at the position, from the first call on, with at most one request more", async () => {
  const offset = fc.integer({ min: 1, max: 140 });
  await fc.assert(
    fc.asyncProperty(service, offset, fc.integer({ min: 1, max: 120 }), async (service, offset, limit) => {
      fc.pre(isShown(service));
      const { page, seen } = listOf(service);
      const asked = Math.min(limit, 50);
      const count = asked > service.cap ? Math.min(10, service.cap) : asked;
      const expected = ids(offset, Math.min(service.size, offset + count - 1));
      expect(await page({ offset, limit })).toEqual(expected);
      expect(seen.length).toBeLessThanOrEqual(2);
      expect(await listOf(service).read({ offset, limit })).toEqual(ids(offset, service.size));
      // Known from then on; of a single record the base cannot always be known.
      const before = seen.length;
      expect(await page({ offset, limit })).toEqual(expected);
      if (service.size > 1) expect(seen.length).toBe(before + 1);
    }),
    { numRuns: cases(300) },
  );
});

test("a total that is ahead of the records costs one request", async () => {
  const { read, seen } = listOf({ base: 0, size: 3, ahead: 1, next: "absent", offset: "echo", cap: 50 });
  expect(await read()).toEqual(ids(1, 3));
  expect(seen.length).toBe(2);
});

test("without a sign of how the service counts, the edition decides", async () => {
  const all = ids(1, 30);
  const silent = (base: number) =>
    serve(({ query }) => {
      const from = Number(query.get("offset") ?? base) - base;
      const webhooks = all.slice(from, from + Number(query.get("limit") ?? 10));
      return { body: { http: 200, webhooks: webhooks.map((webhook_id) => ({ ...webhook, webhook_id })) } };
    });
  for (const [base, edition] of [
    [1, "specification"],
    [0, "current"],
  ] as const) {
    const service = await silent(base);
    const { webhooks } = await service.client({ edition }).webhooks.list({ offset: 11, limit: 5 }).page();
    expect(webhooks.map((one) => one.webhook_id)).toEqual(ids(11, 15));
  }
});

describe.each(["specification", "current"] as const)("the emulator's edition %s", (edition) => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await start({ edition, notifications: { enabled: false } });
    const client = connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner });
    for (let n = 1; n <= 23; n++) {
      await client.webhooks.create({ webhook_type: "all", webhook_url: `https://hooks.example/${n}` });
    }
  });
  afterAll(() => emulator.close());

  test("pages, lists and totals, without a setting", async () => {
    const from = async (offset: number, limit: number) => {
      const client = connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner });
      const page = await client.webhooks.list({ offset, limit }).page();
      expect(page.total_webhooks).toBe(23);
      return page.webhooks.map((one) => Number(one.webhook_url.split("/").at(-1)));
    };
    expect(await from(1, 3)).toEqual([1, 2, 3]);
    expect(await from(2, 3)).toEqual([2, 3, 4]);
    expect(await from(21, 10)).toEqual([21, 22, 23]);
    expect(await from(24, 10)).toEqual([]);
    expect(await from(1, 100)).toHaveLength(23);
    const client = connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner, pageSize: 7 });
    expect(await client.webhooks.list().all()).toHaveLength(23);
    expect(await client.webhooks.list({ offset: 20 }).all()).toHaveLength(4);
  });
});

test("a refused body is sent in the other encoding, once; the client remembers which", async () => {
  const emulator = await emulatorForTest({ edition: "current" });
  const client = connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner });
  const form = { webhook_type: "all", webhook_url: "https://hooks.example/1" } as const;
  await client.webhooks.create(form);
  await client.webhooks.create(form);
  const { company_id } = await client.companies.create({
    company_name: "C",
    user_name: "U",
    user_email: "u@b.example",
  });
  await client.as(company_id).webhooks.create(form);
  expect(
    emulator
      .requests()
      .filter(({ method }) => method === "POST")
      .map(({ status }) => status),
  ).toEqual([400, 200, 200, 200, 200]);
  expect(emulator.data().accounts[0]!.webhooks).toHaveLength(2);
  const other = connect({ baseUrl: emulator.url, apiKey: emulator.keys.partner });
  await Promise.all(Array.from({ length: 30 }, () => other.webhooks.create(form)));
  expect(emulator.data().accounts[0]!.webhooks).toHaveLength(32);
});

test("a service that takes neither form fields nor JSON gets both once, then the call fails", async () => {
  const service = await serve(() => ({ status: 415, body: { message: "no" } }));
  const client = service.client();
  for (let n = 1; n <= 2; n++) {
    await expect(client.webhooks.create({ webhook_type: "all", webhook_url: "https://a.example" })).rejects.toThrow(
      "415",
    );
    expect(service.seen).toHaveLength(2 * n);
  }
  await expect(client.webhooks.delete({ webhook_id: "1" })).rejects.toThrow("415");
  expect(service.seen).toHaveLength(5);
});
