import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { InvalidResponseError } from "../../sdk";
import { api } from "../../sdk/api/index";
import { pagedList } from "../../sdk/pagination/list";
import { PageCursor } from "../../sdk/pagination/page-cursor";
import { compileEndpoint } from "../../sdk/request/validate-input";
import { cases, fc } from "../chance";
import { growth, LINEAR } from "../growth";
import { failure, type Seen, serve, webhook } from "./server";

const hook = (id: number | string) => ({ ...webhook, webhook_id: id });
const ids = (n: number, from = 1) => Array.from({ length: n }, (_, i) => String(i + from));

/** Answers pages of these ids as the specification says, at most `cap` a page. */
function pager(all: () => string[], extra: (page: { webhooks: object[] }) => object = (page) => page, cap = 50) {
  return ({ query }: Pick<Seen, "query">) => {
    const offset = Number(query.get("offset") ?? 1);
    const asked = Number(query.get("limit") ?? 10);
    const limit = asked > cap ? Math.min(10, cap) : asked;
    const webhooks = all()
      .slice(offset - 1, offset - 1 + limit)
      .map(hook);
    const page = { http: 200, offset, limit, total_webhooks: String(all().length), webhooks };
    return { body: extra(page) };
  };
}

test("asks for 50, goes on by what came back, and ends by the total", async () => {
  const all = ids(120);
  const service = await serve(pager(() => all));
  const got = await service.client().webhooks.list().all();
  expect(got.map((w) => w.webhook_id)).toEqual(all);
  expect(service.seen.every((s) => s.query.get("limit") === "50")).toBe(true);
  expect(service.seen).toHaveLength(3);
});

test.each([0, 1, 49, 50, 51, 100, 1000])("%i records take at most 1 + n/50 requests", async (n) => {
  const all = ids(n);
  const service = await serve(pager(() => all));
  expect(await service.client().webhooks.list().all()).toHaveLength(n);
  expect(service.seen.length).toBeLessThanOrEqual(1 + Math.ceil(n / 50));
});

test("a service that returns 10 records, whatever the limit, is read to the end", async () => {
  const all = ids(35);
  const service = await serve(pager(() => all, undefined, 30));
  expect((await service.client({ pageSize: 100 }).webhooks.list().all()).map((w) => w.webhook_id)).toEqual(all);
});

test("one page is one request, the first from the middle two; its totals are numbers; offset and limit are the caller's", async () => {
  const all = ids(30);
  const service = await serve(pager(() => all));
  const client = service.client();
  const page = await client.webhooks.list({ offset: 11, limit: 5 }).page();
  expect(page.total_webhooks).toBe(30);
  expect(page.webhooks.map((w) => w.webhook_id)).toEqual(ids(5, 11));
  await client
    .as(1)
    .webhooks.list({ offset: 16 })
    .page()
    .catch(() => {});
  await client.webhooks.list({ offset: 21, limit: 100 }).page();
  const paths = ["/v1/webhooks?limit=2", "/v1/webhooks?offset=11&limit=5", "/v1/webhooks?offset=21&limit=50"];
  expect(service.seen.map((s) => s.url).filter((url) => url.startsWith("/v1/webhooks"))).toEqual(paths);
});

test("items from the middle; pages hold each item once", async () => {
  const all = ids(30);
  const service = await serve(pager(() => all));
  const got: string[] = [];
  for await (const page of service.client().webhooks.list({ offset: 5, limit: 7 }).pages()) {
    got.push(...page.webhooks.map((w) => w.webhook_id));
  }
  expect(got).toEqual(ids(26, 5));
  const asText = service.client().webhooks.list({ offset: "5", limit: "7" } as never);
  expect((await asText.all()).map((w) => w.webhook_id)).toEqual(ids(26, 5));
});

test("pages are requested lazily", async () => {
  const all = ids(500);
  const service = await serve(pager(() => all));
  const list = service.client().webhooks.list();
  expect(service.seen).toHaveLength(0);
  for await (const item of list) if (item.webhook_id === "60") break;
  expect(service.seen).toHaveLength(2);
});

