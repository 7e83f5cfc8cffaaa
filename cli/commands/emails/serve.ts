/** A page on this machine that reloads itself when files change. */
import { watch } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { escapeHtml } from "../../../sdk/text/html-escape";

interface ServeOptions {
  /** What is watched. */
  folder: string;
  /** 0 takes a free one. */
  port: number;
  /** Makes the page, for each time it is asked for. */
  page: () => Promise<string>;
}

interface EmailServer {
  url: string;
  /** Ends the server. */
  close: () => void;
  /** Resolves when the server has ended. */
  closed: Promise<void>;
}

/** Milliseconds in which several changes count as one: editors write a file in steps. */
const SETTLE = 60;

/** Serves the page on the loopback address, for this machine's browsers only. */
export async function serveEmails({ folder, port, page }: ServeOptions): Promise<EmailServer> {
  const listeners = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    // A foreign host name that resolves to this machine must not reach the page (DNS rebinding).
    if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? "")) {
      response.writeHead(403).end();
    } else if (request.method !== "GET") {
      response.writeHead(405, { allow: "GET" }).end();
    } else if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write("retry: 500\n\n");
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
    } else if (request.url === "/") {
      const html = await page().catch(errorPage);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).end(html);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new Error(`port ${port} is in use; --port 0 uses any free one`) : error);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const listener of listeners) listener.write("event: reload\ndata:\n\n");
    }, SETTLE);
  });
  watcher.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  const close = () => {
    clearTimeout(timer);
    watcher.close();
    server.close();
    server.closeAllConnections();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close, closed };
}

/** The error, on a page that tries again by itself. */
function errorPage(error: Error): string {
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Emails</title><pre>${escapeHtml(error.message)}</pre>`;
}
