import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { InvalidResponseError } from "../../sdk";
import { pagedList } from "../../sdk/pagination/paged-list";
import { listEndpoint, readList } from "./endless-list";
import { failure, type Seen, serve, webhook } from "./server";

const hook = (id: number | string) => ({ ...webhook, webhook_id: id });
const ids = (n: number, from = 1) => Array.from({ length: n }, (_, i) => String(i + from));
const idsOf = (hooks: { webhook_id: string }[]) => hooks.map((one) => one.webhook_id);

/** Answers pages of so many webhooks. */
const pager =
  (count: number, extra: object = {}, first = 1) =>
  ({ query }: Pick<Seen, "query">) => {
    const offset = Number(query.get("offset") ?? first);
    const limit = Number(query.get("limit"));
    const webhooks = ids(count)
      .slice(offset - first, offset - first + limit)
      .map(hook);
    return { body: { http: 200, offset, limit, total_webhooks: String(count), webhooks, ...extra } };
  };

test.each([0, 1, 49, 50, 51, 100, 120, 1000])("%i records come in pages of 50, each after the last one", async (n) => {
  const service = await serve(pager(n));
  expect(idsOf(await service.client().webhooks.list().all())).toEqual(ids(n));
  expect(service.seen.every((s) => s.query.get("limit") === "50")).toBe(true);
  expect(service.seen).toHaveLength(Math.max(1, Math.ceil((n - 1) / 49)));
});

test("one page is one request, the first from the middle two; its totals are numbers; offset and limit are the caller's", async () => {
  const service = await serve(pager(30));
  const client = service.client();
  const page = await client.webhooks.list({ offset: 11, limit: 5 }).page();
  expect(page.total_webhooks).toBe(30);
  expect(idsOf(page.webhooks)).toEqual(ids(5, 11));
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
  const { webhooks } = (await serve(pager(30))).client();
  const got: string[] = [];
  for await (const page of webhooks.list({ offset: 5, limit: 7 }).pages()) got.push(...idsOf(page.webhooks));
  expect(got).toEqual(ids(26, 5));
  expect(idsOf(await webhooks.list({ offset: "5", limit: "7" } as never).all())).toEqual(ids(26, 5));
});

test("pages are requested lazily", async () => {
  const service = await serve(pager(500));
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
  const answer = pager(120);
  const service = await serve((seen, index) =>
    index === 0 ? answer(seen) : { status: 403, body: { http: 403, code: 10004 } },
  );
  expect(await failure(service.client().webhooks.list().all())).toMatchObject({ status: 403, code: 10004 });
});

test("next is never followed, neither to another host nor for ever", async () => {
  const other = await serve(() => ({ body: {} }));
  const service = await serve(pager(25, { next: `${other.url}/v1/webhooks?offset=1` }));
  expect(await service.client({ pageSize: 10 }).webhooks.list().all()).toHaveLength(25);
  expect(other.seen).toHaveLength(0);
  expect(service.seen.length).toBeLessThanOrEqual(4);
});

test("a service that counts from 0 gets offsets from 0, as soon as it has shown that", async () => {
  const service = await serve(pager(230, {}, 0));
  const client = service.client();
  expect(idsOf(await client.webhooks.list().all())).toEqual(ids(230));
  expect(service.seen).toHaveLength(5);
  expect(idsOf(await client.webhooks.list({ offset: 201 }).all())).toEqual(ids(30, 201));
  expect(service.seen).toHaveLength(6);
});

test("if a service rejects the page size, the default is used from then on; an explicit size stays", async () => {
  const answer = pager(25);
  const service = await serve((seen) =>
    Number(seen.query.get("limit")) > 20 ? { status: 422, body: { message: "limit is too large" } } : answer(seen),
  );
  const client = service.client();
  expect(idsOf(await client.webhooks.list().all())).toEqual(ids(25));
  expect(service.seen.map((s) => s.query.get("limit"))).toEqual(["50", "10", "10", "10"]);
  await client.webhooks.list().page();
  expect(service.seen).toHaveLength(5);
  expect(await failure(client.webhooks.list({ limit: 30 }).all())).toMatchObject({ status: 422 });
});

test("a list whose page size is rejected after another list has reduced it uses the default, too", async () => {
  const answer = pager(25);
  const service = await serve(async (seen, index) => {
    if (Number(seen.query.get("limit")) <= 20) return answer(seen);
    await new Promise((resolve) => setTimeout(resolve, index * 100));
    return { status: 400, body: { message: "limit is too large" } };
  });
  const client = service.client();
  for (const list of await Promise.all([client.webhooks.list().all(), client.webhooks.list().all()]))
    expect(idsOf(list)).toEqual(ids(25));
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
  for (let n = 0; n < 2; n++) await failure(client.webhooks.list().all(), InvalidResponseError);
});

const ten = ids(10).map(hook);
test.each<[string, object | ((index: number) => object), requests: number]>([
  ["ignores offset and has no total", { webhooks: ten, next: "/v1/webhooks?offset=1" }, 12],
  ["has a total that is no number", { webhooks: ten, total_webhooks: "many" }, 1],
  // Of 19 the second page of ten ends exactly at the end.
  ...["11", "19", "20", "35"].map((total): [string, object, number] => [
    `has ${total} records and ignores offset`,
    { webhooks: ten, total_webhooks: total },
    12,
  ]),
  ["never stands still", (i) => ({ webhooks: ids(10, 10 * i).map(hook), total_webhooks: 1000 }), 100],
])("a list that %s ends in an error", async (_, answer, requests) => {
  const service = await serve((_, index) => ({
    body: { http: 200, ...(typeof answer === "function" ? answer(index) : answer) },
  }));
  await failure(service.client().webhooks.list().all(), InvalidResponseError);
  expect(service.seen.length).toBeLessThanOrEqual(requests);
});

test("a list without end is an error after a million records", () => {
  expect(() => readList(Number.POSITIVE_INFINITY)).toThrow(
    "webhooks.list: GET /v1/webhooks: the list does not end: it has more than 1000000 records",
  );
});

test("of 10,000 streamed items, those of a few pages are kept", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const pages: WeakRef<object>[] = [];
  const list = pagedList(
    listEndpoint,
    async (input) => {
      const offset = (input.offset as number | undefined) ?? 1;
      const webhooks = ids(Math.max(0, Math.min(50, 10_001 - offset)), offset).map(hook);
      pages.push(new WeakRef(webhooks));
      return { http: 200, webhooks, total_webhooks: 10_000 };
    },
    { firstOffset: 1, pageSize: 50, bodies: "specification" },
  );
  let count = 0;
  for await (const _ of list) count++;
  // A turn later: what is dereferenced in this one is kept until its end.
  await new Promise(setImmediate);
  collect();
  expect(count).toBe(10_000);
  expect(pages.filter((page) => page.deref() !== undefined).length).toBeLessThan(10);
});
