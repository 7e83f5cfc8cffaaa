/** The adapters in the real servers and frameworks. */
import { createServer, type RequestListener } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import express from "express";
import fastify, { type FastifyInstance } from "fastify";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  expressReceiver,
  fastifyReceiver,
  fetchReceiver,
  type Handler,
  lambdaReceiver,
  nodeReceiver,
  ReceiverError,
  type ReceiverOptions,
} from "../../receiver";
import { askWithNode } from "../emulator/ask";
import { minimal } from "../fixtures/notifications";
import { listen } from "../sdk/server";
import { FORM, form, recorder, signed } from "./requests";

const json = JSON.stringify(minimal["add-user"]);

const { handled, errors, handler, options } = recorder();

interface Reply {
  status: number;
  body: string;
  allow?: string;
}
const replyOf = (status: number, body: string, allow?: string | null): Reply => ({
  status,
  body,
  ...(allow && { allow }),
});
type Send = (body: string, headers?: Record<string, string>, method?: string) => Promise<Reply>;
const sendTo =
  (url: string): Send =>
  async (body, headers = {}, method = "POST") => {
    const answer = await askWithNode(`${url}/esign`, { method, headers, agent: false }, body);
    return replyOf(answer.status, answer.body, answer.headers.allow);
  };

const startServer = async (listener: RequestListener) => {
  const server = createServer(listener);
  return sendTo((await listen(server, () => server.closeAllConnections())).url);
};

async function startFastify(app: FastifyInstance): Promise<Send> {
  onTestFinished(() => app.close());
  return sendTo(await app.listen({ port: 0, host: "127.0.0.1" }));
}

