/** Passes each incoming request to the pages or to the API. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseUrl } from "../sdk/text/url";
import { ApiError } from "./domain/api-errors";
import { handleRequest, type ServerState } from "./http/handle-request";
import { dropConnection, write } from "./http/send-response";
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
    const host = state.allowedHosts.check(request.headers.host);
    // Without a Host, the API responds with the emulator's own URL; pages are for browsers and tools that send one.
    if (host === "refused" || (host === "missing" && !url?.pathname.startsWith("/v1/"))) {
      return refuseHost(response, request.headers.host);
    }
    const isPage = url && (await handlePage(page, request, response, url));
    if (!isPage) await handleRequest(state, request, response, url ?? new URL("http://emulator/-"));
  } catch (error) {
    // The client has disconnected, a page rejected the request, or there is a defect: the emulator keeps running.
    if (response.headersSent || response.destroyed) return dropConnection(response);
    const status = error instanceof ApiError ? error.status : 500;
    write(response, status, JSON.stringify({ http: status, message: (error as Error).message }));
  }
}

function refuseHost(response: ServerResponse, host = ""): void {
  const message =
    host === ""
      ? "The request has no Host header."
      : `The emulator does not respond as "${host}". To allow a name, start it with --allow-host <name> (allowHosts).`;
  write(response, 403, JSON.stringify({ http: 403, message }));
}

function requestUrl({ url: target = "/" }: IncomingMessage): URL | undefined {
  // With a host in front, since a path that begins with two slashes would name one.
  return parseUrl(target.startsWith("/") ? `http://emulator${target}` : target, "http://emulator");
}
