import { beforeEach, expect, test } from "vitest";
import { ask } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator();
beforeEach(() => service.reset());

const call = ask(service);
const form = { webhook_type: "all", webhook_url: "https://example.com/hook?a=1&b=ü" };

test("the life of a webhook: create, get, list, update, delete", async () => {
  const created = await call("POST", "/v1/webhooks", form);
  expect(created.status).toBe(200);
  const { webhook_id, webhook_created, href } = created.body;
  const path = `/v1/webhooks/${webhook_id}`;
  const answer = { http: 200, message: expect.any(String) };
  expect(created.body).toEqual({
    ...{ ...answer, ...form, href: service.url + path },
    webhook_id: expect.stringMatching(/^[1-9]\d*$/),
    webhook_created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
  });
  const id = Number(webhook_id);
  expect((await call("GET", path)).body).toEqual({ http: 200, ...form, webhook_id: id, webhook_created });
  expect((await call("GET", "/v1/webhooks")).body).toEqual({
    http: 200,
    offset: 1,
    limit: 10,
    total_webhooks: "1",
    webhooks: [{ ...form, webhook_id, webhook_created }],
  });
  const other = ask(service, service.keys.account);
  expect((await other("GET", "/v1/webhooks")).body.total_webhooks).toBe("0");
  expect((await other("DELETE", path)).body.code).toBe(10306);
  expect((await call("PUT", path, { webhook_type: "add-user" })).body).toEqual({
    ...{ ...answer, ...form, href },
    webhook_id: id,
    webhook_type: "add-user",
    webhook_updated: expect.stringMatching(/\+0000$/),
  });
  expect((await call("DELETE", path)).body).toEqual({ ...answer, webhook_id: id });
  expect((await call("GET", path)).body).toMatchObject({ http: 404, code: 10306 });
});

test.each([
  ["POST", "", { ...form, webhook_type: "" }, 400, 10300],
  ["POST", "", { webhook_type: "all" }, 400, 10301],
  ["POST", "", { ...form, webhook_type: "al" }, 400, 10302],
  ["POST", "", { ...form, webhook_url: "example.com" }, 400, 10010],
  ["POST", "/5", { webhook_type: "all" }, 400, 10303],
  ["PUT", "", { webhook_type: "all" }, 400, 10304],
  ["DELETE", "", undefined, 400, 10305],
  ["GET", "/abc", undefined, 404, 10306],
  ["PUT", "/0", { webhook_type: "all" }, 404, 10306],
  ["GET", "/12345", undefined, 404, 10306],
  ["PUT", "/12345", { webhook_type: "all" }, 404, 10306],
  ["DELETE", "/12345", undefined, 404, 10306],
  ["PUT", "/12345", {}, 400, 10308],
  ["PATCH", "", undefined, 400, 10001],
  ["GET", "?limit=0", undefined, 400, 10010],
  ["GET", "?offset=x", undefined, 400, 10010],
] as const)("%s /v1/webhooks%s %j is refused: %i %i", async (method, path, form, status, code) => {
  const answer = await call(method, `/v1/webhooks${path}`, form);
  expect(answer).toMatchObject({ status, body: { http: status, code, message: expect.any(String) } });
});
