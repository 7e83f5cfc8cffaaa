import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { LookupOptions } from "node:dns";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  AbortedError,
  ApiError,
  ConnectionError,
  connect,
  type InputError,
  InvalidResponseError,
  NoResponseError,
  type RequestEvent,
  type ResponseEvent,
  TimeoutError,
} from "../../sdk";
import { describeConnectionError } from "../../sdk/http/connection-errors";
import { lookupLoopback } from "../../sdk/http/lookup-loopback";
import { bad, failure, form, good, key, serve, serveBytes } from "./server";

const once = { retries: 0 } as const;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a request carries Basic with the key as user name, the form-encoded body and nothing else that matters", async () => {
  const service = await serve(() => good);
  const webhook_url = "https://receiver.example/a%20b?c=d&e=ü";
  await service.client().webhooks.create({ ...form, webhook_url });
  const { method, url, headers, form: sent } = service.seen[0]!;
  expect([method, url, headers["content-type"]]).toEqual(["POST", "/v1/webhooks", "application/x-www-form-urlencoded"]);
  expect(Buffer.from(headers.authorization!.slice("Basic ".length), "base64").toString()).toBe(`${key}:x`);
  expect(Object.fromEntries(sent)).toEqual({ webhook_type: "all", webhook_url });
});

test("a GET has no body and no content type; a base URL may have a path", async () => {
  const service = await serve(() => good);
  await connect({ baseUrl: `${service.url}/gateway/`, apiKey: key }).webhooks.get({ webhook_id: 7 });
  expect(service.seen[0]).toMatchObject({ method: "GET", url: "/gateway/v1/webhooks/7", body: "" });
  expect(service.seen[0]!.headers["content-type"]).toBeUndefined();
});

test.each([
  ["http://service.example", "must begin with https://"],
  ["ftp://service.example", "must be an absolute URL"],
  ["service.example", "must be an absolute URL"],
  ["", "must be an absolute URL"],
  ["https:/service.example", "must be an absolute URL"],
  ["https://user:pass@service.example", "must not contain a user name"],
  ["https://service.example/v1", "must not contain /v1"],
  ["https://service.example/?a=b", "no query"],
  ["http://127.0.0.1.example.com", "must begin with https://"],
  ["http://localhost.example.com", "must begin with https://"],
])("the base URL %s is rejected", (baseUrl, words) => {
  expect(() => connect({ baseUrl, apiKey: key })).toThrow(words);
});

test.each([
  ["https://service.example", "https://service.example"],
  ["HTTPS://Service.Example:443/gateway//", "https://service.example/gateway"],
  ["http://localhost:1", "http://localhost:1"],
  ["http://api.localhost/", "http://api.localhost"],
  ["http://127.0.0.1:80", "http://127.0.0.1"],
  ["http://[::1]:8080", "http://[::1]:8080"],
])("the base URL %s is accepted, as %s", (url, baseUrl) => {
  expect(connect({ baseUrl: url, apiKey: key }).baseUrl).toBe(baseUrl);
});

test("all issues of options are reported at once, without their values", () => {
  const options = { baseUrl: "nowhere", apiKey: "with blank", timeout: -1, maxConcurrency: 0, retires: 3 };
  let error: unknown;
  try {
    connect(options as never);
  } catch (thrown) {
    error = thrown;
  }
  const { issues, message } = error as InputError;
  expect(issues.map(({ path }) => path).sort()).toEqual(Object.keys(options).sort());
  expect(message).not.toContain("with blank");
});

test("a redirect is not followed, to the same host or another; a write with the response See Other may have succeeded", async () => {
  const other = await serve(() => ({ body: { http: 200 } }));
  for (const location of [`${other.url}/v1/branding`, "/v1/elsewhere"]) {
    for (const status of [301, 302, 303, 307, 308]) {
      const service = await serve(() => ({ status, headers: { location } }));
      const error = await failure(service.client(once).branding.get(), InvalidResponseError);
      expect(error.message).toContain("redirect");
      expect(service.seen).toHaveLength(1);
      const { mayHaveSucceeded } = await failure(service.client(once).webhooks.create(form), InvalidResponseError);
      expect(mayHaveSucceeded).toBe(status === 303);
    }
  }
  expect(other.seen).toHaveLength(0);
});

