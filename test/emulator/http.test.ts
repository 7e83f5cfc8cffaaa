import { connect } from "node:net";
import { beforeEach, expect, test } from "vitest";
import { ask, type Body, basic } from "./ask";
import { emulatorForTest, useEmulator } from "./use-emulator";

const service = useEmulator();
beforeEach(() => service.reset());

const call = ask(service);
const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const good = "webhook_type=all&webhook_url=https%3A%2F%2Fexample.com%2Fa";
/** Sends bytes as they are. */
const raw = (
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => call(method, path, undefined, { ...(body === undefined ? {} : { body }), headers });
const post = (body?: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) =>
  raw("POST", "/v1/webhooks", body, headers);
const get = (authorization: string) => raw("GET", "/v1/webhooks", undefined, { authorization });
const refused = (status: number, code: number) => ({ status, body: { http: status, code } });

/** What a connection answers to these bytes, until it is closed: status and body. */
const spoken = (bytes: string) =>
  new Promise<{ status: number; body: Body }>((resolve, reject) => {
    let text = "";
    const socket = connect(service.port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.setEncoding("utf8").on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), body: body && JSON.parse(body) });
    });
  });

test("what the account's interface lacks does not exist, whatever is asked of it", async () => {
  service.configure({ missing: ["contacts", "templates"] });
  const requests = ["PUT contacts", "DELETE contacts", "POST contacts/5", "PUT templates", "PUT templates/x"];
  for (const [method, name] of requests.map((each) => each.split(" ") as [string, string]))
    expect((await call(method, `/v1/${name}`)).body.code).toBe(10003);
});

test("the password is any value, also none", async () => {
  const bare = `Basic ${Buffer.from(service.keys.partner).toString("base64")}`;
  const headers = ["", "x", "p:q"].map((password) => basic(service.keys.partner, password));
  for (const authorization of [...headers, bare]) expect((await get(authorization)).status).toBe(200);
});

test.each([
  ["no header", ""],
  ["another scheme", "Bearer abc"],
  ["an unknown key", basic("unknown")],
  ["no key", basic("")],
  ["no base64", "Basic ###"],
])("%s is refused with 401 and 10002", async (_, authorization) => {
  const response = await get(authorization);
  expect(response.headers.get("www-authenticate")).toMatch(/^Basic/);
  expect(response).toMatchObject(refused(401, 10002));
});

test("a key that was replaced is refused as removed; the new one opens the same account", async () => {
  const [partner] = service.data().accounts;
  const old = service.keys.partner;
  const fresh = await service.rotateKey(partner!.id);
  expect((await ask(service, old)("GET", "/v1/branding")).body).toMatchObject({ http: 401, code: 10005 });
  expect((await ask(service, fresh)("GET", "/v1/companies")).status).toBe(200);
  expect(service.keys.partner).toBe(fresh);
  await service.reset();
  expect(service.keys.partner).toBe(old);
  expect((await ask(service, old)("GET", "/v1/companies")).status).toBe(200);
});

test("a suspended account is refused with 10004, a plan without the interface with 10009", async () => {
  const { id } = service.data().accounts[0]!;
  await service.suspend(id);
  for (const [method, body] of [["GET"], ["PATCH"], ["PUT", "{}"]] as const)
    expect(await raw(method, "/v1/branding", body, json)).toMatchObject(refused(403, 10004));
  await service.suspend(id, false);
  const headers = { ...json, authorization: basic(service.keys.account) };
  expect(await raw("POST", "/v1/companies", "{}", headers)).toMatchObject(refused(403, 10008));
  expect((await call("GET", "/v1/branding")).status).toBe(200);
  const other = await emulatorForTest({ seed: { account: { withoutApi: true } } });
  expect(await ask(other, other.keys.account)("GET", "/v1/branding")).toMatchObject(refused(403, 10009));
});

test.each([
  "/",
  "/v1",
  "/v2/webhooks",
  "/v1/teams",
  "/v1/webhooks/1/x",
  "//",
  // Of a base address with a slash at its end.
  "//v1/webhooks",
  "//v1/_control/reset",
])("an unknown address %s answers 404 with 10003, and stands in the log as it came", async (path) => {
  expect(await raw("POST", path)).toMatchObject(refused(404, 10003));
  expect(service.requests().map((entry) => entry.path)).toEqual([path]);
});

