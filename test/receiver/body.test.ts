/** The raw body, wherever upstream code has left it: a text, bytes, a stream; or an error with a clear message, and never a crash or a hang. */
import { createServer, type IncomingMessage, request as send } from "node:http";
import { PassThrough, Readable } from "node:stream";
import express from "express";
import fastify, { type FastifyInstance } from "fastify";
import { describe, expect, onTestFinished, test } from "vitest";
import { expressReceiver, fastifyReceiver, fetchReceiver, nodeReceiver, ReceiverError, receive } from "../../receiver";
import { askWithNode } from "../emulator/ask";
import { listen } from "../sdk/server";
import { form, recorder, requestOf, secret, signed } from "./requests";

const { handled, errors, handler, options } = recorder();
const bytes = Buffer.from(form);
const missing = { code: "raw-body-missing", status: 500 };

type Upstream = (request: IncomingMessage & { body?: unknown; rawBody?: unknown }) => unknown;

/** Sends a notification to a server whose upstream code has the request first; the status of the answer. */
async function statusBehind(upstream: Upstream, body = form): Promise<number> {
  const receiver = nodeReceiver(handler, options);
  const server = createServer(async (request, response) => {
    await upstream(request);
    await receiver(request, response);
  });
  const { url } = await listen(server, () => server.closeAllConnections());
  const { status } = await askWithNode(url, { method: "POST", headers: signed(form), agent: false }, body);
  return status;
}

const readAll = async (stream: Readable) => Buffer.concat(await stream.toArray());

describe("node", () => {
  const kept: Record<string, unknown> = {
    text: form,
    Buffer: bytes,
    Uint8Array: new Uint8Array(bytes),
    DataView: new DataView(new Uint8Array(bytes).buffer),
    ArrayBuffer: new Uint8Array(bytes).buffer,
  };
  test.each(Object.entries(kept))("a body that upstream code read and kept as %s", async (_, body) => {
    for (const its of [{ body }, { body: {}, rawBody: body }]) {
      expect(await statusBehind(async (request) => Object.assign(request, its, { read: await readAll(request) }))).toBe(
        200,
      );
    }
    await expect.poll(() => handled.length).toBe(2);
  });

  test.each(["utf8", "latin1", "hex", "base64"] as const)(
    "a stream that upstream code made one of texts, in %s",
    async (encoding) => {
      expect(await statusBehind((request) => void request.setEncoding(encoding))).toBe(200);
      await expect.poll(() => handled.length).toBe(1);
      expect(await statusBehind((request) => void request.setEncoding(encoding), "action=x")).toBe(401);
    },
  );

  const gone: Record<string, Upstream> = {
    "read and not kept": readAll,
    "read and parsed": async (request) => {
      request.body = Object.fromEntries(new URLSearchParams((await readAll(request)).toString()));
    },
    "passed on to another stream": (request) =>
      request.pipe(new PassThrough()).once("readable", () => {}) && pause(request),
    discarded: (request) => new Promise((resolve) => request.on("data", () => {}).on("end", resolve)),
  };
  const pause = (request: IncomingMessage) => new Promise((resolve) => request.once("data", resolve));
  test.each(Object.entries(gone))("a body that was %s is an error of ours, at once", async (_, upstream) => {
    expect(await statusBehind(upstream)).toBe(500);
    expect(errors).toMatchObject([{ ...missing, message: expect.stringMatching(/before the receiver/) }]);
  });

  test("a stream of objects is an error of ours", async () => {
    const request = Object.assign(Readable.from([{ a: 1 }]), { method: "POST", headers: signed(form) });
    const answers: number[] = [];
    const response = Object.assign(new PassThrough(), {
      writeHead: (status: number) => answers.push(status) && response,
    });
    await nodeReceiver(handler, options)(request as never, response as never);
    expect([answers, errors]).toMatchObject([[500], [missing]]);
  });

  test.each([
    ["in its body, before the receiver gets it", bytes.length + 1, 400, 0],
    ["before the answer: the event is handled", bytes.length, 200, 1],
  ])("a client that disconnects %s", async (_, length, status, count) => {
    const receiver = nodeReceiver(handler, options);
    const statuses: number[] = [];
    const server = createServer(async (request, response) => {
      const closed = new Promise((resolve) => response.once("close", resolve));
      if (count > 0) Object.assign(request, { body: await readAll(request) });
      client.destroy();
      await closed;
      await receiver(request, response);
      statuses.push(response.statusCode);
    });
    const { url } = await listen(server, () => server.closeAllConnections());
    const headers = { ...signed(form), "content-length": length };
    const client = send(url, { method: "POST", headers, agent: false }).on("error", () => {});
    client.write(form);
    await expect.poll(() => statuses).toEqual([status]);
    await expect.poll(() => handled.length).toBe(count);
  });

  test("an answer that upstream code has sent is not sent twice", async () => {
    const receiver = nodeReceiver(handler, options);
    const server = createServer(async (request, response) => {
      response.writeHead(503).end("busy");
      await receiver(request, response);
    });
    const { url } = await listen(server, () => server.closeAllConnections());
    const headers = signed(form);
    expect((await askWithNode(url, { method: "POST", headers, agent: false }, form)).status).toBe(503);
    await expect.poll(() => handled.length).toBe(1);
  });
});

