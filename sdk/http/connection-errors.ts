/** Errors of connections, as people read them. */
import { maxResponseSize } from "./response-limit";

/** By the code of Node or of undici. */
const descriptions: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host's name is unknown",
  EAI_AGAIN: "the host's name could not be resolved",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT: "no connection could be made in time",
  UND_ERR_HEADERS_TIMEOUT: "the proxy of HTTPS_PROXY did not respond",
  UND_ERR_HEADERS_OVERFLOW: "the response headers are too long",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the response is truncated",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: `the response is longer than ${maxResponseSize} bytes`,
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not use TLS",
};

/** Describes an error of a connection. For TLS failures OpenSSL's reason replaces the message, which is for developers. */
export function describeConnectionError(error: unknown): string {
  const { code, message, library, reason } = (error ?? {}) as Partial<Record<string, string>>;
  const tlsFailure = library === "SSL routines" && reason ? `TLS failed: ${reason}` : undefined;
  const description = (code === undefined ? undefined : descriptions[code]) ?? tlsFailure;
  return `${description || message || "unknown failure"}${code ? ` (${code})` : ""}`;
}
