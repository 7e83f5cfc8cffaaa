/**
 * HTTP proxies by the usual environment variables: `HTTPS_PROXY` (or `https_proxy`), and `NO_PROXY` (or `no_proxy`) for hosts
 * without a proxy. Loopback never uses one.
 */

import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { buildConnector } from "undici";
import { isLoopback, parseUrl } from "../text/url";
import { ProxyLoginRequired } from "./connection-errors";

/** URL of the proxy for an origin, if any. Throws if the variable is not a valid URL. */
export function proxyFor(origin: string, environment: NodeJS.ProcessEnv = process.env): URL | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const name = environment.https_proxy ? "https_proxy" : "HTTPS_PROXY";
  const value = environment[name];
  // Plain HTTP is for this machine only.
  if (!value || protocol !== "https:" || isLoopback(hostname)) return undefined;
  const exceptions = (environment.no_proxy || environment.NO_PROXY || "").split(/[\s,]+/).filter(Boolean);
  if (exceptions.some((exception) => covers(exception.toLowerCase(), hostname, port || "443"))) return undefined;
  const proxy = parseUrl(encodeLogin(value.includes("://") ? value : `http://${value}`));
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol) || proxy.hostname === "") {
    // Without the value, which may contain a password.
    throw new Error(`${name} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128`);
  }
  return proxy;
}

/**
 * The URL with what is before its last @ encoded: a name of Windows, `CORP\user`, has a backslash, and passwords have any character. A
 * URL would end before them.
 */
function encodeLogin(url: string): string {
  const start = url.indexOf("://") + 3;
  const end = Math.max(start, url.lastIndexOf("@"));
  const login = url
    .slice(start, end)
    .replace(/%(?![\da-f]{2})/gi, "%25")
    .replace(/[^\w\-.~!$&'()*+,;=:%]/gu, encodeURIComponent);
  return url.slice(0, start) + login + url.slice(end);
}

/**
 * `example.com` and `.example.com` match the domain and its subdomains, `*` everything, an address itself in any spelling, and
 * `10.0.0.0/8` the addresses of that network; a port must be equal. undici's own agent knows neither networks nor domains that
 * are not ASCII.
 */
function covers(exception: string, hostname: string, port: string): boolean {
  if (exception === "*") return true;
  // An address of IPv6 has colons of its own: before a port it stands in brackets.
  const [, host = "", only] = /^(\[[^\]]*\](?:\/\d+)?|[^:]*|[^[]*:[^[]*:[^[]*?)(?::(\d+))?$/.exec(exception) ?? [];
  if (host === "" || (only !== undefined && only !== port)) return false;
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0) return isWithin(address, host.replace(/[[\]]/g, ""));
  const domain = domainToASCII(host.replace(/^\*?\./, "").replace(/\.$/, ""));
  const name = hostname.replace(/\.$/, "");
  return domain !== "" && (name === domain || name.endsWith(`.${domain}`));
}

/** Whether an address is the one of an exception, or in its network. */
function isWithin(address: string, exception: string): boolean {
  const [network = "", length] = exception.split("/");
  const family = isIP(network);
  const most = family === 6 ? 128 : 32;
  const prefix = length === undefined ? most : Number(length);
  if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > most) return false;
  const typeOf = (version: number) => (version === 6 ? "ipv6" : "ipv4");
  const list = new BlockList();
  list.addSubnet(network, prefix, typeOf(family));
  return list.check(address, typeOf(isIP(address)));
}

/** The proxy's user name and password, as options of ProxyAgent. */
export function loginOf({ username, password }: URL): { token?: string } {
  const login = `${username}:${password}`;
  // Its bytes: what looks encoded in a password need not be UTF-8.
  const bytes = login.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return login === ":" ? {} : { token: `Basic ${Buffer.from(bytes, "latin1").toString("base64")}` };
}

/**
 * Makes each failure of the proxy final. If a proxy closes the connection, for example because it is one for another protocol,
 * undici would try again thousands of times a second.
 */
export function failOnce(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(proxyError(error), null);
    });
}

const unreachable: ReadonlySet<string> = new Set(
  "ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT".split(" "),
);

function proxyError(error: NodeJS.ErrnoException): Error {
  if (error.code === "UND_ERR_SOCKET") return new Error("the proxy of HTTPS_PROXY closed the connection");
  // Nothing else is connected to directly.
  if (unreachable.has(error.code ?? ""))
    return new Error(`the proxy of HTTPS_PROXY could not be reached (${error.code})`, { cause: error });
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (status === undefined) return error;
  const message = `the proxy of HTTPS_PROXY rejected the connection with status ${status}`;
  return status === "407"
    ? new ProxyLoginRequired(`${message}: a login is required, HTTPS_PROXY=http://user:password@host:port`)
    : new Error(message);
}