test("express: a parser of another type leaves the body", async () => {
  const app = express();
  app.all("/esign", express.json(), express.raw({ type: "image/png" }), expressReceiver(handler, options));
  const { url } = await listen(createServer(app), () => {});
  const headers = signed(form);
  expect((await askWithNode(`${url}/esign`, { method: "POST", headers, agent: false }, form)).status).toBe(200);
});

describe("fastify", () => {
  async function statusOf(prepare: (app: FastifyInstance) => unknown): Promise<number> {
    const app = fastify();
    onTestFinished(() => app.close());
    await prepare(app);
    app.register(fastifyReceiver("/esign", handler, options));
    const reply = await app.inject({ method: "POST", url: "/esign", payload: form, headers: signed(form) });
    return reply.statusCode;
  }

  test("without a socket, as in adapters of platforms", async () => {
    expect(await statusOf(() => {})).toBe(200);
    await expect.poll(() => handled.length).toBe(1);
  });

  test("a hook that passes another stream on", async () => {
    expect(
      await statusOf((app) =>
        app.addHook("preParsing", async (_request, _reply, payload) =>
          Readable.from([await readAll(payload as Readable)]),
        ),
      ),
    ).toBe(200);
  });

  test("a hook that kept the raw body", async () => {
    expect(
      await statusOf((app) =>
        app.addHook("preParsing", async (request, _reply, payload) => {
          Object.assign(request, { rawBody: await readAll(payload as Readable) });
        }),
      ),
    ).toBe(200);
  });

  test("a hook that consumed the body: an error of ours, at once", async () => {
    const consume = async (_request: unknown, _reply: unknown, payload: unknown) =>
      void (await readAll(payload as Readable));
    expect(await statusOf((app) => app.addHook("preParsing", consume))).toBe(500);
    expect(errors).toMatchObject([missing]);
  });

  test("a check of the URL is answered where the app exposes no HEAD", async () => {
    const app = fastify({ exposeHeadRoutes: false });
    onTestFinished(() => app.close());
    app.register(fastifyReceiver("/esign", handler, options));
    for (const method of ["GET", "HEAD"] as const) {
      expect((await app.inject({ method, url: "/esign" })).statusCode).toBe(200);
    }
  });
});

describe("fetch", () => {
  const respond = fetchReceiver(handler, options);
  const statusOf = async (request: unknown) => (await respond(request as Request)).status;
  /** A request of a platform or a test, whose body upstream code has replaced. */
  const fake = (body: unknown) => ({ method: "POST", headers: new Headers(signed(form)), body });

  test("a text, bytes or a stream of either", async () => {
    for (const body of [form, bytes, new Uint8Array(bytes).buffer, Readable.from([form]), Readable.from([bytes])]) {
      expect(await statusOf(fake(body))).toBe(200);
    }
    for (const body of [form, bytes, Readable.toWeb(Readable.from([bytes]))]) {
      expect(await statusOf(requestOf(body as string))).toBe(200);
    }
    await expect.poll(() => handled.length).toBe(8);
  });

  test("a body that was parsed, read, or is being read", async () => {
    const [used, locked] = [requestOf(), requestOf()];
    await used.text();
    locked.body!.getReader();
    for (const request of [fake({ action: "x" }), fake(7), used, locked]) expect(await statusOf(request)).toBe(500);
    expect(errors).toMatchObject([missing, missing, missing, missing]);
  });

  test("a client that disconnects, although the stream does not notice it", async () => {
    const stop = new AbortController();
    const body = new ReadableStream({ start: (controller) => controller.enqueue(bytes) });
    const pending = statusOf(requestOf(body, { signal: stop.signal }));
    stop.abort();
    expect(await pending).toBe(400);
    expect(await statusOf(requestOf(new ReadableStream(), { signal: AbortSignal.abort() }))).toBe(400);
    expect(errors).toMatchObject([{ code: "not-an-event" }, { code: "not-an-event" }]);
  });

  test("Node's request says which receiver it needs", async () => {
    const request = { method: "POST", headers: signed(form), body: form };
    for (const other of [request, { request }, null, undefined, {}, "POST"]) {
      await expect(statusOf(other)).rejects.toThrow(/nodeReceiver/);
    }
  });
});

test.each([undefined, null, 7, {}, [form], { type: "Buffer", data: [] }])(
  "receive() of %j is an error of ours",
  (body) => {
    const run = () => receive(signed(form), body as string, { secrets: secret });
    expect(run).toThrow(ReceiverError);
    expect(run).toThrow(expect.objectContaining(missing));
  },
);
