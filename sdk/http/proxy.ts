/**
 * The way to the service through a company's proxy, named as everywhere: `HTTPS_PROXY` (or `https_proxy`), and `NO_PROXY` (or
 * `no_proxy`) with the hosts that are reached without. This machine itself is always reached without.
 */
import type { Socket } from "node:net";
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

/** What is under way, and can be given up. */
export interface Opening {
  destroy(error: Error): unknown;
}

/** A connector that has the proxy open a tunnel, and lets `connector` begin TLS with the service in it. */
export function through(proxy: URL, connector: buildConnector.connector, timeout: number): buildConnector.connector {
  const open = (options: buildConnector.Options, callback: buildConnector.Callback): Opening => {
    const target = options.port ? options.host! : `${options.host}:${options.protocol === "http:" ? 80 : 443}`;
    let opening = tunnel(proxy, target, timeout, (error, socket) => {
      if (error !== null) return callback(error, null);
      const begun = connector({ ...options, httpSocket: socket }, callback) as unknown as Opening | undefined;
      opening = { destroy: (reason) => [begun?.destroy(reason), socket.destroy()] };
    });
    return { destroy: (reason) => opening.destroy(reason) };
  };
  return open as unknown as buildConnector.connector;
}

/**
 * Asks for a tunnel once. Not by undici: when a proxy hangs up instead of answering, as one for other protocols does, undici
 * asks again at once, thousands of times a second.
 */
function tunnel(
  proxy: URL,
  target: string,
  timeout: number,
  done: (...result: [error: Error, socket: null] | [error: null, socket: Socket]) => void,
): Opening {
  const { request } = require(proxy.protocol === "https:" ? "node:https" : "node:http") as typeof import("node:http");
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const login = user === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
  const asking = request({
    method: "CONNECT",
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || undefined,
    path: target,
    // Without, Node asks for the connection to be closed, which is to be the tunnel.
    headers: { host: target, connection: "keep-alive", ...login },
    agent: false,
  });
  const late = Object.assign(new Error("the proxy of HTTPS_PROXY did not answer"), { code: "UND_ERR_CONNECT_TIMEOUT" });
  const timer = setTimeout(() => asking.destroy(late), timeout);
  asking.on("error", (error) => done(error, null));
  asking.on("close", () => clearTimeout(timer));
  asking.on("connect", ({ statusCode }, socket) => {
    clearTimeout(timer);
    if (statusCode === 200) return done(null, socket as Socket);
    socket.on("error", () => undefined).destroy();
    const why =
      statusCode === 407 ? ": it wants a login, which HTTPS_PROXY must hold, as http://user:password@host:port" : "";
    done(new Error(`the proxy of HTTPS_PROXY refused the connection with status ${statusCode}${why}`), null);
  });
  asking.end();
  return asking;
}
