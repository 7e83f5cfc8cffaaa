/** `fetchReceiver` as the handler of platforms, with the arguments that each passes; and what happens where a platform stops. */

import { createServer } from "node:http";
import { type HttpHandler, HttpRequest, HttpResponse, InvocationContext } from "@azure/functions";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchReceiver, type Handler, nodeReceiver } from "../../receiver";
import { askWithNode } from "../emulator/ask";
import { listen } from "../sdk/server";
import { form, recorder, requestOf, signed } from "./requests";

const { handled, errors, handler, options } = recorder();
afterEach(() => vi.unstubAllEnvs());

/** A platform's context, which waits for what it gets; its method needs its object. */
class WaitingContext {
  readonly waiting: Promise<unknown>[] = [];
  waitUntil(promise: Promise<unknown>) {
    this.waiting.push(promise);
  }
}

const contexts: Record<string, (waiting: WaitingContext) => unknown[]> = {
  "nothing, as Remix and Hono": () => [],
  "Next's parameters": () => [{ params: Promise.resolve({}) }],
  "Deno's information": () => [{ remoteAddr: { hostname: "::1" }, completed: Promise.resolve() }],
  "Bun's server": () => [{ fetch() {}, upgrade: () => false, waitUntil: undefined }],
  "a function for the next handler": () => [() => {}],
  "texts and nothing": () => ["GET", null, undefined, 7],
  "environment and context, as Workers": (context) => [{ KEY: "x" }, context],
  "a context, as Netlify": (context) => [context],
};
test.each(Object.entries(contexts))("with %s: the event is handled once, after the answer", async (_, argsOf) => {
  const context = new WaitingContext();
  const response = await fetchReceiver(handler, options)(requestOf(), ...argsOf(context));
  expect([response.status, await response.text(), handled.length]).toEqual([200, "OK", 0]);
  await Promise.all(context.waiting);
  if (context.waiting.length > 0) expect(handled).toHaveLength(1);
  await expect.poll(() => handled.length).toBe(1);
});

test.each([
  ["SvelteKit, Astro and Remix pass it", () => ({ params: {}, locals: {} })],
  ["Pages Functions pass it", (context: WaitingContext) => Object.assign(context, { env: {}, next() {} })],
])("within one argument, as %s", async (_, eventOf) => {
  const context = new WaitingContext();
  const event = Object.assign(eventOf(context), { request: requestOf() });
  expect((await fetchReceiver(handler, options)(event)).status).toBe(200);
  await Promise.all(context.waiting);
  await expect.poll(() => handled.length).toBe(1);
});

test.each([
  [
    "h3 passes it, with the headers beside it",
    (request: Request) => ({ req: request, headers: request.headers, method: "POST" }),
  ],
  [
    "Hono passes it",
    (request: Request) => ({ req: { raw: request, method: "POST", header: () => undefined }, env: {} }),
  ],
  ["the request of Hono alone", (request: Request) => ({ raw: request, method: "POST", header: () => undefined })],
])("within one argument, as %s", async (_, eventOf) => {
  expect((await fetchReceiver(handler, options)(eventOf(requestOf()))).status).toBe(200);
  await expect.poll(() => handled.length).toBe(1);
  expect(errors).toEqual([]);
});

test.each([
  ["an event without its request", { headers: new Headers(signed(form)), method: "POST" }],
  ["Node's request", { headers: signed(form), method: "POST", body: form }],
  ["nothing", undefined],
])("%s is no request with an empty body", async (_, first) => {
  await expect(fetchReceiver(handler, options)(first as never)).rejects.toThrow("fetchReceiver needs a fetch Request");
});

test("what has no body is no request, by its type either", async () => {
  const event = { headers: new Headers(), method: "POST" };
  // @ts-expect-error Without `body`, a notification would look like an empty one.
  await expect(fetchReceiver(handler, options)(event)).rejects.toThrow("fetchReceiver needs a fetch Request");
});

test("names its first argument: Deno passes as many as a function names", () => {
  expect(fetchReceiver(handler, options)).toHaveLength(1);
});