test("what means the same for HTTP is the same: HEAD and GET, an escaped letter, a query's empty field, a body that is not read", async () => {
  const head = await call("HEAD", "/v1/branding");
  expect([head.status, head.headers.get("content-type"), head.body]).toEqual([200, "application/json", ""]);
  const list = await call("GET", "/v1/%77ebhooks?limit=&offset=");
  expect(list.body).toMatchObject({ http: 200, limit: 10, offset: 1 });
  expect(await raw("DELETE", "/v1/webhooks/7", "{}", json)).toMatchObject(refused(404, 10306));
});

test.each([
  ["application/x-www-form-urlencoded"],
  ["application/x-www-form-urlencoded; charset=UTF-8"],
  ["APPLICATION/X-WWW-FORM-URLENCODED;charset=utf-8"],
])("a form of type %s is accepted", async (type) => {
  expect((await post(good, { "content-type": type })).status).toBe(200);
});

test.each([
  ["application/json", '{"webhook_type":"all","webhook_url":"https://example.com"}'],
  ["text/plain", good],
  ["application/x-www-form-urlencoded-not", good],
  ["multipart/form-data; boundary=x", "--x--"],
])("a body of type %s is refused with 10007", async (type, body) => {
  const headers = { "content-type": type };
  expect(await post(body, headers)).toMatchObject(refused(400, 10007));
  expect(await raw("PUT", "/v1/branding", body, headers)).toMatchObject(refused(400, 10007));
});

test("a form without a type is refused, an empty body is an empty form", async () => {
  expect(await post(new Uint8Array(Buffer.from(good)))).toMatchObject(refused(400, 10007));
  expect(await post()).toMatchObject(refused(400, 10300));
});

test.each([
  ["escapes that are not UTF-8", "webhook_type=all&webhook_url=https://example.com/%E4"],
  ["bytes that are not UTF-8", Buffer.from(`${good}\xe4`, "latin1")],
  ["half a letter in front of the next field", "webhook_url=https://example.com/%C3&%A9="],
])("a form with %s is refused with a message, and nothing is made", async (_, body) => {
  const answer = await post(body, form);
  expect(answer).toMatchObject(refused(400, 10010));
  expect(answer.body.message).toMatch(/webhook_url/);
  expect(service.requests()).toMatchObject([{ status: 400, code: 10010 }]);
  expect(service.data().accounts[0]!.webhooks).toEqual([]);
});

test("plus signs, percent signs, line ends and letters of all scripts arrive as they were meant", async () => {
  const subject = "a+b c%20d & e=f; {contract title} – Größe 漢字 😀\r\n\tx";
  for (const [body, expected] of [
    [new URLSearchParams({ branding_email_subject: subject }).toString(), subject],
    [`branding_email_subject=${encodeURIComponent(subject)}`, subject],
    // What says no more than a form: an escaped replacement character, a percent sign alone.
    ["branding_email_subject=%EF%BF%BD+100%+{contract title}", "\uFFFD 100% {contract title}"],
  ] as const) {
    const headers = { ...form, "content-encoding": "identity" };
    const response = await raw("PUT", "/v1/branding/emails/email-send", body, headers);
    expect(response.body.branding_email_subject).toBe(expected);
  }
});

test("the log stays small, whatever is sent as a form", async () => {
  const document = JSON.stringify({ envelope_title: "NDA", document_file_content: "A".repeat(1_000_000) });
  const many = Array.from({ length: 1000 }, (_, i) => `field${i}=1`).join("&");
  for (const body of [document, many]) await post(body, form);
  expect(service.requests()[0]!.fields).toEqual([`${document.slice(0, 100)}…`]);
  expect(service.requests()[1]!.fields).toHaveLength(50);
});

test("an empty field counts as missing, of two the last counts, fields beyond the interface are ignored", async () => {
  expect(await post("webhook_type=&webhook_url=https://example.com", form)).toMatchObject(refused(400, 10300));
  expect(await post("webhook_type=all&webhook_url=", form)).toMatchObject(refused(400, 10301));
  const twice = await post(`webhook_type=nonsense&${good}&colour=red`, form);
  expect(twice).toMatchObject({ status: 200, body: { webhook_type: "all" } });
  const { webhook_id, webhook_url } = twice.body;
  const changed = await call("PUT", `/v1/webhooks/${webhook_id}`, { webhook_type: "add-user", webhook_url: "" });
  expect(changed.body).toMatchObject({ webhook_type: "add-user", webhook_url });
  const branding = await call("PUT", "/v1/branding", { branding_colour: "#123456", branding_logo_url: "" });
  expect(branding.body).toMatchObject({ branding_colour: "#123456" });
});

