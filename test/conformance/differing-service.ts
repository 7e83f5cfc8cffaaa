/** A service that is the emulator but for what a test changes in its replies: a proxy in front of it. */
import http from "node:http";
import type { Emulator } from "../../emulator";
import { listen } from "../sdk/server";

export interface Exchange {
  method: string;
  path: string;
  query: URLSearchParams;
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: any member may be changed
  body: any;
}

export interface Changes {
  /** Before it is sent to the emulator: the path and the query. `cut`: the connection breaks instead. */
  request?: (request: Pick<Exchange, "method" | "path" | "query">) => unknown;
  /** Before it is sent to the caller. `cut`: the connection breaks instead. */
  reply?: (exchange: Exchange) => unknown;
}

/** Several changes in one service, one after the other. */
export const together = (all: readonly Changes[]): Changes => ({
  request: (request) => {
    for (const change of all) change.request?.(request);
  },
  reply: (exchange) => {
    for (const change of all) change.reply?.(exchange);
  },
});

export async function differingService(emulator: Emulator, { request: ask, reply }: Changes): Promise<{ url: string }> {
  const server = http.createServer(async (incoming, response) => {
    const url = new URL(incoming.url!, emulator.url);
    const asked = { method: incoming.method!, path: url.pathname, query: new URLSearchParams(url.searchParams) };
    if (ask?.(asked) === "cut") return response.destroy();
    const content = Buffer.concat(await incoming.toArray());
    const query = asked.query.size > 0 ? `?${asked.query}` : "";
    const { authorization = "", "content-type": type } = incoming.headers;
    const answer = await fetch(`${emulator.url}${asked.path}${query}`, {
      method: asked.method,
      headers: { authorization, ...(type !== undefined && { "content-type": type }) },
      ...(content.length > 0 && { body: content }),
    });
    const headers = Object.fromEntries(answer.headers);
    const exchange = { ...asked, query: url.searchParams, status: answer.status, headers, body: await answer.json() };
    if (reply?.(exchange) === "cut") return response.destroy();
    const text = JSON.stringify(exchange.body);
    return response
      .writeHead(exchange.status, { ...exchange.headers, "content-length": Buffer.byteLength(text) })
      .end(text);
  });
  return listen(server, () => server.closeAllConnections());
}