/** A connection to a server, with the beginning of a POST. */
async function beginPost(itsOptions: ReceiverOptions, head: string) {
  const server = createServer(nodeReceiver(handler, itsOptions));
  await listen(server, () => server.closeAllConnections());
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${head}`);
  return socket;
}

/** Express, with a parser before the receiver. */
function startBehind(parser: express.RequestHandler, ...args: [Handler, ReceiverOptions]): Promise<Send> {
  const app = express();
  app.all("/esign", parser, expressReceiver(...args));
  return startServer(app);
}

const adapters: Record<string, (handler: Handler, options: ReceiverOptions) => Promise<Send>> = {
  "node:http": (...args) => startServer(nodeReceiver(...args)),
  "express, before its parsers": (...args) => {
    const app = express();
    app.all("/esign", expressReceiver(...args));
    app.use(express.json(), express.urlencoded());
    return startServer(app);
  },
  "express.raw": (...args) => startBehind(express.raw({ type: () => true, limit: "2mb" }), ...args),
  "express.text": (...args) => startBehind(express.text({ type: () => true, limit: "2mb" }), ...args),
  fastify: (...args) => {
    const app = fastify();
    app.register(fastifyReceiver("/esign", ...args));
    return startFastify(app);
  },
  fetch: async (...args) => {
    const respond = fetchReceiver(...args);
    return async (body, headers = {}, method = "POST") => {
      const withBody = body === "" ? {} : { body };
      const response = await respond(new Request("http://receiver.example/esign", { method, headers, ...withBody }));
      return replyOf(response.status, await response.text(), response.headers.get("allow"));
    };
  },
};

/** It handles first, and has a size limit of its own: the rest is in a file of its own. */
async function startLambda(...args: [Handler, ReceiverOptions]): Promise<Send> {
  const respond = lambdaReceiver(...args);
  return async (body, headers = {}, method = "POST") => {
    const { statusCode, headers: its, body: text } = await respond({ httpMethod: method, headers, body });
    return replyOf(statusCode, text, its?.allow);
  };
}

describe.each(Object.entries(adapters))("%s", (_, start) => {
  test("answers 200 and passes the event on, in both forms", async () => {
    const send = await start(handler, options);
    expect(await send(form, signed(form))).toEqual({ status: 200, body: "OK" });
    expect(await send(json, signed(json, "application/json"))).toEqual({ status: 200, body: "OK" });
    await expect.poll(() => handled.length).toBe(2);
    expect(handled).toMatchObject([
      {
        event: { action: "signed-envelope", complete: true },
        idempotencyKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      { event: { action: "add-user", form: "minimal" } },
    ]);
    expect(errors).toEqual([]);
  });

  test("answers before slow work", async () => {
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let isDone = false;
    const send = await start(() => done.then(() => (isDone = true)), options);
    expect(await send(form, signed(form))).toEqual({ status: 200, body: "OK" });
    expect(isDone).toBe(false);
    finish();
    await expect.poll(() => isDone).toBe(true);
  });

  const fail = () => {
    throw new Error("no database");
  };
  test.each([
    ["at once", fail],
    ["later", () => wait(1).then(fail)],
  ])("a handler that fails %s has its error reported, with the event; the answer was 200", async (_, failing) => {
    const reports: unknown[][] = [];
    const send = await start(failing, { ...options, onError: (...report) => reports.push(report) });
    expect((await send(form, signed(form))).status).toBe(200);
    const report = [{ message: "no database" }, { event: { contact_id: "7418454" } }];
    await expect.poll(() => reports).toMatchObject([report]);
  });

  test("rejects what it must, with nothing but the status in the body", async () => {
    const send = await start(handler, { ...options, maxBodyBytes: 4000 });
    const old = Date.now() / 1000 - 3600;
    const cases = [
      [await send("hello=world", signed("hello=world")), 400, "Bad Request", "not-an-event"],
      [await send(form, { "content-type": FORM }), 401, "Unauthorized", "signature-missing"],
      [await send(form, signed(`${form}&a=b`)), 401, "Unauthorized", "signature-wrong"],
      [await send(form, signed(form, FORM, old)), 401, "Unauthorized", "timestamp-outside-window"],
      [await send("x".repeat(5000), signed("")), 413, "Content Too Large", "body-too-large"],
    ] as const;
    for (const [reply, status, body] of cases) expect(reply).toEqual({ status, body });
    expect(errors.map((error) => (error as ReceiverError).code)).toEqual(cases.map(([, , , code]) => code));
    expect(errors.every((error) => error instanceof ReceiverError)).toBe(true);
    expect(handled).toEqual([]);
  });

  test("the limit is 1 MiB by default", async () => {
    const send = await start(handler, { ...options, secrets: false });
    const padded = (size: number) => `${form}&pad=`.padEnd(size, "x");
    expect((await send(padded(1024 * 1024))).status).toBe(200);
    expect((await send(padded(1024 * 1024 + 1))).status).toBe(413);
  });

  test("options that would accept everything or nothing are rejected at the start", async () => {
    const secrets = process.env.NO_SUCH_SECRET as string;
    await expect((async () => start(handler, { secrets }))()).rejects.toMatchObject({ code: "options-invalid" });
  });
});

const preflight = { origin: "https://page.example", "access-control-request-method": "POST" };

describe.each(Object.entries({ ...adapters, lambda: startLambda }))("%s", (_, start) => {
  test.each<[string, string, Record<string, string>, number, string]>([
    ["GET", "", {}, 200, "OK"],
    ["HEAD", "", {}, 200, ""],
    ["OPTIONS", "", {}, 405, "Method Not Allowed"],
    ["OPTIONS", "of a page", preflight, 405, "Method Not Allowed"],
    ["OPTIONS", "with a type", { "content-type": "application/json" }, 405, "Method Not Allowed"],
    ["PUT", "", signed(form), 405, "Method Not Allowed"],
    ["PATCH", "", signed(form), 405, "Method Not Allowed"],
    ["DELETE", "", {}, 405, "Method Not Allowed"],
  ])("%s %s is answered alike everywhere", async (method, _what, headers, status, body) => {
    const send = await start(handler, options);
    const allow = status === 405 ? "GET, HEAD, POST" : undefined;
    const hasBody = /^P/.test(method);
    expect(await send(hasBody ? form : "", headers, method)).toEqual({ status, body, allow });
  });
});

describe("express with parsers before the receiver", () => {
  test.each([
    [express.json(), json, "application/json"],
    [express.urlencoded({ extended: true }), form, FORM],
  ])("an error that says what to configure, not a wrong signature", async (parser, body, type) => {
    const send = await startBehind(parser, handler, options);
    expect(await send(body, signed(body, type))).toEqual({ status: 500, body: "Internal Server Error" });
    expect(errors).toMatchObject([{ code: "raw-body-missing", message: expect.stringMatching(/express\.raw/) }]);
  });

  test("a raw body that was kept is used", async () => {
    const keep = (request: { rawBody?: Buffer }, _: unknown, raw: Buffer) => {
      request.rawBody = raw;
    };
    const send = await startBehind(express.json({ verify: keep as never }), handler, options);
    expect((await send(json, signed(json, "application/json"))).status).toBe(200);
    await expect.poll(() => handled.length).toBe(1);
  });
});

test("fastify: other routes keep their parsers", async () => {
  const app = fastify();
  app.register(fastifyReceiver("/esign", handler, options));
  app.post("/other", async ({ body }) => body);
  await startFastify(app);
  const { payload } = await app.inject({ method: "POST", url: "/other", payload: { a: 1 } });
  expect(JSON.parse(payload)).toEqual({ a: 1 });
});

test("node: a body without a length is cut off at the limit, and the answer still arrives", async () => {
  const socket = await beginPost({ ...options, maxBodyBytes: 1000 }, "Transfer-Encoding: chunked\r\n\r\n");
  socket.write(`800\r\n${"x".repeat(0x800)}\r\n`);
  const text = (await socket.toArray()).join("");
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
});

test("fetch: nothing follows a body that is too large on its connection", async () => {
  const request = (length: number) => new Request("http://r.example", { method: "POST", body: "x".repeat(length) });
  const respond = fetchReceiver(handler, { ...options, maxBodyBytes: 1000 });
  const [large, small] = [await respond(request(1001)), await respond(request(1000))];
  expect([large.status, large.headers.get("connection")]).toEqual([413, "close"]);
  expect([small.status, small.headers.get("connection")]).toEqual([401, null]);
});

test("fetch: a body that breaks off is no event", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  const request = new Request("http://r.example", { method: "POST", body, duplex: "half" } as RequestInit);
  expect((await fetchReceiver(handler, options)(request)).status).toBe(400);
  expect(errors).toMatchObject([{ code: "not-an-event" }]);
});

test.each([
  ["at once", () => void JSON.parse("{")],
  ["later", () => wait(1).then(() => JSON.parse("{"))],
])("an onError that fails %s does not end the process", async (_, onError) => {
  const print = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => print.mockRestore());
  const request = new Request("http://r.example", { method: "POST", body: "x=y" });
  expect((await fetchReceiver(handler, { ...options, onError })(request)).status).toBe(401);
  await expect.poll(() => print.mock.calls).toEqual([[expect.any(SyntaxError)]]);
});

test("HTTP/2: a notification, and one that is too large, without a warning of Node", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  const server = createHttp2Server(nodeReceiver(handler, { ...options, maxBodyBytes: form.length }) as never);
  await listen(server as never, () => client.destroy());
  onTestFinished(() => warn.mockRestore());
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const statusOf = (body: string) =>
    new Promise((resolve) => {
      const sent = client.request({ ":method": "POST", ":path": "/esign", ...signed(form) });
      sent.once("response", (headers) => resolve(headers[":status"]));
      sent.on("error", () => {}).resume();
      sent.end(body);
    });
  expect([await statusOf(form), await statusOf(`${form}x`), await statusOf(form)]).toEqual([200, 413, 200]);
  await expect.poll(() => handled.length).toBe(2);
  expect(warn).not.toHaveBeenCalled();
});
