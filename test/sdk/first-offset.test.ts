/** An offset means the same on services that count from 0 and from 1: a position, counted from 1. */
import { expect, test } from "vitest";
import { api, connect } from "../../sdk";
import { pagedList } from "../../sdk/pagination/paged-list";
import { compileEndpoint } from "../../sdk/request/validate-input";
import { cases, fc } from "../chance";
import { emulatorForTest } from "../emulator/use-emulator";
import { serve, webhook } from "./server";

const ids = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => String(from + i));

interface Service {
  /** The first record's offset. */
  base: 0 | 1;
  size: number;
  /** How far the total is ahead of the records; undefined without a total. */
  ahead: number | undefined;
  next: "absent" | "advancing" | "same";
  /** What `offset` in the response is: as requested, or the number of records. */
  offset: "echo" | "absent" | "count";
  hasLimit: boolean;
  /** The most records per page; above it 10. */
  cap: number;
}

/** A list in memory, and what was requested. `change` is called between pages, with the number of the next one. */
function listOf(
  { base, size, ahead, next, offset: echo, hasLimit, cap }: Service,
  { pageSize = 50, change = (_page: number, _all: string[]) => {} } = {},
) {
  const seen: { offset?: number; limit: number }[] = [];
  const all = ids(1, size);
  const traits = { firstOffset: undefined, pageSize, bodies: "specification" as const };
  const list = (options: { offset?: number; limit?: number } = {}) =>
    pagedList(
      compileEndpoint("webhooks.list", api.webhooks.list),
      async (input) => {
        const query = input as { offset?: number; limit: number };
        if (seen.push(query) > 1) change(seen.length, all);
        if (seen.length > 2000) throw new Error("endless");
        const offset = query.offset ?? base;
        const limit = query.limit > cap ? Math.min(10, cap) : query.limit;
        const webhooks = all
          .slice(offset - base, offset - base + limit)
          .map((webhook_id) => ({ ...webhook, webhook_id }));
        const at = { absent: undefined, same: offset, advancing: offset + limit }[next];
        const hasNext = at !== undefined && (next === "same" || offset - base + limit < all.length);
        return {
          http: 200,
          webhooks,
          ...(hasLimit && { limit }),
          ...(echo !== "absent" && { offset: echo === "echo" ? offset : webhooks.length }),
          ...(ahead !== undefined && { total_webhooks: all.length + ahead }),
          ...(hasNext && { next: `https://a.example/v1/webhooks?offset=${at}&limit=${limit}` }),
        };
      },
      traits,
      options,
    );
  const idsOf = (webhooks: unknown) => (webhooks as { webhook_id: string }[]).map((one) => one.webhook_id);
  const read = async (options?: { offset?: number; limit?: number }) => idsOf(await list(options).all());
  const page = async (options?: { offset?: number; limit?: number }) => idsOf((await list(options).page()).webhooks);
  return { read, page, seen };
}

const service = fc.record({
  base: fc.constantFrom<0 | 1>(0, 1),
  size: fc.integer({ min: 0, max: 150 }),
  ahead: fc.constantFrom(0, 0, 1, 7, 1000, undefined),
  next: fc.constantFrom<Service["next"]>("absent", "advancing", "same"),
  offset: fc.constantFrom<Service["offset"]>("echo", "echo", "absent", "count"),
  hasLimit: fc.boolean(),
  cap: fc.oneof(fc.constantFrom(50, 50, 30, 10), fc.integer({ min: 1, max: 60 })),
});

/** True if the first page can show how the service counts. */
const isShown = ({ offset, next, size, cap }: Service) =>
  size > 0 && (offset === "echo" || (next === "advancing" && size > 2 && cap > 1));

test("a list is read completely, in order, on either base, whatever page size, cap, next, limit and total are", async () => {
  const limit = fc.integer({ min: 1, max: 120 });
  const pageSize = fc.integer({ min: 1, max: 60 });
  await fc.assert(
    fc.asyncProperty(service, limit, pageSize, async (service, limit, pageSize) => {
      const { read, seen } = listOf(service);
      expect(await read({ limit })).toEqual(ids(1, service.size));
      expect(Math.max(...seen.map((query) => query.limit))).toBeLessThanOrEqual(50);
      expect(await listOf(service).read()).toEqual(ids(1, service.size));
      expect(await listOf(service, { pageSize }).read()).toEqual(ids(1, service.size));
    }),
    { numRuns: cases(60) },
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
      if (service.size > 1 && service.cap > 1) expect(seen.length).toBe(before + 1);
    }),
    { numRuns: cases(60) },
  );
});

