/**
 * HTTP proxies by the usual environment variables: `HTTPS_PROXY` (or `https_proxy`), and `NO_PROXY` (or `no_proxy`) for hosts
 * without a proxy. Loopback never uses one.
 */
import type { buildConnector } from "undici";
import { isLoopback, parseUrl } from "../text/url";

/** URL of the proxy for an origin, if any. Throws if the variable is not a valid URL. */
export function proxyFor(origin: string, environment: NodeJS.ProcessEnv = process.env): URL | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const name = environment.https_proxy ? "https_proxy" : "HTTPS_PROXY";
  const value = environment[name];
  // Plain HTTP is for this machine only.
  if (!value || protocol !== "https:" || isLoopback(hostname)) return undefined;
  const exceptions = (environment.no_proxy || environment.NO_PROXY || "").split(/[\s,]+/).filter(Boolean);
  if (exceptions.some((exception) => covers(exception.toLowerCase(), hostname, port || "443"))) return undefined;
  // A % in a password is often not encoded.
  const url = (value.includes("://") ? value : `http://${value}`).replace(/%(?![\da-f]{2})/gi, "%25");
  const proxy = parseUrl(url);
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol) || proxy.hostname === "") {
    // Without the value, which may contain a password.
    throw new Error(`${name} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128`);
  }
  return proxy;
}

/** `example.com` and `.example.com` match the domain and its subdomains, `*` matches everything; a port must be equal. */
function covers(exception: string, hostname: string, port: string): boolean {
  if (exception === "*") return true;
  const [, host = "", only] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? [];
  const domain = host.replace(/^\*?\./, "");
  return (
    domain !== "" && (only === undefined || only === port) && (hostname === domain || hostname.endsWith(`.${domain}`))
  );
}

/** The proxy's user name and password, as options of ProxyAgent. */
export function loginOf({ username, password }: URL): { token?: string } {
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return user === ":" ? {} : { token: `Basic ${Buffer.from(user).toString("base64")}` };
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

function proxyError(error: NodeJS.ErrnoException): Error {
  if (error.code === "UND_ERR_SOCKET") return new Error("the proxy of HTTPS_PROXY closed the connection");
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (status === undefined) return error;
  const login = status === "407" ? ": a login is required, HTTPS_PROXY=http://user:password@host:port" : "";
  return new Error(`the proxy of HTTPS_PROXY rejected the connection with status ${status}${login}`);
}
