/**
 * The connections to one address. Each carries one request at a time and is kept for the next; one that is open is always
 * taken before another is made, so there are never more of them than requests in flight, which the rate limiter limits. A general
 * pool reconnects what was cut while others stand idle, and a service that allows few connections would cut that again.
 */
import type { Socket } from "node:net";
import type { buildConnector, Client, Dispatcher } from "undici";
import { type Opening, proxyFor, through } from "./proxy";

/** Milliseconds to reach the service before its address counts as dead. */
const connectTimeout = 10_000;

/** Milliseconds within which a service on this machine hangs up that bears no more connections; twice, since this process may be busy. */
const hangUpTime = 5;

/**
 * What makes connections. Loaded with the first request, since checks and diffs do without. The whole of undici takes three times as
 * long: fetch, caches, WebSockets.
 */
function parts(): Pick<typeof import("undici"), "Client" | "buildConnector"> {
  try {
    return {
      Client: require("undici/lib/dispatcher/client.js"),
      buildConnector: require("undici/lib/core/connect.js"),
    };
  } catch {
    // These are no public names: another version may keep them elsewhere.
    return require("undici");
  }
}

export class Connections {
  /** Open and free, the last used at the end. */
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();
  #connector: buildConnector.connector | undefined;

  constructor(readonly origin: string) {}

  /** A connection for one request: an open one if there is, else one that opens when it sends. */
  take(): Connection {
    return this.#idle.pop() ?? this.#another();
  }

  #another(): Connection {
    const { Client } = parts();
    // One for all connections, since it remembers TLS sessions.
    this.#connector ??= connectorTo(this.origin);
    const connector = this.#connector;
    // undici gives a connection up that is being made, but lets it go on: the process would wait for it.
    let opening: Opening | undefined;
    const connect: buildConnector.connector = (options, callback) => {
      const give = (...result: Parameters<buildConnector.Callback>) => {
        opening = undefined;
        callback(...result);
      };
      opening = connector(options, (...result) => {
        // Where there is TLS, a service has taken the connection on by now.
        const isTaken = options.protocol === "https:" || this.#open.size === 0;
        const [error, socket] = result;
        if (error !== null || isTaken) give(...result);
        else opening = staysOpen(socket, give);
      }) as unknown as Opening | undefined;
      return opening;
    };
    // The deadlines are ours (one clock for the whole call), so undici's own are off.
    const client = new Client(this.origin, { connect, headersTimeout: 0, bodyTimeout: 0 });
    return new Connection(client, this.#idle, this.#open, () => opening?.destroy(new Error("given up")));
  }
}

/**
 * Gives a connection beside others on when it is still open after a moment. What is sent on one that is cut is perhaps carried out, but on
 * one that was cut before, nothing was sent.
 */
function staysOpen(socket: Socket, callback: buildConnector.Callback): Opening {
  const settle = (error: Error | null) => {
    clearTimeout(timer);
    socket.off("readable", onCut).off("error", onCut);
    if (error === null) return callback(null, socket);
    socket.on("error", () => undefined).destroy();
    callback(error, null);
  };
  // Nothing was asked, so there is nothing to read but the end.
  const onCut = () => settle(Object.assign(new Error("the service hung up"), { code: "ECONNREFUSED" }));
  let timer = setTimeout(() => {
    timer = setTimeout(settle, hangUpTime, null);
  }, hangUpTime);
  socket.on("readable", onCut).on("error", onCut);
  return { destroy: settle };
}

/** How connections to an address are made: straight, or through a proxy. */
export function connectorTo(origin: string): buildConnector.connector {
  const straight = parts().buildConnector({ timeout: connectTimeout, allowH2: false });
  const proxy = proxyFor(origin);
  return proxy === undefined ? straight : through(proxy, straight, connectTimeout);
}

/** Makes a connection as a request would, and gives it away. */
export function reach(origin: string): Promise<Socket> {
  const url = new URL(origin);
  // As undici gives it: an address of version 6 without its brackets.
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    connectorTo(origin)({ hostname, host: url.host, protocol: url.protocol, port: url.port }, (error, socket) =>
      error ? reject(error) : resolve(socket),
    );
  });
}

/** One connection. Idle ones do not keep the process alive. */
export class Connection {
  constructor(
    readonly client: Client,
    readonly idle: Connection[],
    readonly open: Set<Connection>,
    /** Ends the attempt to open it. */
    readonly stopOpening: () => void,
  ) {
    client.on("connect", () => {
      open.add(this);
    });
    client.on("disconnect", () => {
      open.delete(this);
      const place = idle.indexOf(this);
      if (place === -1) return;
      idle.splice(place, 1);
      this.#drop();
    });
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.client.dispatch(options, handler);
  }

  /** Gives it back; `whole` when its request was answered to the end. */
  release(whole: boolean): void {
    if (whole && this.open.has(this)) this.idle.push(this);
    else this.#drop();
  }

  #drop(): void {
    // Not at once: undici may be in the midst of calling us.
    queueMicrotask(() => {
      this.client.destroy().catch(() => undefined);
      this.stopOpening();
    });
  }
}
