/** Real servers for tests of the client: one that answers HTTP by a function, one that writes raw bytes. */
import http from "node:http";
import net from "node:net";
import { expect, onTestFinished } from "vitest";
import { type Client, type ConnectOptions, connect } from "../../sdk";

/** A key that stands out in any text. */
export const key = "Tk7-geheim+schluessel/9=Z";

/** A request as the server saw it. */
export interface Seen {
  method: string;
  /** Path and query. */
  url: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  body: string;
  form: URLSearchParams;
}

/** What to answer: status (200), headers, and a body that is sent as it is or as JSON. */
export interface Answer {
  status?: number;
  headers?: http.OutgoingHttpHeaders;
  body?: unknown;
}

type Handler = (
  seen: Seen,
  index: number,
  response: http.ServerResponse,
) => Answer | undefined | Promise<Answer | undefined>;

/** Listens until the test ends. */
/** Listens until the test has ended. */
export async function listen(server: net.Server, cut: () => void) {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });
  onTestFinished(close);
  const client = (options: Partial<ConnectOptions> = {}): Client => connect({ baseUrl: url, apiKey: key, ...options });
  return { url, close, client };
}

/** Starts a server; a handler that returns nothing has answered, or cut, by itself. */
export async function serve(handler: Handler) {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const url = new URL(request.url!, "http://server");
      const body = Buffer.concat(chunks).toString();
      const one: Seen = {
        method: request.method!,
        url: request.url!,
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
        form: new URLSearchParams(body),
      };
      seen.push(one);
      const answer = await handler(one, seen.length - 1, response);
      if (answer === undefined) return;
      const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {});
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers }).end(text);
    });
  });
  return { seen, server, ...(await listen(server, () => server.closeAllConnections())) };
}

/** Starts a server that answers each request with these bytes and then ends the connection. */
export async function serveBytes(bytes: (index: number) => string) {
  let requests = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => socket.end(bytes(requests++)));
  });
  const listening = await listen(server, () => {
    for (const socket of sockets) socket.destroy();
  });
  return { requests: () => requests, ...listening };
}

/** A webhook as the service answers it. */
export const webhook = {
  webhook_id: "7",
  webhook_type: "all",
  webhook_url: "https://receiver.example/hook",
  webhook_created: "2024-05-06T07:08:09+0000",
};
/** The input that creates it, and the answer. */
export const form = { webhook_type: "all", webhook_url: webhook.webhook_url } as const;
export const good = { body: { http: 200, ...webhook } };
export const bad = (status: number, headers = {}) => ({ status, headers, body: { http: status, message: "no" } });

/** Runs a call that must fail, and returns its error, which must be of this class. */
export async function failure<E = Error>(
  call: Promise<unknown>,
  type?: abstract new (...args: never[]) => E,
): Promise<E> {
  const error = await call.then(
    () => {
      throw new Error("the call did not fail");
    },
    (error) => error,
  );
  if (type !== undefined) expect(error).toBeInstanceOf(type);
  return error;
}
