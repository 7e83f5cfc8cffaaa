/** The response to malformed HTTP, which Node never turns into a request. Like every error it is JSON. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { codes } from "../domain/api-errors";

const GRACE = 500;

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** For the event `connect`: the emulator is no proxy. */
export function refuseTunnel(_: unknown, socket: Duplex): void {
  sendBadRequest(Object.assign(new Error("CONNECT"), { code: "HPE_INVALID_METHOD" }), socket);
}

/** For the event `clientError`, after which the connection is unusable. */
export function sendBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ""] ?? 400;
  const body = JSON.stringify({
    http: status,
    // An unknown method is reported like an unsupported one.
    ...(error.code === "HPE_INVALID_METHOD"
      ? { code: 10001, message: codes[10001][1] }
      : { message: status === 400 ? "Malformed HTTP request." : `${STATUS_CODES[status]}.` }),
  });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  // Not at once: unread data would make the system discard the response.
  setTimeout(() => socket.destroy(), GRACE).unref();
}