interface Change {
  page: number;
  kind: "insert" | "delete";
  /** Where, as a share of the list. */
  at: number;
  count: number;
}
const change: fc.Arbitrary<Change> = fc.record({
  page: fc.integer({ min: 2, max: 12 }),
  kind: fc.constantFrom("insert", "delete"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  count: fc.integer({ min: 1, max: 3 }),
});
const changing = fc.record({
  base: fc.constantFrom<0 | 1>(0, 1),
  size: fc.integer({ min: 0, max: 80 }),
  cap: fc.integer({ min: 4, max: 60 }),
  ahead: fc.constantFrom<number | undefined>(0, undefined),
  hasLimit: fc.boolean(),
});
const example = (base: 0 | 1, size: number, cap: number) => ({ base, size, cap, ahead: 0, hasLimit: false });
const deletion = (page: number, at = 0, count = 1): Change => ({ page, kind: "delete", at, count });
const insertion = (page: number): Change => ({ page, kind: "insert", at: 0, count: 1 });

test("any page size, any cap, records coming and going between pages: nothing twice, nothing missed", async () => {
  const pageSize = fc.integer({ min: 4, max: 60 });
  await fc.assert(
    fc.asyncProperty(changing, pageSize, fc.array(change, { maxLength: 8 }), async (service, pageSize, changes) => {
      const stayed = new Set(ids(1, service.size));
      const ever = new Set(stayed);
      let fresh = 1000;
      const apply = (page: number, all: string[]) => {
        for (const { kind, at, count } of changes.filter((each) => each.page === page)) {
          const place = Math.floor(at * all.length);
          fresh += 10;
          const added = kind === "insert" ? ids(fresh, fresh + count - 1) : [];
          for (const id of added) ever.add(id);
          for (const id of all.splice(place, kind === "insert" ? 0 : count, ...added)) stayed.delete(id);
        }
      };
      const next = service.base === 0 ? "advancing" : "absent";
      const hasLimit = service.hasLimit || service.ahead === undefined;
      const found = await listOf({ ...service, hasLimit, next, offset: "absent" }, { pageSize, change: apply }).read();
      expect(new Set(found).size).toBe(found.length);
      for (const id of found) expect(ever).toContain(id);
      for (const id of stayed) expect(found).toContain(id);
    }),
    {
      numRuns: cases(40),
      examples: [
        // An empty page at the end of a list that has shrunk.
        [example(1, 38, 5), 23, [deletion(10, 0, 2)]],
        // The same records twice, since others came before them.
        [example(0, 5, 4), 4, [insertion(3), deletion(2, 0.8), insertion(2)]],
        // Back again and again, since records at the front go: no two pages are the same.
        [example(0, 13, 9), 9, [...[2, 4, 6, 8, 10].map((page) => deletion(page)), insertion(12)]],
      ],
    },
  );
});

test("a total that is ahead of the records costs one request", async () => {
  const service = { base: 0, size: 3, ahead: 1, next: "absent", offset: "echo", hasLimit: true, cap: 50 } as const;
  const { read, seen } = listOf(service);
  expect(await read()).toEqual(ids(1, 3));
  expect(seen.length).toBe(2);
});

test("without a sign of how the service counts, the edition decides", async () => {
  for (const [base, edition] of [
    [1, "specification"],
    [0, "current"],
  ] as const) {
    const service = await serve(({ query }) => {
      const from = Number(query.get("offset") ?? base) - base;
      const webhooks = ids(from + 1, from + Number(query.get("limit")));
      return { body: { http: 200, webhooks: webhooks.map((webhook_id) => ({ ...webhook, webhook_id })) } };
    });
    const { webhooks } = await service.client({ edition }).webhooks.list({ offset: 11, limit: 5 }).page();
    expect(webhooks.map((one) => one.webhook_id)).toEqual(ids(11, 15));
  }
});

test.each(["specification", "current"] as const)("the emulator's edition %s, without a setting", async (edition) => {
  const seeded = Array.from({ length: 23 }, (_, i) => ({ type: "all" as const, url: `https://h.example/${i + 1}` }));
  const { url: baseUrl, keys } = await emulatorForTest({ edition, seed: { account: { webhooks: seeded } } });
  const client = (pageSize = 50) => connect({ baseUrl, apiKey: keys.account, pageSize });
  for (const [offset, limit, from, to] of [
    [1, 3, 1, 3],
    [2, 3, 2, 4],
    [21, 10, 21, 23],
    [24, 10, 24, 23],
    [1, 100, 1, 23],
  ] as const) {
    const { webhooks, total_webhooks } = await client().webhooks.list({ offset, limit }).page();
    expect(total_webhooks).toBe(23);
    expect(webhooks.map((one) => one.webhook_url.split("/").at(-1))).toEqual(ids(from, to));
  }
  expect(await client(7).webhooks.list().all()).toHaveLength(23);
  expect(await client(7).webhooks.list({ offset: 20 }).all()).toHaveLength(4);
});
