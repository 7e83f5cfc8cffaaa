/** AWS Lambda: the adapter for its events, and Express behind the adapters that people use. Nothing runs after the answer. */
import serverlessExpress from "@codegenie/serverless-express";
import type { ALBHandler, APIGatewayProxyHandler, APIGatewayProxyHandlerV2, Context } from "aws-lambda";
import express from "express";
import serverless from "serverless-http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  expressReceiver,
  type Handler,
  lambdaReceiver,
  nodeReceiver,
  type ReceiverOptions,
  sign,
} from "../../receiver";
import { SIGNATURE_HEADER } from "../../sdk/api/notification-headers";
import { minimal } from "../fixtures/notifications";
import { lambdaEvents } from "./lambda-events";
import { FORM, form, recorder, secret, signed } from "./requests";

const { handled, errors, handler, options } = recorder();
beforeEach(() => vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "receiver"));
afterEach(() => vi.unstubAllEnvs());

type Invoke = (event: object, context: object) => Promise<{ statusCode: number; body: string }>;

function appOf(...args: [Handler, ReceiverOptions]) {
  const app = express();
  app.all("/esign", expressReceiver(...args));
  return app;
}

const adapters: Record<string, (...args: [Handler, ReceiverOptions]) => Invoke> = {
  lambdaReceiver: (...args) => lambdaReceiver(...args),
  "Express behind serverless-express": (...args) => {
    const invoke = serverlessExpress({ app: appOf(...args) });
    return (event, context) => invoke(event, context as Context, () => {}) as unknown as ReturnType<Invoke>;
  },
  "Express behind serverless-http": (...args) => serverless(appOf(...args)) as unknown as Invoke,
  // Its response does not return itself.
  "nodeReceiver behind serverless-http": (...args) => serverless(nodeReceiver(...args)) as unknown as Invoke,
};

test("a body that a middleware has parsed and kept is read, and headers where the list of all their values is empty", async () => {
  const headers = signed(form, FORM);
  for (const isBase64Encoded of [false, true]) {
    const rawBody = isBase64Encoded ? Buffer.from(form).toString("base64") : form;
    const event = {
      httpMethod: "POST",
      headers,
      multiValueHeaders: {},
      body: { action: "parsed" },
      rawBody,
      isBase64Encoded,
    };
    const result = await lambdaReceiver(handler, options)(event as never);
    expect([result.statusCode, errors]).toEqual([200, []]);
  }
});

describe.each(Object.entries(adapters))("%s", (_, make) => {
  describe.each(Object.entries(lambdaEvents))("of a %s", (_, eventOf) => {
    const slow: Handler = async (received) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await handler(received);
    };

    test.each([
      ["form", form, FORM],
      ["JSON", JSON.stringify({ ...minimal["add-user"], name: "Zoë" }), "application/json"],
    ])("a notification, %s, is handled when its answer is there", async (_, body, type) => {
      const invoke = make(slow, options);
      for (const isBase64Encoded of [false, true]) {
        const result = await invoke(eventOf({ headers: signed(body, type), body, isBase64Encoded }), {});
        expect(result).toMatchObject({ statusCode: 200, body: "OK" });
      }
      expect([handled.length, errors]).toEqual([2, []]);
    });

    test("what is not accepted, and a check of the URL", async () => {
      const invoke = make(slow, options);
      const statusOf = async (message: Parameters<typeof eventOf>[0]) =>
        (await invoke(eventOf(message), {})).statusCode;
      expect(await statusOf({ headers: signed(form), body: `${form}&a=b` })).toBe(401);
      expect(await statusOf({ headers: {}, body: form })).toBe(401);
      expect(await statusOf({ headers: signed("x"), body: "x".repeat(1024 * 1024 + 1) })).toBe(413);
      for (const method of ["GET", "HEAD"]) expect(await statusOf({ method, headers: {} })).toBe(200);
      expect(await statusOf({ method: "PUT", headers: {}, body: "" })).toBe(405);
      expect(handled).toEqual([]);
    });
  });

  test("a handler that fails, or takes too long: the answer is not 200", async () => {
    const event = lambdaEvents["HTTP API or function URL"]({ headers: signed(form), body: form });
    const failing = make(() => Promise.reject(new Error("no database")), options);
    expect((await failing(event, {})).statusCode).toBe(500);
    const endless = make(() => new Promise(() => {}), { ...options, handleWithinSeconds: 0.01 });
    expect((await endless(event, {})).statusCode).toBe(503);
    expect(errors).toMatchObject([{ message: "no database" }, { code: "handler-timeout" }]);
  });
});

test.each(Object.entries(adapters).slice(1))(
  "%s, where the platform does not stop: the answer is first",
  async (_, make) => {
    vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "");
    const invoke = make(handler, options);
    const event = lambdaEvents["HTTP API or function URL"]({ headers: signed(form), body: form });
    expect((await invoke(event, {})).statusCode).toBe(200);
    await expect.poll(() => handled.length).toBe(1);
  },
);

describe("lambdaReceiver", () => {
  const message = { headers: signed(form), body: form };

  test("answers before the function's time is over", async () => {
    const invoke = lambdaReceiver(() => new Promise(() => {}), options);
    const result = await invoke(lambdaEvents["REST API"](message), { getRemainingTimeInMillis: () => 510 });
    expect(result).toMatchObject({ statusCode: 503, statusDescription: "503 Service Unavailable" });
  });

  test("a load balancer gets headers in the shape of its own", async () => {
    const invoke = lambdaReceiver(handler, options);
    const type = "text/plain; charset=utf-8";
    const { headers, multiValueHeaders } = await invoke(lambdaEvents["load balancer"](message));
    expect([headers, multiValueHeaders]).toEqual([{ "content-type": type }, undefined]);
    const multi = await invoke(lambdaEvents["load balancer with multi-value headers"](message));
    expect([multi.headers, multi.multiValueHeaders]).toEqual([undefined, { "content-type": [type] }]);
  });

  test("a signature that occurs twice is refused", async () => {
    const event = lambdaEvents["REST API"](message);
    const twice = { ...event.multiValueHeaders, [SIGNATURE_HEADER]: [sign("x", secret), sign(form, secret)] };
    expect((await lambdaReceiver(handler, options)({ ...event, multiValueHeaders: twice })).statusCode).toBe(401);
  });

  test("a body that a middleware has parsed is an error of ours; no body has no length", async () => {
    const invoke = lambdaReceiver(handler, options);
    const event = lambdaEvents["HTTP API or function URL"](message);
    const parsed = Object.fromEntries(new URLSearchParams(form)) as unknown as string;
    expect((await invoke({ ...event, body: parsed })).statusCode).toBe(500);
    for (const body of [null, undefined, ""]) expect((await invoke({ ...event, body })).statusCode).toBe(411);
    expect(errors[0]).toMatchObject({ code: "raw-body-missing" });
  });

  test("is a handler by the types of AWS", () => {
    const its = lambdaReceiver(handler, options);
    const rest: APIGatewayProxyHandler = its;
    const http: APIGatewayProxyHandlerV2 = its;
    const balancer: ALBHandler = its;
    expect([rest, http, balancer]).toHaveLength(3);
  });
});
