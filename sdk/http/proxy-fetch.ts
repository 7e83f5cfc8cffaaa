/** `fetch` by the way that calls take, through a company's proxy or straight, for addresses that are not the service's. */
import { connectorTo } from "./connections";
import { proxyFor } from "./proxy";

export async function fetchThrough(url: string, init: RequestInit): Promise<Response> {
  const { origin } = new URL(url);
  if (proxyFor(origin) === undefined) return fetch(url, init);
  // Node's own `fetch` does not take the agents of another version.
  const undici = require("undici") as typeof import("undici");
  const agent = new undici.Agent({ connect: connectorTo(origin) });
  try {
    const answer = await undici.fetch(url, { ...(init as unknown as import("undici").RequestInit), dispatcher: agent });
    return answer as unknown as Response;
  } finally {
    // When the answer is read.
    agent.close().catch(() => undefined);
  }
}