test.each([
  ["webhooks", 10307],
  ["companies", 10360],
  ["usage", 10360],
  ["envelopes", 10254],
] as const)("%s: the error %i means an empty list", async (area, code) => {
  const service = await serve(() => ({ status: 404, body: { http: 404, code, message: "none found" } }));
  expect(await service.client()[area].list().all()).toEqual([]);
});

test("another error in the middle of a list is an error", async () => {
  const all = ids(120);
  const answer = pager(() => all);
  const service = await serve((seen, index) =>
    index === 0 ? answer(seen) : { status: 403, body: { http: 403, code: 10004 } },
  );
  expect(await failure(service.client().webhooks.list().all())).toMatchObject({ status: 403, code: 10004 });
});

test("next is never followed, neither to another host nor for ever", async () => {
  const other = await serve(() => ({ body: {} }));
  const all = ids(25);
  const service = await serve(
    pager(
      () => all,
      (page) => ({ ...page, next: `${other.url}/v1/webhooks?offset=1` }),
    ),
  );
  expect(await service.client({ pageSize: 10 }).webhooks.list().all()).toHaveLength(25);
  expect(other.seen).toHaveLength(0);
  expect(service.seen.length).toBeLessThanOrEqual(4);
});

test("a service that counts from 0 gets offsets from 0, as soon as it has shown that", async () => {
  const all = ids(230);
  const service = await serve(({ query }) => {
    const offset = Number(query.get("offset") ?? 0);
    const webhooks = all.slice(offset, offset + 50).map(hook);
    const next = offset + 50 < all.length ? `/v1/webhooks?offset=${offset + 50}&limit=50` : "";
    return { body: { http: 200, offset, limit: 50, total_webhooks: String(all.length), next, webhooks } };
  });
  const client = service.client();
  expect((await client.webhooks.list().all()).map((w) => w.webhook_id)).toEqual(all);
  expect(service.seen).toHaveLength(5);
  expect((await client.webhooks.list({ offset: 201 }).all()).map((w) => w.webhook_id)).toEqual(ids(30, 201));
  expect(service.seen).toHaveLength(6);
});

test("if a service rejects the page size, the default is used from then on; an explicit size stays", async () => {
  const all = ids(25);
  const answer = pager(() => all);
  const service = await serve((seen) =>
    Number(seen.query.get("limit")) > 20 ? { status: 422, body: { message: "limit is too large" } } : answer(seen),
  );
  const client = service.client();
  expect((await client.webhooks.list().all()).map((w) => w.webhook_id)).toEqual(all);
  expect(service.seen.map((s) => s.query.get("limit"))).toEqual(["50", "10", "10", "10"]);
  await client.webhooks.list().page();
  expect(service.seen).toHaveLength(5);
  expect(await failure(client.webhooks.list({ limit: 30 }).all())).toMatchObject({ status: 422 });
});

test("a list whose page size is rejected after another list has reduced it uses the default, too", async () => {
  const all = ids(25);
  const answer = pager(() => all);
  const service = await serve(async (seen, index) => {
    if (Number(seen.query.get("limit")) <= 20) return answer(seen);
    await new Promise((resolve) => setTimeout(resolve, index * 100));
    return { status: 400, body: { message: "limit is too large" } };
  });
  const client = service.client();
  const [one, other] = await Promise.all([client.webhooks.list().all(), client.webhooks.list().all()]);
  for (const list of [one, other]) expect(list.map((w) => w.webhook_id)).toEqual(all);
});

test.each([
  ["null", null],
  ["nothing", undefined],
])("a list that counts 0 records may have %s in their place; one that does not say so may not", async (_, webhooks) => {
  const service = await serve((_, index) => ({
    body: { http: 200, total_webhooks: ["0", "7", undefined][index], next: false, offset: null, webhooks },
  }));
  const client = service.client();
  expect(await client.webhooks.list().all()).toEqual([]);
  for (let n = 0; n < 2; n++) expect(await failure(client.webhooks.list().all())).toBeInstanceOf(InvalidResponseError);
});

test("a service that ignores offset and has no total ends in an error, not in an endless loop", async () => {
  const service = await serve(() => ({
    body: { http: 200, webhooks: ids(10).map(hook), next: "/v1/webhooks?offset=1" },
  }));
  expect(await failure(service.client().webhooks.list().all())).toBeInstanceOf(InvalidResponseError);
  expect(service.seen.length).toBeLessThan(12);
});