test("a platform that cannot wait: the answer does, and the event is handled once", async () => {
  const waitUntil = () => {
    throw new TypeError("Illegal invocation");
  };
  const response = await fetchReceiver(handler, options)(requestOf(), { waitUntil });
  expect([response.status, handled.length]).toEqual([200, 1]);
});

describe("Azure Functions", () => {
  const receiver: HttpHandler = fetchReceiver(handler, options);
  const call = async (method: string, body?: object) => {
    const init = { method, url: "https://app.example/api/esign", headers: signed(form), ...(body && { body }) };
    const result = await receiver(new HttpRequest(init), new InvocationContext());
    // As the package does with what a handler returns.
    const response = new HttpResponse(result as object);
    return { status: response.status, type: response.headers.get("content-type"), body: await response.text() };
  };

  test.each([
    ["bytes", { bytes: Buffer.from(form) }],
    ["a text", { string: form }],
  ])("a body that the host passes as %s", async (_, body) => {
    expect(await call("POST", body)).toEqual({ status: 200, type: "text/plain; charset=utf-8", body: "OK" });
    await expect.poll(() => handled.length).toBe(1);
  });

  test("a check of the URL, and a body that is not signed", async () => {
    expect(await call("HEAD")).toMatchObject({ status: 200, body: "" });
    expect(await call("POST", { string: "action=x" })).toMatchObject({ status: 401, body: "Unauthorized" });
  });
});

describe.each([
  ["AWS_LAMBDA_FUNCTION_NAME", "receiver"],
  ["VERCEL", "1"],
  ["K_SERVICE", "receiver"],
])("where %s is set, the platform may stop after the answer", (name, value) => {
  beforeEach(() => vi.stubEnv(name, value));
  const slow: Handler = async (received) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await handler(received);
  };

  test("the event is handled first", async () => {
    const response = await fetchReceiver(slow, options)(requestOf(), { params: Promise.resolve({}) });
    expect([response.status, handled.length]).toEqual([200, 1]);
    const server = createServer(nodeReceiver(slow, options));
    const { url } = await listen(server, () => server.closeAllConnections());
    const { status } = await askWithNode(url, { method: "POST", headers: signed(form), agent: false }, form);
    expect([status, handled.length]).toEqual([200, 2]);
  });

  test("unless the platform waits", async () => {
    const context = new WaitingContext();
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const response = await fetchReceiver(async (received) => held.then(() => handler(received)), options)(
      requestOf(),
      {},
      context,
    );
    expect([response.status, handled.length]).toEqual([200, 0]);
    goOn();
    await Promise.all(context.waiting);
    expect(handled).toHaveLength(1);
  });
});

describe("handleWithinSeconds", () => {
  const respond = async (its: Handler, handleWithinSeconds: number, context = new WaitingContext()) => {
    const response = await fetchReceiver(its, { ...options, handleWithinSeconds })(requestOf(), context);
    return [response.status, await response.text(), context.waiting.length];
  };

  test("the answer says how the handler ended, also where the platform could wait", async () => {
    expect(await respond(handler, 60)).toEqual([200, "OK", 0]);
    expect(handled).toHaveLength(1);
    expect(await respond(() => Promise.reject(new Error("no database")), 60)).toEqual([
      500,
      "Internal Server Error",
      0,
    ]);
    expect(await respond(handler, Number.POSITIVE_INFINITY)).toEqual([200, "OK", 0]);
    expect(errors).toMatchObject([{ message: "no database" }]);
  });

  test("a handler that fails after its time is reported twice, and ends nothing", async () => {
    let fail = (_error: Error) => {};
    const late = new Promise<void>((_, reject) => {
      fail = reject;
    });
    expect(await respond(() => late, 0.001)).toEqual([503, "Service Unavailable", 0]);
    fail(new Error("too late"));
    await expect.poll(() => errors).toMatchObject([{ code: "handler-timeout", status: 503 }, { message: "too late" }]);
  });
});
