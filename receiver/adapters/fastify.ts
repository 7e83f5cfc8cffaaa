/** The adapter for Fastify, which is not imported. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createReceiver, type Handler, type ReceiverOptions } from "../answer";
import { headersOf, runWhenSent } from "./node";

/** The parts of Fastify that are used. */
interface FastifyApp {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  route(route: {
    method: string[];
    url: string;
    exposeHeadRoute: boolean;
    handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
  }): unknown;
}

interface FastifyRequest {
  raw: IncomingMessage;
  body?: unknown;
  rawBody?: unknown;
}

interface FastifyReply {
  raw: ServerResponse;
  code(status: number): FastifyReply;
  headers(headers: Record<string, string>): FastifyReply;
  send(body: string): FastifyReply;
}

/** What `app.register` takes. A name, so that a module which exports one compiles with `declaration`. */
export type FastifyPlugin = (app: FastifyApp) => Promise<void>;

/** A plugin for `app.register(…)` of Fastify, which adds the path. The rest of the app keeps its body parsers. */
export function fastifyReceiver(path: string, handler: Handler, options: ReceiverOptions): FastifyPlugin {
  const receiver = createReceiver(handler, options);
  return async (app) => {
    app.removeAllContentTypeParsers();
    // The body is the stream that hooks left, which need not be the request.
    app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    app.route({
      // All that Fastify has by default: none is answered as if the path did not exist.
      method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"],
      url: path,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { method, headers } = request.raw;
        const body = () => ({
          copies: [request.rawBody, request.body],
          stream: request.body ?? request.raw,
          length: headers["content-length"],
        });
        const address = request.raw.socket?.remoteAddress;
        const result = await receiver.answer({ method, headers, body, address });
        runWhenSent(reply.raw, result);
        return reply.code(result.status).headers(headersOf(request.raw, result)).send(result.body);
      },
    });
  };
}
