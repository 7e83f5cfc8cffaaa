/**
 * The way to the service through a company's proxy, named as everywhere: `HTTPS_PROXY` (or `https_proxy`), and `NO_PROXY` (or
 * `no_proxy`) with the hosts that are reached without. This machine itself is always reached without.
 */
import type { Socket } from "node:net";
import type { buildConnector } from "undici";

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
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol) || proxy.hostname === "") {
    // It may hold a password.
    throw new Error(`${name} must be the address of an HTTP proxy, such as http://proxy.example.com:3128`);
  }
  return proxy;
}

export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** `example.com` and `.example.com` stand for the domain and all below it, `*` for everything; a port narrows it down. */
function covers(exception: string, hostname: string, port: string): boolean {
  if (exception === "*") return true;
  const [, host = "", only] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? [];
  const domain = host.replace(/^\*?\./, "");
  return (
    domain !== "" && (only === undefined || only === port) && (hostname === domain || hostname.endsWith(`.${domain}`))
  );
}

/** `fetch` by the same way, for addresses that are not the service's. */
export async function fetchThrough(url: string, init: RequestInit): Promise<Response> {
  const proxy = proxyFor(new URL(url).origin);
  if (proxy === undefined) return fetch(url, init);
  // Node's own `fetch` does not take the agents of another version.
  const undici = require("undici") as typeof import("undici");
  const agent = new undici.ProxyAgent(proxy.href);
  try {
    const answer = await undici.fetch(url, { ...(init as unknown as import("undici").RequestInit), dispatcher: agent });
    return answer as unknown as Response;
  } finally {
    // When the answer is read.
    agent.close().catch(() => undefined);
  }
}

/** A connector that has the proxy open a tunnel, and lets `connector` begin TLS with the service in it. */
export function through(proxy: URL, connector: buildConnector.connector, timeout: number): buildConnector.connector {
  return (options, callback) => {
    const target = options.port ? options.host! : `${options.host}:443`;
    tunnel(proxy, target, timeout).then(
      (socket) => connector({ ...options, httpSocket: socket }, callback),
      (error) => callback(error, null),
    );
  };
}

async function tunnel(proxy: URL, target: string, timeout: number): Promise<Socket> {
  const { Client } = require("undici") as typeof import("undici");
  const client = new Client(proxy.origin, { connect: { timeout }, headersTimeout: timeout });
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const login = user === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
  try {
    const { socket, statusCode } = await client.connect({ path: target, headers: { host: target, ...login } });
    if (statusCode === 200) return socket as Socket;
    socket.on("error", () => undefined).destroy();
    const why =
      statusCode === 407 ? ": it wants a login, which HTTPS_PROXY must hold, as http://user:password@host:port" : "";
    throw new Error(`the proxy of HTTPS_PROXY refused the connection with status ${statusCode}${why}`);
  } catch (error) {
    client.destroy().catch(() => undefined);
    throw error;
  }
}
