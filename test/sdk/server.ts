/** Real servers for tests of the client: one that answers HTTP by a function, one that writes raw bytes. */
import http from "node:http";
import net from "node:net";
import { onTestFinished } from "vitest";
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
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    url,
    seen,
    server,
    close,
    client: (options: Partial<ConnectOptions> = {}): Client => connect({ baseUrl: url, apiKey: key, ...options }),
  };
}

/** Starts a server that answers each request with these bytes and then ends, or cuts, the connection. */
export async function serveBytes(bytes: (index: number) => Buffer | string, end: "end" | "cut" | "hold" = "end") {
  let requests = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let asked = false;
    socket.on("data", () => {
      if (asked) return;
      asked = true;
      socket.write(bytes(requests++), () => {
        if (end === "end") socket.end();
        else if (end === "cut") socket.resetAndDestroy();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return {
    url,
    requests: () => requests,
    client: (options: Partial<ConnectOptions> = {}): Client => connect({ baseUrl: url, apiKey: key, ...options }),
  };
}

/** A webhook as the service answers it. */
export const webhook = {
  webhook_id: "7",
  webhook_type: "all",
  webhook_url: "https://receiver.example/hook",
  webhook_created: "2024-05-06T07:08:09+0000",
};

/** Runs a call that must fail, and returns its error. */
export async function failure<E = Error>(call: Promise<unknown>): Promise<E> {
  try {
    await call;
  } catch (error) {
    return error as E;
  }
  throw new Error("the call did not fail");
}