test("a list without end is an error after a million records, and takes time in proportion until then", async () => {
  const op = compileEndpoint("webhooks.list", api.webhooks.list);
  const read = (count: number) => {
    const cursor = new PageCursor(op, 1, 1000, { firstOffset: 1, pageSize: 1000, bodies: "specification" });
    let read = 0;
    while (read < count) {
      const from = cursor.offset ?? 1;
      const webhooks = Array.from({ length: 1000 }, (_, i) => ({ webhook_id: String(from + i) }));
      read += (cursor.accept({ limit: 1000, webhooks }).newPage!.webhooks as unknown[]).length;
    }
  };
  expect(await growth(20_000, (n) => () => read(n))).toBeLessThan(LINEAR);
  expect(() => read(Number.POSITIVE_INFINITY)).toThrow(
    "webhooks.list: GET /v1/webhooks: the list does not end: it has more than 1000000 records",
  );
});

// Of 19 the second page of ten ends exactly at the end.
test.each(["11", "19", "20", "35"])(
  "a service that ignores offset does not pass for a complete list of %s",
  async (total) => {
    const service = await serve(() => ({ body: { http: 200, total_webhooks: total, webhooks: ids(10).map(hook) } }));
    expect(await failure(service.client().webhooks.list().all())).toBeInstanceOf(InvalidResponseError);
  },
);

test("without a total, a short page is the last; without a limit either, an empty one or one without news", async () => {
  const all = ids(23);
  const short = await serve(
    pager(
      () => all,
      (page) => ({ ...page, total_webhooks: undefined }),
    ),
  );
  expect(await short.client({ pageSize: 10 }).webhooks.list().all()).toHaveLength(23);
  const bare = await serve(
    pager(
      () => all,
      ({ webhooks }) => ({ http: 200, webhooks }),
    ),
  );
  expect(await bare.client({ pageSize: 10 }).webhooks.list().all()).toHaveLength(23);
});

test("a total that is too large, too small or nonsense loses nothing and does not hang", async () => {
  const all = ids(23);
  const large = await serve(
    pager(
      () => all,
      (page) => ({ ...page, total_webhooks: "1000" }),
    ),
  );
  expect(await large.client({ pageSize: 10 }).webhooks.list().all()).toHaveLength(23);
  const wrong = await serve(
    pager(
      () => all,
      (page) => ({ ...page, total_webhooks: "many" }),
    ),
  );
  expect(await failure(wrong.client().webhooks.list().all())).toBeInstanceOf(InvalidResponseError);
});

test("a service that counts offsets from 0 loses no record", async () => {
  const all = ids(130);
  const service = await serve(({ query }) => {
    const offset = Number(query.get("offset") ?? 0);
    const webhooks = all.slice(offset, offset + 50).map(hook);
    return { body: { http: 200, limit: 50, total_webhooks: "130", webhooks } };
  });
  const got = (await service.client().webhooks.list().all()).map((w) => w.webhook_id);
  expect(got).toEqual(all);
});

/** A list in memory, read through the same walk, while it changes between the pages. */
function walked(
  all: string[],
  options: { pageSize: number; cap: number; withTotal: boolean; withLimit: boolean; first?: 0 | 1 },
  between: (page: number) => void,
) {
  const { pageSize, cap, withTotal, withLimit, first = 1 } = options;
  let asked = 0;
  const list = pagedList(
    compileEndpoint("webhooks.list", api.webhooks.list),
    async (input) => {
      if (asked++ > 0) between(asked);
      if (asked > 2000) throw new Error("endless");
      const offset = (input.offset as number | undefined) ?? first;
      const limit = Math.min(input.limit as number, cap);
      const webhooks = all.slice(offset - first, offset - first + limit).map(hook);
      const next = offset - first + limit < all.length ? `/v1/webhooks?offset=${offset + limit}&limit=${limit}` : null;
      return {
        http: 200,
        webhooks,
        ...(withTotal && { total_webhooks: all.length }),
        ...(withLimit && { limit }),
        ...(first === 0 && { next }),
      };
    },
    { firstOffset: undefined, pageSize, bodies: "specification" },
  );
  return list.all() as Promise<{ webhook_id: string }[]>;
}

