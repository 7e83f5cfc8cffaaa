/** What a fault sends in place of the response, or makes of it. */
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { toJson } from "../domain/big-ids-json";
import type { Fault } from "../domain/fault";
import type { FaultOf } from "./fault-injection";
import { TOO_MANY_REQUESTS } from "./rate-limit";
import { retryAfter } from "./retry-after";
import { type ApiResponse, dropConnection, headersOf, send, write } from "./send-response";

/** Faults that corrupt the response; `commit` decides whether the operation runs. */
type ResponseFault = FaultOf<"cut-after" | "hang" | "html" | "truncated" | "empty" | "wrong-types" | "slow">;

export function isResponseFault(fault: Fault): fault is ResponseFault {
  return ["cut-after", "hang", "html", "truncated", "empty", "wrong-types", "slow"].includes(fault.kind);
}

const PIECES = 10;

const html = (status: number) =>
  `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>The gateway could not be reached.</p></body></html>\n`;

/** Sends what a fault makes of the response; returns its status, or 0 if nothing was sent. */
export async function sendCorrupted(
  response: ServerResponse,
  result: ApiResponse,
  fault: ResponseFault,
): Promise<number> {
  switch (fault.kind) {
    case "cut-after":
      dropConnection(response);
      return 0;
    case "hang":
      // Until the client disconnects or the emulator closes; the client may have disconnected already.
      if (!response.destroyed) await new Promise((resolve) => response.once("close", resolve));
      return 0;
    case "html":
      return write(response, fault.status ?? 502, html(fault.status ?? 502), "text/html; charset=utf-8");
    case "empty":
      return write(response, 200, "");
    case "wrong-types":
      return send(response, { ...result, body: corruptTypes(result.body) as Record<string, unknown> });
    case "truncated": {
      const body = toJson(result.body);
      response.writeHead(result.status, headersOf(result, body));
      response.write(body.slice(0, Math.floor(body.length / 2)), () => dropConnection(response));
      return result.status;
    }
    case "slow": {
      const body = Buffer.from(toJson(result.body));
      response.writeHead(result.status, headersOf(result, body)).flushHeaders();
      const size = Math.ceil(body.length / PIECES);
      for (let at = 0; at < body.length && !response.destroyed; at += size) {
        // Wait before each piece: after the last one the client may look for the request in the log.
        await wait(fault.ms / PIECES);
        response.write(body.subarray(at, at + size));
      }
      response.end();
      return result.status;
    }
  }
}

/** Sends the status of a fault, in place of the response; returns it. */
export function sendStatus(response: ServerResponse, now: Date, fault: FaultOf<"status">): number {
  const { status } = fault;
  const headers =
    fault.retryAfter === undefined ? {} : retryAfter(now, fault.retryAfter, fault.retryAfterStyle ?? "seconds");
  if (fault.body === "empty") return write(response, status, "", "text/plain", headers);
  if (fault.body === "html") {
    return write(response, status, `<html><body><h1>${status}</h1></body></html>`, "text/html", headers);
  }
  const message = status === 429 ? TOO_MANY_REQUESTS : "The service is not available.";
  return write(response, status, JSON.stringify({ http: status, message }), undefined, headers);
}

/** Gives every member a wrong type: strings become lists, numbers objects, lists strings. */
function corruptTypes(value: unknown): unknown {
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return [value];
  if (typeof value === "number") return { value };
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, k === "http" ? v : corruptTypes(v)]));
  }
  return value;
}
