/** Passes each incoming request to the pages or to the API. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseUrl } from "../sdk/text/url";
import { ApiError } from "./domain/errors";
import { handleRequest, type ServerState } from "./http/handle-request";
import { dropConnection, write } from "./http/response";
import { handlePage } from "./pages/index";
import type { PageContext } from "./pages/page-context";

export async function handleIncoming(
  state: ServerState,
  page: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const url = requestUrl(request);
    const isPage = url && (await handlePage(page, request, response, url));
    if (!isPage) await handleRequest(state, request, response, url ?? new URL("http://emulator/-"));
  } catch (error) {
    // The client has disconnected, a page rejected the request, or there is a defect: the emulator keeps running.
    if (response.headersSent || response.destroyed) return dropConnection(response);
    const status = error instanceof ApiError ? error.status : 500;
    write(response, status, JSON.stringify({ http: status, message: (error as Error).message }));
  }
}

function requestUrl({ url: target = "/" }: IncomingMessage): URL | undefined {
  // With a host in front, since a path that begins with two slashes would name one.
  return parseUrl(target.startsWith("/") ? `http://emulator${target}` : target, "http://emulator");
}