const change = fc.record({
  page: fc.integer({ min: 2, max: 12 }),
  kind: fc.constantFrom("insert", "delete"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  count: fc.integer({ min: 1, max: 3 }),
});

test("any page size, any cap, records coming and going between pages: nothing twice, nothing missed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 4, max: 60 }),
      fc.integer({ min: 4, max: 60 }),
      fc.boolean(),
      fc.boolean(),
      fc.array(change, { maxLength: 8 }),
      fc.constantFrom(0, 1),
      async (size, pageSize, cap, withTotal, withLimit, changes, first) => {
        const all = ids(size);
        const stayed = new Set(all);
        const ever = new Set(all);
        let fresh = 1000;
        const service = { pageSize, cap, withTotal, withLimit: withLimit || !withTotal, first } as const;
        const got = await walked(all, service, (page) => {
          for (const { kind, at, count } of changes.filter((c) => c.page === page)) {
            const place = Math.floor(at * all.length);
            if (kind === "insert") {
              fresh += 10;
              const added = ids(count, fresh);
              for (const id of added) ever.add(id);
              all.splice(place, 0, ...added);
            } else {
              for (const id of all.splice(place, count)) stayed.delete(id);
            }
          }
        });
        const found = got.map((item) => item.webhook_id);
        expect(new Set(found).size).toBe(found.length);
        for (const id of found) expect(ever).toContain(id);
        for (const id of stayed) expect(found).toContain(id);
      },
    ),
    {
      numRuns: cases(100),
      examples: [
        // An empty page at the end of a list that has shrunk.
        [38, 23, 5, true, false, [{ page: 10, kind: "delete", at: 0, count: 2 }], 1],
        // The same records twice, since others came before them.
        [
          5,
          4,
          4,
          true,
          false,
          [
            { page: 3, kind: "insert", at: 0, count: 1 },
            { page: 2, kind: "delete", at: 0.8, count: 1 },
            { page: 2, kind: "insert", at: 0, count: 1 },
          ],
          0,
        ],
        // Back again and again, since records at the front go: no two pages are the same.
        [
          13,
          9,
          9,
          true,
          false,
          [
            ...[2, 4, 6, 8, 10].map((page) => ({ page, kind: "delete", at: 0, count: 1 })),
            { page: 12, kind: "insert", at: 0, count: 1 },
          ],
          0,
        ],
      ],
    },
  );
});

test("any page size and cap, a list at rest: each once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 150 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      fc.boolean(),
      async (size, pageSize, cap, withTotal, withLimit) => {
        const all = ids(size);
        const got = await walked([...all], { pageSize, cap, withTotal, withLimit }, () => {});
        expect(got.map((item) => item.webhook_id)).toEqual(all);
      },
    ),
  );
});

test("a list that never stands still ends in an error", async () => {
  let next = 0;
  const list = pagedList(
    compileEndpoint("webhooks.list", api.webhooks.list),
    async () => {
      next += 10;
      if (next > 10_000) throw new Error("endless");
      return { http: 200, webhooks: ids(10, next).map(hook), total_webhooks: 1000 };
    },
    { firstOffset: 1, pageSize: 10, bodies: "specification" },
  );
  expect(await failure(list.all())).toBeInstanceOf(InvalidResponseError);
});

test("10,000 items are streamed in constant memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const filler = "x".repeat(2000);
  const list = pagedList(
    compileEndpoint("webhooks.list", api.webhooks.list),
    async (input) => {
      const offset = (input.offset as number | undefined) ?? 1;
      const webhooks = ids(Math.max(0, Math.min(50, 10_001 - offset)), offset).map((id) => ({
        ...hook(id),
        filler: `${id}${filler}`.split("").join(""),
      }));
      return { http: 200, webhooks, total_webhooks: 10_000 };
    },
    { firstOffset: 1, pageSize: 50, bodies: "specification" },
  );
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for await (const _ of list) {
    if (++count % 1000 !== 0) continue;
    collect();
    const used = process.memoryUsage().heapUsed;
    least = Math.min(least, used);
    most = Math.max(most, used);
  }
  expect(count).toBe(10_000);
  // All items together would be 20 MB.
  expect(most - least).toBeLessThan(5e6);
});
