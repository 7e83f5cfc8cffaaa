import { trace } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { form, good, key, serve } from "./server";

afterEach(() => trace.disable());

/** Sets up tracing as a host program does; returns its spans. */
function setUp() {
  const spans: {
    name: string;
    kind: number;
    attributes: Record<string, unknown>;
    failed?: boolean;
    ended?: boolean;
  }[] = [];
  const startSpan = (name: string, { kind, attributes }: { kind: number; attributes: Record<string, unknown> }) => {
    const span: (typeof spans)[0] = { name, kind, attributes: { ...attributes } };
    spans.push(span);
    return {
      setAttribute: (attribute: string, value: unknown) => Object.assign(span.attributes, { [attribute]: value }),
      setStatus: () => Object.assign(span, { failed: true }),
      end: () => Object.assign(span, { ended: true }),
    };
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never });
  return spans;
}

test("each attempt is a span with the attributes of the semantic conventions, without the key", async () => {
  const spans = setUp();
  const service = await serve((_, index) =>
    index === 0 ? { status: 503 } : { body: { http: 200, webhooks: [], webhooks_total: 0 } },
  );
  await service.client().webhooks.list().all();
  const attributes = {
    "http.request.method": "GET",
    "url.template": "/v1/webhooks",
    "server.address": "127.0.0.1",
    "server.port": Number(new URL(service.url).port),
    "esign.operation": "webhooks.list",
  };
  // Tests before this one may leave requests behind, to services of their own.
  const own = spans.filter((span) => span.attributes["server.port"] === attributes["server.port"]);
  expect(own).toMatchObject([
    {
      name: "GET /v1/webhooks",
      kind: 2,
      failed: true,
      ended: true,
      attributes: { ...attributes, "http.response.status_code": 503, "error.type": "503" },
    },
    {
      name: "GET /v1/webhooks",
      ended: true,
      attributes: { ...attributes, "http.response.status_code": 200, "http.request.resend_count": 1 },
    },
  ]);
  expect(own[1]!.failed).toBe(undefined);
  expect(JSON.stringify(spans)).not.toContain(key);
});

test.each(["startSpan", "end"])("a %s that fails does not fail the call, whose write was applied", async (failing) => {
  const fail = () => {
    throw new Error("the exporter is broken");
  };
  const span = { setAttribute: () => span, setStatus: () => span, end: fail };
  const startSpan = failing === "startSpan" ? fail : () => span;
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never });
  const service = await serve(() => good);
  await service.client().webhooks.create(form);
  expect(service.seen).toHaveLength(1);
});

test("without it there is none, and a request says how long it waited and its id", async () => {
  const service = await serve(() => ({
    headers: { "x-request-id": "r-7" },
    body: { http: 200, webhooks: [], webhooks_total: 0 },
  }));
  const events: unknown[] = [];
  const { webhooks } = service.client({ onResponse: (event) => events.push(event) });
  await webhooks.list().all();
  expect(events).toEqual([expect.objectContaining({ requestId: "r-7", waited: expect.any(Number), status: 200 })]);
});