test.each([300, 304, 305])("a %i without a location is not described as a redirect", async (status) => {
  const service = await serve((_, __, response) => {
    response.writeHead(status).end();
    return undefined;
  });
  const { message } = await failure(service.client(once).branding.get(), InvalidResponseError);
  expect(message).toBe(
    `branding.get: GET /v1/branding returned ${status} with neither a response of the API nor the location of one`,
  );
});

test("a client may wait as long as one call may: without an end", async () => {
  const service = await serve(() => ({ body: { http: 200 } }));
  expect(await service.client({ timeout: Number.POSITIVE_INFINITY }).branding.get()).toEqual({ http: 200 });
});

test("a refused connection: nothing was sent, and the call is retried, for a write too", async () => {
  const service = await serve(() => good);
  await service.close();
  const error = await failure(service.client(once).webhooks.create(form), ConnectionError);
  expect(error).toMatchObject({
    mayHaveSucceeded: false,
    operation: "webhooks.create",
    method: "POST",
    path: "/v1/webhooks",
  });
  expect(error.message).toContain("the connection was refused");
  const errors: (string | undefined)[] = [];
  const onResponse = ({ error }: ResponseEvent) => {
    if (errors.push(error) === 1) service.server.listen(Number(new URL(service.url).port), "127.0.0.1");
  };
  await service.client({ onResponse }).webhooks.create(form);
  expect(errors[0]).toContain("refused");
  expect(errors.at(-1)).toBeUndefined();
  expect(service.seen).toHaveLength(1);
});

test("maxConcurrency also limits the open connections, whatever is reset", async () => {
  const count = { open: 0, most: 0, all: 0 };
  const service = await serve((_, index, response) => (index % 5 === 4 ? void response.destroy() : good));
  service.server.on("connection", (socket: net.Socket) => {
    count.all++;
    count.most = Math.max(count.most, ++count.open);
    socket.on("close", () => count.open--);
  });
  const client = service.client({ maxConcurrency: 3 });
  await Promise.all(Array.from({ length: 100 }, () => client.webhooks.update({ webhook_id: 7, webhook_type: "all" })));
  expect(count.most).toBe(3);
  expect(count.all).toBeLessThanOrEqual(3 + service.seen.length - 100);
});

test.each([
  ["resets", "resetAndDestroy"],
  ["ends", "destroy"],
] as const)("a service that %s connections beyond the third: no create is duplicated or lost", async (_, hangUp) => {
  const service = await serve(async () => {
    await sleep(5);
    return good;
  });
  let [open, cuts] = [0, 0];
  service.server.on("connection", (socket: net.Socket) => {
    socket.on("close", () => open--);
    if (++open <= 3) return;
    cuts++;
    socket[hangUp]();
  });
  const { webhooks } = service.client();
  const url = (i: number) => `https://receiver.example/${i}`;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) => webhooks.create({ webhook_type: "all", webhook_url: url(i) })),
  );
  expect(cuts).toBeGreaterThan(0);
  for (const [i, outcome] of outcomes.entries()) {
    const seen = service.seen.filter(({ form }) => form.get("webhook_url") === url(i)).length;
    if (outcome.status === "fulfilled") expect(seen).toBe(1);
    else expect(seen).toBeLessThanOrEqual(outcome.reason.mayHaveSucceeded ? 1 : 0);
  }
});

test("a call that is aborted before its connection is used was not sent, and the connection is closed", async () => {
  const sockets: net.Socket[] = [];
  const ended = new AbortController();
  const service = await serve(async () => {
    await sleep(50);
    return good;
  });
  service.server.on("connection", (socket: net.Socket) => {
    if (sockets.push(socket) === 2) ended.abort();
  });
  const client = service.client();
  const create = (options = {}) => client.webhooks.create(form, options);
  const [first, second] = await Promise.all([create(), failure(create({ signal: ended.signal }), AbortedError)]);
  expect(first.webhook_id).toBe("7");
  // On a busy machine it may be in use by then.
  expect(service.seen).toHaveLength(second.mayHaveSucceeded ? 2 : 1);
  await expect.poll(() => sockets.slice(0, 2).map(({ closed }) => closed)).toEqual([false, true]);
});

