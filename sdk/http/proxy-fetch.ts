/** `fetch` for URLs of other hosts, through the same proxy as calls, if any. */
import { Connections } from "./connections";
import { proxyFor } from "./proxy";

export async function fetchThrough(url: string, init: RequestInit): Promise<Response> {
  const { origin } = new URL(url);
  if (proxyFor(origin) === undefined) return fetch(url, init);
  const { dispatcher } = new Connections(origin, 1, { keepsProcess: true });
  try {
    // Node's own `fetch` does not take the dispatchers of another version.
    const { fetch } = require("undici") as typeof import("undici");
    const response = await fetch(url, { ...(init as unknown as import("undici").RequestInit), dispatcher });
    return response as unknown as Response;
  } finally {
    // Closes once the response has been read.
    dispatcher.close().catch(() => undefined);
  }
}
