/** Adapters for servers and frameworks. Each answers at once, and then runs the handler. No framework is imported. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream";
import { type Answer, answer, checked, type Handler, type ReceiverOptions } from "./answer";
import { readFetchBody, readNodeBody } from "./body";
import { ReceiverError } from "./errors";
import type { RawBody } from "./signature";

/** What middleware may have made of a request's body. */
interface ParsedRequest extends IncomingMessage {
  body?: unknown;
  rawBody?: unknown;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A listener for `http.createServer`, or to call with the requests to one path. */
export function nodeReceiver(handler: Handler, options: ReceiverOptions): Listener {
  checked(options);
  return async (request: ParsedRequest, response) => {
    const { method, headers } = request;
    const readBody = async (limit: number) => rawBodyOf(request) ?? readNodeBody(request, limit);
    const result = await answer({ method, headers, readBody }, handler, options);
    runWhenSent(response, result);
    response.writeHead(result.status, result.headers).end(result.body);
  };
}

/**
 * A handler for `app.post(path, …)` of Express. Put it before `express.json()` and `express.urlencoded()`, or behind
 * `express.raw({ type: () => true })`: the signature is over the raw body.
 */
export function expressReceiver(handler: Handler, options: ReceiverOptions): Listener {
  return nodeReceiver(handler, options);
}

/** The raw body that middleware has read; undefined if it is still to be read. */
function rawBodyOf(request: ParsedRequest): RawBody | undefined {
  for (const body of [request.rawBody, request.body]) {
    if (typeof body === "string" || body instanceof Uint8Array) return body;
  }
  if (!request.readableDidRead) return undefined;
  throw new ReceiverError(
    "raw-body-missing",
    "put the receiver before express.json() and express.urlencoded(), or use express.raw({ type: () => true }) on its route",
  );
}

/** The parts of Fastify that are used. */
interface FastifyApp {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: Error | null) => void) => void,
  ): unknown;
  post(path: string, handler: (request: { raw: IncomingMessage }, reply: FastifyReply) => unknown): unknown;
}

interface FastifyReply {
  raw: ServerResponse;
  code(status: number): FastifyReply;
  headers(headers: Record<string, string>): FastifyReply;
  send(body: string): FastifyReply;
}

/** A plugin for `app.register(…)` of Fastify, which adds `POST path`. The rest of the app keeps its body parsers. */
export function fastifyReceiver(
  path: string,
  handler: Handler,
  options: ReceiverOptions,
): (app: FastifyApp) => Promise<void> {
  checked(options);
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    app.post(path, async ({ raw }, reply) => {
      const { method, headers } = raw;
      const result = await answer({ method, headers, readBody: (limit) => readNodeBody(raw, limit) }, handler, options);
      runWhenSent(reply.raw, result);
      return reply.code(result.status).headers(result.headers).send(result.body);
    });
  };
}

/** The context of platforms that stop a function after its response. */
interface FetchContext {
  waitUntil(promise: Promise<unknown>): void;
}

/** A function from a fetch `Request` to a `Response`. With the platform's context, the platform waits for the handler. */
export function fetchReceiver(
  handler: Handler,
  options: ReceiverOptions,
): (request: Request, context?: FetchContext) => Promise<Response> {
  checked(options);
  return async (request, context) => {
    const { method, headers } = request;
    const readBody = (limit: number) => readFetchBody(request, limit);
    const { status, headers: fields, body, afterwards } = await answer({ method, headers, readBody }, handler, options);
    if (afterwards) {
      // After this turn, in which the response is passed on.
      const done = new Promise((resolve) => setTimeout(resolve)).then(afterwards);
      context?.waitUntil(done);
    }
    return new Response(method === "HEAD" ? null : body, { status, headers: fields });
  };
}

/** Also when the client did not wait for the answer: the event has been accepted. */
function runWhenSent(response: ServerResponse, { afterwards }: Answer): void {
  if (afterwards) finished(response, () => void afterwards());
}