test("an unknown host, or a server without TLS: not sent", async () => {
  await failure(connect({ baseUrl: "https://nowhere.invalid", apiKey: key, ...once }).branding.get(), ConnectionError);
  const service = await serveBytes(() => "HTTP/1.1 400 Bad Request\r\n\r\n");
  const client = service.client({ baseUrl: service.url.replace("http:", "https:"), ...once });
  const error = await failure(client.webhooks.create(form), ConnectionError);
  expect(error.mayHaveSucceeded).toBe(false);
  // Not in the words that OpenSSL has for its developers.
  expect(error.message).toMatch(
    /could not be sent to https:\/\/127\.0\.0\.1:\d+: the server does not use TLS \(ERR_SSL_\w+\)$/,
  );
  const other = Object.assign(new Error("80:error:0A:SSL routines:f:a reason:../deps/a.c:1:\n"), {
    library: "SSL routines",
    reason: "a reason",
    code: "ERR_SSL_A_REASON",
  });
  expect(describeConnectionError(other)).toBe("TLS failed: a reason (ERR_SSL_A_REASON)");
});

test("a call that ends while it connects leaves no connection behind", async () => {
  // Takes connections, but begins no TLS.
  const server = net.createServer();
  const left = new Promise((resolve) =>
    server.on("connection", (socket) => {
      socket.on("close", () => resolve("closed"));
      socket.on("error", () => undefined).resume();
    }),
  );
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = connect({ baseUrl: `https://127.0.0.1:${(server.address() as net.AddressInfo).port}`, apiKey: key });
  const error = await failure(client.webhooks.create(form, { timeout: 200 }), TimeoutError);
  expect(error).toMatchObject({ kind: "timeout", mayHaveSucceeded: false });
  expect(await left).toBe("closed");
});

test("a connection closed before the response: a write may have succeeded, a read is retried", async () => {
  const service = await serve((_, index, response) => (index < 2 ? void response.destroy() : good));
  const { webhooks } = service.client();
  expect((await failure(webhooks.create(form), NoResponseError)).mayHaveSucceeded).toBe(true);
  expect(service.seen).toHaveLength(1);
  expect((await webhooks.get({ webhook_id: 7 })).webhook_id).toBe("7");
  expect(service.seen).toHaveLength(3);
});

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
test.each([
  ["with a length", `${head}content-length: 500\r\n\r\n{"http":200,`],
  ["in chunks", `${head}transfer-encoding: chunked\r\n\r\nb\r\n{"http":200\r\n`],
])("a truncated response, %s, is invalid: a write may have succeeded, a read is retried", async (_, bytes) => {
  const whole = `${head}connection: close\r\n\r\n${JSON.stringify(good.body)}`;
  const service = await serveBytes((index) => (index < 2 ? bytes : whole));
  const error = await failure(service.client().webhooks.create(form), InvalidResponseError);
  expect(error).toMatchObject({ status: 200, mayHaveSucceeded: true });
  expect(service.requests()).toBe(1);
  expect((await service.client().webhooks.get({ webhook_id: 7 })).webhook_id).toBe("7");
  expect(service.requests()).toBe(3);
});

test("bytes that are not HTTP are an error, not a crash", async () => {
  const service = await serveBytes(() => "\x00\x01 hello, this is another protocol\r\n\r\n");
  await failure(service.client(once).branding.get(), NoResponseError);
});

