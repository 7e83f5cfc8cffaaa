/** Connections to the service: a pool of undici for each host, direct or through a proxy. */
import type { Socket } from "node:net";
import type { buildConnector, Dispatcher } from "undici";
import { isLoopback } from "../text/url";
import { lookupLoopback } from "./lookup-loopback";
import { failOnce, loginOf, proxyFor } from "./proxy";
import { maxResponseSize } from "./response-limit";

/** Milliseconds to reach the service, and for a proxy to respond. */
const connectTimeout = 10_000;

/** Loaded with the first request, since it takes 100 ms and many commands send none. */
const undici = () => require("undici") as typeof import("undici");

export class Connections {
  readonly dispatcher: Dispatcher;
  /** The socket of the latest connection. */
  #opening: Socket | undefined;

  /**
   * `connections`: maximum number of open connections. `keepsProcess`: whether an open one keeps the process alive, for requests without
   * a deadline that does.
   */
  constructor(
    readonly origin: string,
    connections: number,
    { keepsProcess = false } = {},
  ) {
    const { buildConnector, Pool, ProxyAgent } = undici();
    const lookup = isLoopback(new URL(origin).hostname) ? { lookup: lookupLoopback } : {};
    const openSocket = buildConnector({ timeout: connectTimeout, allowH2: false, ...lookup });
    const connect: buildConnector.connector = (options, callback) => {
      // The deadline of a call keeps the process alive. A connection that undici opens again after an abort must not.
      this.#opening = openSocket(options, callback) as unknown as Socket;
      if (!keepsProcess) this.#opening.unref();
    };
    // A call has one timeout for everything, so those of undici are disabled.
    const options = { connections, maxResponseSize, headersTimeout: 0, bodyTimeout: 0 };
    const proxy = proxyFor(origin);
    if (proxy === undefined) this.dispatcher = new Pool(origin, { ...options, connect });
    else {
      const clientFactory = (url: URL) => new Pool(url, { connect, headersTimeout: connectTimeout });
      const factory = (url: string | URL, pool: { connect?: buildConnector.connector }) =>
        new Pool(url, { ...pool, connect: failOnce(pool.connect!) });
      this.dispatcher = new ProxyAgent({ ...options, ...loginOf(proxy), uri: proxy.href, clientFactory, factory });
    }
  }

  /**
   * Sends a request when there is a connection for it. Returns the socket that is opened for it, if any: when the request is
   * aborted, undici would continue to open it.
   */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Socket | undefined {
    this.#opening = undefined;
    this.dispatcher.dispatch({ ...options, origin: this.origin }, handler);
    return this.#opening;
  }
}

const pools = new Map<string, Connections>();

/** The connections of this process to a host by the proxy of the moment, with at most so many open. */
export function connectionsTo(origin: string, connections: number): Connections {
  const id = `${origin} ${connections} ${proxyFor(origin)?.href}`;
  const pool = pools.get(id) ?? new Connections(origin, connections);
  pools.set(id, pool);
  return pool;
}
