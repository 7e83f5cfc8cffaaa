/** Who may use the status page and the control endpoints: they read keys and change everything. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseUrl } from "../../sdk/text/url";
import { write } from "../http/send-response";
import type { PageContext } from "./page-context";

export const newControlToken = (): string => randomBytes(24).toString("base64url");

const cookieName = (port: number) => `esign-control-${port}`;

/**
 * Keeps other sites in a browser from writing: their requests have another origin. Returns whether the request may go on; else it
 * has been refused.
 */
export function checkOrigin(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  const isRead = request.method === "GET" || request.method === "HEAD";
  // "null" comes from sandboxed pages, such as a shown email; they may read, not write.
  const isSameOrigin = origin === undefined || (origin === "null" ? isRead : parseUrl(origin)?.host === host);
  const isSameSite = isRead || site === undefined || site === "same-origin" || site === "none";
  if (isSameOrigin && isSameSite) return true;
  refuse(response, 403, "Pages of other sites may not do this.");
  return false;
}

/**
 * Requires the control token, if there is one: as a bearer token, or as the cookie that a page with `?token=` sets. Returns
 * whether the request may go on; else it has been answered.
 */
export function checkToken(
  { emulator }: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): boolean {
  const { controlToken: token, port } = emulator;
  if (token === undefined) return true;
  const fromUrl = url.searchParams.get("token");
  if (fromUrl !== null && isEqual(fromUrl, token)) {
    // The token leaves the address bar.
    const cookie = `${cookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`;
    response.writeHead(303, { location: url.pathname, "set-cookie": cookie, "cache-control": "no-store" }).end();
    return false;
  }
  const { authorization = "", cookie = "" } = request.headers;
  const bearer = /^bearer\s+(\S+)$/i.exec(authorization)?.[1];
  const cookies = cookie.split(";").map((part) => part.trim());
  const fromCookie = cookies.find((part) => part.startsWith(`${cookieName(port)}=`))?.split("=", 2)[1];
  if ([bearer, fromCookie].some((candidate) => candidate !== undefined && isEqual(candidate, token))) return true;
  refuse(response, 401, "This needs the control token, which the emulator printed when it started.", {
    "www-authenticate": 'Bearer realm="esign emulator"',
  });
  return false;
}

/** Compares in constant time. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  write(response, status, JSON.stringify({ http: status, message }), undefined, headers);
}