test("a test key reads everything and changes nothing, but says success", async () => {
  await fill(1);
  const before = service.data();
  const test = ask(service, service.keys.test);
  const [hook] = (await test("GET", "/v1/webhooks")).body.webhooks;
  for (const [method, path, fields] of [
    ["POST", "/v1/webhooks", { webhook_type: "all", webhook_url: "https://example.com" }],
    ["PUT", `/v1/webhooks/${hook.webhook_id}`, { webhook_type: "add-user" }],
    ["DELETE", `/v1/webhooks/${hook.webhook_id}`],
    ["POST", "/v1/companies", { company_name: "A", user_name: "B", user_email: "a@b.example" }],
    ["PUT", "/v1/branding", { branding_colour: "#000000" }],
  ] as const)
    expect(await test(method, path, fields)).toMatchObject({ status: 200, body: { test: true } });
  expect((await test("GET", "/v1/branding")).body.test).toBeUndefined();
  expect(service.data()).toEqual(before);
  expect((await test("POST", "/v1/webhooks", { webhook_type: "all" })).body.code).toBe(10301);
});

async function fill(count: number): Promise<void> {
  for (let i = 1; i <= count; i++) {
    await call("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: `https://example.com/${i}` });
  }
}
const page = async (query: string) => (await call("GET", `/v1/webhooks${query}`)).body;
const urls = (body: { webhooks: { webhook_url: string }[] }) =>
  body.webhooks.map((w) => Number(w.webhook_url.slice(20)));

test("pages: ten by default, 50 at most, ten above that; next leads on and is absent at the end", async () => {
  await fill(60);
  const all = Array.from({ length: 60 }, (_, i) => i + 1);
  // The largest integer of PHP, Go and Java.
  const largest = "9223372036854775807";
  for (const [query, limit, first, last] of [
    ["", 10, 1, 10],
    ["?limit=50", 50, 1, 50],
    ["?limit=51", 10, 1, 10],
    [`?limit=${largest}`, 10, 1, 10],
    ["?offset=51&limit=50", 50, 51, 60],
    ["?offset=61", 10, 61, 60],
    [`?offset=${largest}`, 10, 61, 60],
  ] as const) {
    const body = await page(query);
    expect(body).toMatchObject({ limit, total_webhooks: "60" });
    expect(urls(body)).toEqual(all.slice(first - 1, last));
    expect(body.next).toBe(last < 60 ? `${service.url}/v1/webhooks?offset=${last + 1}&limit=${limit}` : undefined);
  }
  const seen: number[] = [];
  for (let at: string | undefined = "?limit=7"; at; ) {
    const body: Body = await page(at);
    seen.push(...urls(body));
    at = body.next && new URL(body.next).search;
  }
  expect(seen).toEqual(all);
});

test("the last page's next, the page cap and the order can be otherwise", async () => {
  await fill(12);
  const ids = async (): Promise<string[]> => (await page("?limit=20")).webhooks.map((one: Body) => one.webhook_id);
  const oldest = await ids();
  service.configure({ listOrder: "newest" });
  expect(await ids()).toEqual(oldest.toReversed());
  service.configure({ listOrder: "id" });
  expect(await ids()).toEqual(oldest.toSorted());
  service.configure({ listOrder: "oldest" });
  for (const [nextStyle, next] of [
    ["null", null],
    ["empty", ""],
    ["same", `${service.url}/v1/webhooks?offset=1&limit=20`],
    ["foreign", "https://elsewhere.example/v1/webhooks?offset=21&limit=20"],
  ] as const) {
    service.configure({ nextStyle });
    expect((await page("?limit=20")).next).toBe(next);
  }
  service.configure({ pageCap: { limit: 2, fallback: 1 } });
  expect(urls(await page(""))).toEqual([1, 2]);
  expect(urls(await page("?limit=3"))).toEqual([1]);
});

test("the address in the answer of an update can be otherwise", async () => {
  service.configure({ hrefStyle: "other" });
  const company = { company_name: "One", user_name: "Ann", user_email: "ann@one.example" };
  const hook = { webhook_type: "all", webhook_url: "https://example.com/hook" };
  for (const [collection, form, change, other] of [
    ["webhooks", hook, { webhook_type: "add-user" }, "webhook"],
    ["companies", company, { company_name: "Two" }, "company"],
  ] as const) {
    const { href } = (await call("POST", `/v1/${collection}`, form)).body;
    const updated = await call("PUT", new URL(href).pathname, change);
    expect(updated.body.href).toBe(href.replace(collection, other));
  }
});

test.each([
  ["/v1/webhooks", 10307],
  ["/v1/envelopes", 10254],
  ["/v1/companies", 10360],
  ["/v1/usage", 10360],
])("%s without items is an empty list, or where the settings say so the error %i", async (path, expected) => {
  const { status, body } = await call("GET", path);
  expect([status, body.offset, body.limit]).toEqual([200, 1, 10]);
  service.configure({ emptyList: "error" });
  expect(await call("GET", path)).toMatchObject({ status: 404, body: { http: 404, code: expected } });
});

test("a list that lags behind shows new, changed and deleted objects late", async () => {
  await fill(2);
  const [first, second] = (await page("")).webhooks;
  service.configure({ listLag: { lists: 2 } });
  await call("POST", "/v1/webhooks", { webhook_type: "all", webhook_url: "https://example.com/3" });
  await call("PUT", `/v1/webhooks/${first.webhook_id}`, { webhook_url: "https://example.com/9" });
  await call("DELETE", `/v1/webhooks/${second.webhook_id}`);
  // What is asked for by its id is always as it is.
  expect((await call("GET", `/v1/webhooks/${second.webhook_id}`)).status).toBe(404);
  for (let i = 0; i < 2; i++) {
    const late = await page("");
    expect([urls(late), late.total_webhooks]).toEqual([[1, 2], "2"]);
  }
  expect(urls(await page(""))).toEqual([9, 3]);
  // By time, it follows the service's clock.
  service.configure({ listLag: { ms: 3600_000 } });
  await fill(1);
  expect(urls(await page(""))).toEqual([9, 3]);
  await service.advance(3600_001);
  expect(urls(await page(""))).toEqual([9, 3, 1]);
});

test("the log tells requests and keys apart without showing a key", async () => {
  await fill(1);
  await ask(service, "wrong")("GET", "/v1/branding");
  await ask(service, service.keys.account)("GET", "/v1/webhooks?limit=3");
  const log = service.requests();
  expect(log).toMatchObject([
    { n: 1, method: "POST", path: "/v1/webhooks", operation: "webhooks.create", status: 200 },
    { n: 2, method: "GET", path: "/v1/branding", operation: "branding.get", status: 401, code: 10002 },
    { n: 3, method: "GET", path: "/v1/webhooks?limit=3", operation: "webhooks.list", status: 200 },
  ]);
  expect(new Set(log.map(({ key }) => key)).size).toBe(3);
  expect(log[0]!.fields).toEqual(["webhook_type", "webhook_url"]);
  const shown = JSON.stringify([log, service.counts()]);
  for (const key of [...Object.values(service.keys), "wrong"]) expect(shown).not.toContain(`"${key}"`);
  expect(service.counts()).toMatchObject({
    total: 3,
    byMethod: { POST: 1, GET: 2 },
    byOperation: { "webhooks.create": 1, "branding.get": 1, "webhooks.list": 1 },
    byStatus: { 200: 2, 401: 1 },
  });
});

test.each([
  ["an unknown method", "PURGE_ /v1/webhooks HTTP/1.1\r\nHost: x\r\n\r\n", 400, 10001],
  ["a method in small letters", "get /v1/webhooks HTTP/1.1\r\nHost: x\r\n\r\n", 400, 10001],
  ["no HTTP", "hello\r\n\r\n", 400, 10001],
  ["a path that is not escaped", "GET /v1/w\xfcbhooks HTTP/1.1\r\nHost: x\r\n\r\n", 400, undefined],
  ["an invalid length", "POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", 400, undefined],
  ["too long a head", `GET /v1/${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, undefined],
])("what Node cannot read is refused in JSON, too: %s", async (_, bytes, status, code) => {
  const body = { http: status, message: expect.any(String), ...(code === undefined ? {} : { code }) };
  expect(await spoken(bytes)).toEqual({ status, body });
});

test.each(["", "Host:\r\n", "Host: a b\r\n"])(
  "a request without a host of use is answered with the service's own address: %j",
  async (host) => {
    const authorization = `Authorization: ${basic(service.keys.partner)}\r\n`;
    const { status, body } = await spoken(
      `GET /v1/branding HTTP/1.1\r\n${host}${authorization}Connection: close\r\n\r\n`,
    );
    expect(status).toBe(200);
    expect(new URL(body.branding_logo).origin).toBe(service.url);
  },
);