test("the timeout ends a call without a response, or whose response arrives too slowly; a write may have succeeded", async () => {
  const silent = await serve(() => undefined);
  const error = await failure(silent.client({ timeout: 60 }).webhooks.create(form), TimeoutError);
  expect(error.mayHaveSucceeded).toBe(true);
  expect(silent.seen).toHaveLength(1);
  const read = await failure(silent.client().branding.get(undefined, { timeout: 60 }), TimeoutError);
  expect(read).toMatchObject({ kind: "timeout", mayHaveSucceeded: false });
  const slow = await serve((_, __, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(timer));
    return undefined;
  });
  await failure(slow.client({ timeout: 80, ...once }).branding.get(), TimeoutError);
});

/** Makes a call, aborts it when that is `ready`, and returns its error. */
async function aborted(call: (options: { signal: AbortSignal }) => Promise<unknown>, ready?: () => Promise<unknown>) {
  const controller = new AbortController();
  const error = failure(call({ signal: controller.signal }), AbortedError);
  await ready?.();
  controller.abort();
  return await error;
}

test("a signal aborts a call before, during and between attempts", async () => {
  const { client, seen } = await serve(() => undefined);
  const before = await failure(client().webhooks.create(form, { signal: AbortSignal.abort() }), AbortedError);
  expect(before).toMatchObject({ kind: "aborted", mayHaveSucceeded: false });
  expect(seen).toHaveLength(0);
  const create = (options: object) => client().webhooks.create(form, options);
  const during = await aborted(create, () => expect.poll(() => seen.length).toBe(1));
  expect(during).toMatchObject({ kind: "aborted", mayHaveSucceeded: true });
  const failing = await serve(() => bad(500));
  let hasFailed = () => {};
  const failed = new Promise<void>((resolve) => (hasFailed = () => setTimeout(resolve, 1)));
  const { branding } = failing.client({ retries: 1000, onResponse: () => hasFailed() });
  await aborted(
    (options) => branding.get(undefined, options),
    () => failed,
  );
});

test("a signal aborts a call while its key is searched, and the search continues for the others", async () => {
  const service = await serve(() => good);
  let found: (key: string) => void = () => undefined;
  const { webhooks } = service.client({ apiKey: () => new Promise((resolve) => (found = resolve)) });
  const ended = aborted((options) => webhooks.get({ webhook_id: 7 }, options));
  const other = webhooks.get({ webhook_id: 7 });
  expect(await ended).toMatchObject({ kind: "aborted", mayHaveSucceeded: false });
  found(key);
  await other;
  expect(service.seen).toHaveLength(1);
});

test("a signal aborts a call that waits for a permit, and the next call gets it", async () => {
  const held: (() => void)[] = [];
  const service = await serve(() => new Promise((resolve) => held.push(() => resolve(good))));
  const { webhooks } = service.client({ maxConcurrency: 1 });
  const get = (options = {}) => webhooks.get({ webhook_id: 7 }, options);
  const first = get();
  await expect.poll(() => held.length).toBe(1);
  const waiting = aborted(get);
  const third = get();
  await waiting;
  held[0]!();
  await first;
  await expect.poll(() => held.length).toBe(2);
  held[1]!();
  await third;
  expect(service.seen).toHaveLength(2);
});

test("each attempt waits for its turn; a signal ends that wait, and a turn that fails ends the call", async () => {
  const service = await serve((_, index) => (index === 0 ? bad(503, { "retry-after": "0" }) : good));
  const get = (waitForTurn: () => Promise<void>, options = {}) =>
    service.client({ waitForTurn }).webhooks.get({ webhook_id: 7 }, options);
  let turns = 0;
  await get(async () => void turns++);
  expect([turns, service.seen.length]).toEqual([2, 2]);
  await aborted((options) => get(() => new Promise(() => undefined), options));
  await expect(get(() => Promise.reject(new Error("no budget left")))).rejects.toThrow("no budget left");
  expect(service.seen).toHaveLength(2);
});

test("a refusal that throws ends its call only: as many as may be in progress hold up no other", async () => {
  const service = await serve(() => good);
  const refuseWrite = () => {
    throw new Error("no decision");
  };
  const client = service.client({ maxConcurrency: 2, refuseWrite });
  for (let i = 0; i < 2; i++) await expect(client.webhooks.create(form)).rejects.toThrow("no decision");
  await client.webhooks.get({ webhook_id: 7 });
  expect(service.seen.map(({ method }) => method)).toEqual(["GET"]);
});

