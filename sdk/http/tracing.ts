/**
 * A span for each request, by the API of OpenTelemetry, where the host program has set it up; elsewhere that package is
 * neither needed nor loaded. Attributes are those of the semantic conventions for HTTP clients.
 */
import { createRequire } from "node:module";

/** What of `@opentelemetry/api` is used. Its types would be needed by everyone who compiles against this package. */
interface Span {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}
interface Tracer {
  startSpan(name: string, options: { kind: number; attributes: Record<string, string | number | undefined> }): Span;
}
interface TracingApi {
  trace: { getTracer(name: string): Tracer };
}

/** Where all versions 1 of the package keep what a program has set up. */
const globalName = Symbol.for("opentelemetry.js.api.1");
const [kindClient, statusError] = [2, 2];

let api: TracingApi | undefined;

function findTracer(): Tracer | undefined {
  const registered = (globalThis as Record<symbol, { trace?: unknown } | undefined>)[globalName];
  if (registered?.trace === undefined) return undefined;
  return quietly(() => {
    api ??= createRequire(__filename)("@opentelemetry/api") as TracingApi;
    return api.trace.getTracer("pulumi-esign");
  });
}

/** The program's own code runs at the beginning and the end of a span. If it fails, the request must not: a write may have been applied. */
function quietly<T>(trace: () => T): T | undefined {
  try {
    return trace();
  } catch {
    return undefined;
  }
}

interface TracedRequest {
  method: string;
  origin: string;
  /** Redacted. */
  path: string;
  /** The path with the names of its parameters. */
  template: string;
  operation: string;
  /** 1 for the first one. */
  attempt: number;
}

/** Starts a span; call the result when the request has ended. Undefined without tracing. */
export function startSpan(request: TracedRequest): ((status: number | undefined, error?: string) => void) | undefined {
  const tracer = findTracer();
  if (tracer === undefined) return undefined;
  const { method, origin, path, template, operation, attempt } = request;
  const { hostname, port, protocol } = new URL(origin);
  const attributes = {
    "http.request.method": method,
    "url.full": origin + path,
    "url.template": template,
    "server.address": hostname,
    "server.port": Number(port || (protocol === "https:" ? 443 : 80)),
    "esign.operation": operation,
    ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }),
  };
  const span = quietly(() => tracer.startSpan(`${method} ${template}`, { kind: kindClient, attributes }));
  if (span === undefined) return undefined;
  return (status, error) =>
    quietly(() => {
      if (status !== undefined) span.setAttribute("http.response.status_code", status);
      if (error !== undefined) {
        span.setAttribute("error.type", status !== undefined && status >= 400 ? String(status) : error);
        span.setStatus({ code: statusError });
      }
      span.end();
    });
}
