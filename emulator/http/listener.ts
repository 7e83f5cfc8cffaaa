/** Opens the port: HTTP or HTTPS, on a fixed port, a preferred one or any free one. */
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { refuseTunnel, sendBadRequest } from "./bad-request";
import type { Certificate } from "./certificate";

interface ListenOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Take any free port when this one is in use. */
  isPreferred: boolean;
  certificate: Certificate | undefined;
  onRequest: RequestListener;
  onConnection: () => void;
}

/** Resolves when the server is listening. */
export async function listen(options: ListenOptions): Promise<Server> {
  const { host, port, isPreferred, certificate, onRequest, onConnection } = options;
  // The emulator can do without a Host header; Node's own error response would not be the API's.
  const settings = { keepAliveTimeout: 60_000, requireHostHeader: false };
  const server = certificate
    ? createTlsServer({ ...settings, ...certificate, minVersion: "TLSv1.2" }, onRequest)
    : createServer(settings, onRequest);
  server.on("connection", onConnection);
  server.on("clientError", sendBadRequest);
  server.on("connect", refuseTunnel);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => resolve());
    });
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    if (isPreferred && port !== 0) return listen({ ...options, port: 0, isPreferred: false });
    throw new Error(
      `Port ${port} on ${host} is already in use, perhaps by another emulator: end what uses it, or take another port (0: any free one).`,
    );
  }
}

/** The host in the URL of a server that listens on `host`. */
export function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