test("one signal for many calls causes no warning of a leak", async () => {
  const service = await serve(() => good);
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const client = service.client();
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 40 }, () => client.webhooks.get({ webhook_id: 7 }, { signal })));
  expect(warnings).toEqual([]);
});

test("a response that is too large is aborted, and does not fill the memory", async () => {
  const service = await serve((_, __, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
    return undefined;
  });
  const error = await failure(service.client().branding.get(), InvalidResponseError);
  expect(error.message).toContain("longer than");
  expect(service.seen).toHaveLength(1);
});

test("events report each attempt, and a listener that throws does not break the call", async () => {
  const service = await serve((_, index) =>
    index === 0 ? { status: 500, body: { http: 500, message: `no, ${key}` } } : good,
  );
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const failing = (events: object[]) => (event: object) => {
    events.push(event);
    throw new Error("listener");
  };
  const client = service.client({ onRequest: failing(requests), onResponse: failing(responses) });
  await client.webhooks.get({ webhook_id: 7 });
  expect(requests).toEqual(
    [1, 2].map((attempt) => ({ operation: "webhooks.get", method: "GET", path: "/v1/webhooks/7", attempt })),
  );
  expect(responses).toMatchObject([
    { attempt: 1, status: 500 },
    { attempt: 2, status: 200 },
  ]);
  expect(responses[0]!.error).toContain("returned 500");
  expect(JSON.stringify([requests, responses])).not.toContain(key);
});

test("a listener that rejects does not end the process", async () => {
  const service = await serve(() => good);
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  onTestFinished(() => void process.off("unhandledRejection", onUnhandled));
  const failing = () => Promise.reject(new Error("listener"));
  await service.client({ onRequest: failing, onResponse: failing }).webhooks.get({ webhook_id: 7 });
  await sleep(20);
  expect(unhandled).toEqual([]);
});

test("undici's diagnostics channels see the requests", async () => {
  const service = await serve(() => good);
  const paths: string[] = [];
  const listener = (message: unknown) => paths.push((message as { request: { path: string } }).request.path);
  subscribe("undici:request:create", listener);
  await service.client().webhooks.get({ webhook_id: 7 });
  unsubscribe("undici:request:create", listener);
  expect(paths).toContain("/v1/webhooks/7");
});

test.each([400, 200])(
  "an API error, also with the status %i, contains status, code, message and explanation",
  async (status) => {
    const service = await serve(() => ({ status, body: { http: 400, code: 10302, message: "No such type" } }));
    const error = await failure(service.client().webhooks.create(form), ApiError);
    expect(error).toMatchObject({
      kind: "api",
      status: 400,
      code: 10302,
      serviceMessage: "No such type",
      operation: "webhooks.create",
      method: "POST",
      path: "/v1/webhooks",
      mayHaveSucceeded: false,
      message: "webhooks.create: POST /v1/webhooks returned 400: No such type (code 10302)",
    });
    expect(error.explain()).toMatchObject({ code: 10302, field: "webhook_type" });
  },
);

test("names below localhost are this machine, whatever a resolver says", async () => {
  const service = await serve(() => good);
  const { port } = new URL(service.url);
  for (const host of ["localhost", "no-such-name.localhost", "a.b.localhost"])
    await connect({ baseUrl: `http://${host}:${port}`, apiKey: key, retries: 0 }).branding.get();
  expect(new Set(service.seen.map(({ headers }) => headers.host)).size).toBe(3);
  const resolved = (name: string, options: LookupOptions) =>
    new Promise((done) => lookupLoopback(name, options, (error, ...found) => done(error?.code ?? found)));
  expect(await resolved("x.localhost", { all: true })).toEqual([
    [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ],
  ]);
  expect(await resolved("x.localhost", { family: 6 })).toEqual(["::1", 6]);
  expect(await resolved("localhost.example", {})).toBe("ENOTFOUND");
});
