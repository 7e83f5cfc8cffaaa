import { beforeEach, expect, test } from "vitest";
import { ask } from "./ask";
import { useEmulator } from "./use-emulator";

const service = useEmulator();
beforeEach(() => service.reset());

const url = "https://example.com/hook?a=1&b=ü";
const create = (form: Record<string, string> = {}) =>
  ask(service)("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: url, ...form });

test("the life of a webhook: create, get, list, update, delete", async () => {
  const call = ask(service);
  const created = await create();
  expect(created.status).toBe(200);
  const id = created.body.webhook_id;
  expect(created.body).toEqual({
    http: 200,
    message: expect.any(String),
    href: `${service.url}/v1/webhooks/${id}`,
    webhook_id: expect.stringMatching(/^[1-9]\d*$/),
    webhook_type: "all",
    webhook_url: url,
    webhook_created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
  });
  const { webhook_created } = created.body;
  const got = await call("GET", `/v1/webhooks/${id}`);
  expect(got.body).toEqual({
    http: 200,
    webhook_id: Number(id),
    webhook_type: "all",
    webhook_url: url,
    webhook_created,
  });
  const listed = await call("GET", "/v1/webhooks");
  expect(listed.body).toEqual({
    http: 200,
    offset: 1,
    limit: 10,
    total_webhooks: "1",
    webhooks: [{ webhook_id: id, webhook_type: "all", webhook_url: url, webhook_created }],
  });
  const updated = await call("PUT", `/v1/webhooks/${id}`, { webhook_type: "add-user" });
  expect(updated.body).toEqual({
    http: 200,
    message: expect.any(String),
    href: created.body.href,
    webhook_id: Number(id),
    webhook_type: "add-user",
    webhook_url: url,
    webhook_updated: expect.stringMatching(/\+0000$/),
  });
  const deleted = await call("DELETE", `/v1/webhooks/${id}`);
  expect(deleted.body).toEqual({ http: 200, message: expect.any(String), webhook_id: Number(id) });
  expect((await call("GET", `/v1/webhooks/${id}`)).body).toMatchObject({ http: 404, code: 10306 });
});

test.each([
  ["POST", "/v1/webhooks", { webhook_url: url }, 400, 10300],
  ["POST", "/v1/webhooks", { webhook_type: "", webhook_url: url }, 400, 10300],
  ["POST", "/v1/webhooks", { webhook_type: "all" }, 400, 10301],
  ["POST", "/v1/webhooks", { webhook_type: "al", webhook_url: url }, 400, 10302],
  ["POST", "/v1/webhooks", { webhook_type: "all", webhook_url: "example.com" }, 400, 10010],
  ["PUT", "/v1/webhooks", { webhook_type: "all" }, 400, 10303],
  ["DELETE", "/v1/webhooks", undefined, 400, 10304],
  ["GET", "/v1/webhooks/abc", undefined, 400, 10305],
  ["PUT", "/v1/webhooks/0", { webhook_type: "all" }, 400, 10305],
  ["GET", "/v1/webhooks/12345", undefined, 404, 10306],
  ["PUT", "/v1/webhooks/12345", { webhook_type: "all" }, 404, 10306],
  ["DELETE", "/v1/webhooks/12345", undefined, 404, 10306],
  ["PUT", "/v1/webhooks/12345", {}, 400, 10308],
  ["PATCH", "/v1/webhooks", undefined, 400, 10001],
  ["POST", "/v1/webhooks/12345", { webhook_type: "all" }, 400, 10001],
  ["GET", "/v1/webhooks?limit=0", undefined, 400, 10010],
  ["GET", "/v1/webhooks?offset=x", undefined, 400, 10010],
] as const)("%s %s %j is refused: %i %i", async (method, path, form, status, code) => {
  const answer = await ask(service)(method, path, form as Record<string, string>);
  expect(answer).toMatchObject({ status, body: { http: status, code, message: expect.any(String) } });
});

test("webhooks belong to their account", async () => {
  const { body } = await create();
  const other = ask(service, service.keys.account);
  expect((await other("GET", "/v1/webhooks")).body.total_webhooks).toBe("0");
  expect((await other("DELETE", `/v1/webhooks/${body.webhook_id}`)).body.code).toBe(10306);
});
