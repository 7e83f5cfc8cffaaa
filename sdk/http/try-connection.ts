/** A connection that is only tried, for checks of an address. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { Dispatcher } from "undici";
import { Connections } from "./connections";

/** Opens a connection as requests do, and closes it. Returns its TLS version and certificate, if there is TLS. */
export function tryConnection(origin: string): Promise<{ certificate?: PeerCertificate; version?: string | null }> {
  return new Promise((resolve, reject) => {
    const onConnected = (message: unknown) => {
      const { connectParams, socket } = message as { connectParams: { host: string }; socket: TLSSocket };
      // A proxy is connected to first.
      if (connectParams.host !== new URL(origin).host) return;
      resolve(socket.encrypted ? { certificate: socket.getPeerCertificate(), version: socket.getProtocol() } : {});
    };
    subscribe("undici:client:connected", onConnected);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => controller.abort(new Error("only the connection is wanted")),
      onResponseError: (_, error) => {
        unsubscribe("undici:client:connected", onConnected);
        reject(error);
      },
    };
    new Connections(origin, 1).dispatch({ method: "HEAD", path: "/" }, handler);
  });
}
