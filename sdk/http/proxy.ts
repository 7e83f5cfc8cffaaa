/**
 * The way to the service through a company's proxy, named as everywhere: `HTTPS_PROXY` (or `https_proxy`), and `NO_PROXY` (or
 * `no_proxy`) with the hosts that are reached without. This machine itself is always reached without.
 */
import type { buildConnector } from "undici";
import { isLoopback, parseUrl } from "../text/url";

/** The address of the proxy on the way to an origin; undefined when there is none. Throws words when it cannot be used. */
export function proxyFor(origin: string, environment: NodeJS.ProcessEnv = process.env): URL | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const name = environment.https_proxy ? "https_proxy" : "HTTPS_PROXY";
  const given = environment[name];
  // Plain HTTP is for this machine only.
  if (!given || protocol !== "https:" || isLoopback(hostname)) return undefined;
  const exceptions = (environment.no_proxy || environment.NO_PROXY || "").split(/[\s,]+/).filter(Boolean);
  if (exceptions.some((exception) => covers(exception.toLowerCase(), hostname, port || "443"))) return undefined;
  // A password's own % is often written as it is.
  const address = (given.includes("://") ? given : `http://${given}`).replace(/%(?![\da-f]{2})/gi, "%25");
  const proxy = parseUrl(address);
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol) || proxy.hostname === "") {
    // It may hold a password.
    throw new Error(`${name} must be the address of an HTTP proxy, such as http://proxy.example.com:3128`);
  }
  return proxy;
}

/** `example.com` and `.example.com` stand for the domain and all below it, `*` for everything; a port narrows it down. */
function covers(exception: string, hostname: string, port: string): boolean {
  if (exception === "*") return true;
  const [, host = "", only] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? [];
  const domain = host.replace(/^\*?\./, "");
  return (
    domain !== "" && (only === undefined || only === port) && (hostname === domain || hostname.endsWith(`.${domain}`))
  );
}

/** The proxy's user name and password, as ProxyAgent takes them. */
export function loginOf({ username, password }: URL): { token?: string } {
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return user === ":" ? {} : { token: `Basic ${Buffer.from(user).toString("base64")}` };
}

/**
 * Makes each failure at the proxy final. When a proxy hangs up instead of answering, as one for other protocols does, undici
 * would try again at once, thousands of times a second.
 */
export function failOnce(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(proxyError(error), null);
    });
}

function proxyError(error: NodeJS.ErrnoException): Error {
  if (error.code === "UND_ERR_SOCKET") return new Error("the proxy of HTTPS_PROXY hung up");
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (status === undefined) return error;
  const login =
    status === "407" ? ": it wants a login, which HTTPS_PROXY must hold, as http://user:password@host:port" : "";
  return new Error(`the proxy of HTTPS_PROXY refused the connection with status ${status}${login}`);
}
