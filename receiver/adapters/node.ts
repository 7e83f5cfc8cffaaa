/** The adapter for Node's HTTP server, and for what has its requests and responses: Express, Next's pages, adapters of AWS Lambda. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream";
import { type Answer, closingHeaders, createReceiver, type Handler, type ReceiverOptions } from "../answer";

/** What middleware may have made of a request's body. */
interface ParsedRequest extends IncomingMessage {
  body?: unknown;
  rawBody?: unknown;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A listener for `http.createServer`, or to call with the requests to one path. */
export function nodeReceiver(handler: Handler, options: ReceiverOptions): Listener {
  const receiver = createReceiver(handler, options);
  return async (request: ParsedRequest, response) => {
    const { method, headers } = request;
    const body = () => ({
      copies: [request.rawBody, request.body],
      stream: request,
      length: headers["content-length"],
    });
    // Requests of adapters may have no socket.
    const address = request.socket?.remoteAddress;
    const result = await receiver.answer({ method, headers, body, address });
    runWhenSent(response, result);
    // A middleware that limits the time may have answered.
    if (response.headersSent) return;
    // One after the other: not every response of an adapter returns itself.
    response.writeHead(result.status, headersOf(request, result));
    response.end(result.body);
  };
}

/**
 * A handler for `app.all(path, …)` of Express, which also answers the check whether the URL can be reached. Put it before
 * `express.json()` and `express.urlencoded()`, or behind `express.raw({ type: () => true, limit: "1mb" })`: the signature is over the
 * raw body.
 */
export function expressReceiver(handler: Handler, options: ReceiverOptions): Listener {
  return nodeReceiver(handler, options);
}

/** HTTP/2 has no header for a connection, and a stream for each request. */
export function headersOf({ httpVersionMajor }: IncomingMessage, result: Answer): Record<string, string> {
  return httpVersionMajor < 2 ? closingHeaders(result) : result.headers;
}

/** Also when the client did not wait for the answer: the event has been accepted. Not every response of an adapter closes. */
export function runWhenSent(response: ServerResponse, { afterwards }: Answer): void {
  if (!afterwards) return;
  let isRun = false;
  const run = () => {
    if (!isRun) void afterwards();
    isRun = true;
  };
  if (response.writableFinished) run();
  response.once("finish", run);
  finished(response, run);
}
