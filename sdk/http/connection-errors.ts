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

/** OpenSSL's reasons against a certificate, as Node lists them in "X509 certificate error codes". */
const certificateCodes: ReadonlySet<string> = new Set([
  ...["UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_CRL", "UNABLE_TO_DECRYPT_CERT_SIGNATURE"],
  ...["UNABLE_TO_DECRYPT_CRL_SIGNATURE", "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", "CERT_SIGNATURE_FAILURE"],
  ...["CRL_SIGNATURE_FAILURE", "CERT_NOT_YET_VALID", "CERT_HAS_EXPIRED", "CRL_NOT_YET_VALID", "CRL_HAS_EXPIRED"],
  ...["ERROR_IN_CERT_NOT_BEFORE_FIELD", "ERROR_IN_CERT_NOT_AFTER_FIELD", "ERROR_IN_CRL_LAST_UPDATE_FIELD"],
  ...["ERROR_IN_CRL_NEXT_UPDATE_FIELD", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
  ...["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_CHAIN_TOO_LONG", "CERT_REVOKED"],
  ...["INVALID_CA", "PATH_LENGTH_EXCEEDED", "INVALID_PURPOSE", "CERT_UNTRUSTED", "CERT_REJECTED", "HOSTNAME_MISMATCH"],
]);

/** True for what TLS or a certificate rejected, by the code of Node or of OpenSSL: the address itself answers. */
export function isTlsError(error: unknown): boolean {
  const { code = "", library } = (error ?? {}) as { code?: string; library?: string };
  return library === "SSL routines" || code === "EPROTO" || /^ERR_(SSL|TLS)_/.test(code) || certificateCodes.has(code);
}

/** The proxy demands a login. */
export class ProxyLoginRequired extends Error {
  override readonly name = "ProxyLoginRequired";
}

/** True where the same request fails in the same way until a setting changes. */
export const isLasting = (error: unknown): boolean => isTlsError(error) || error instanceof ProxyLoginRequired;

/** Describes an error of a connection. For TLS failures OpenSSL's reason replaces the message, which is for developers. */
export function describeConnectionError(error: unknown): string {
  const { code, message, library, reason } = (error ?? {}) as Partial<Record<string, string>>;
  const tlsFailure = library === "SSL routines" && reason ? `TLS failed: ${reason}` : undefined;
  const description = (code === undefined ? undefined : descriptions[code]) ?? tlsFailure;
  return `${description || message || "unknown failure"}${code ? ` (${code})` : ""}`;
}
