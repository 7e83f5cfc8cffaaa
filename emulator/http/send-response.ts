/** Sends a response, or what a fault makes of it. */
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { toJson } from "../domain/big-ids-json";
import type { Fault } from "../domain/fault";
import type { FaultOf } from "./fault-injection";

export interface ApiResponse {
  status: number;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Faults that corrupt the response; `commit` decides whether the operation runs. */
type ResponseFault = FaultOf<"cut-after" | "hang" | "html" | "truncated" | "empty" | "wrong-types" | "slow">;

export function isResponseFault(fault: Fault): fault is ResponseFault {
  return ["cut-after", "hang", "html", "truncated", "empty", "wrong-types", "slow"].includes(fault.kind);
}

const PIECES = 10;

const html = (status: number) =>
  `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>The gateway could not be reached.</p></body></html>\n`;

/** Resets the connection. */
export function dropConnection(response: ServerResponse): void {
  response.socket?.destroy();
}

/** Sends the response; returns its status, or 0 if nothing was sent. */
export async function send(
  response: ServerResponse,
  result: ApiResponse,
  responseFault?: ResponseFault,
): Promise<number> {
  switch (responseFault?.kind) {
    case "cut-after":
      dropConnection(response);
      return 0;
    case "hang":
      // Until the client disconnects or the emulator closes; the client may have disconnected already.
      if (!response.destroyed) await new Promise((resolve) => response.once("close", resolve));
      return 0;
    case "html":
      return write(
        response,
        responseFault.status ?? 502,
        html(responseFault.status ?? 502),
        "text/html; charset=utf-8",
      );
    case "empty":
      return write(response, 200, "");
    case "wrong-types":
      return json(response, { ...result, body: corruptTypes(result.body) as Record<string, unknown> });
    case "truncated": {
      const body = toJson(result.body);
      response.writeHead(result.status, headers(result, body));
      response.write(body.slice(0, Math.floor(body.length / 2)), () => dropConnection(response));
      return result.status;
    }
    case "slow": {
      const body = Buffer.from(toJson(result.body));
      response.writeHead(result.status, headers(result, body)).flushHeaders();
      const size = Math.ceil(body.length / PIECES);
      for (let at = 0; at < body.length && !response.destroyed; at += size) {
        // Wait before each piece: after the last one the client may look for the request in the log.
        await wait(responseFault.ms / PIECES);
        response.write(body.subarray(at, at + size));
      }
      response.end();
      return result.status;
    }
    default:
      return json(response, result);
  }
}

function headers(result: ApiResponse, body: string | Buffer) {
  return { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...result.headers };
}

function json(response: ServerResponse, result: ApiResponse): number {
  const body = toJson(result.body);
  response.writeHead(result.status, headers(result, body)).end(body);
  return result.status;
}

/** Sends a response that is not the API's. */
export function write(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  type = "application/json",
  headers: Record<string, string> = {},
): number {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body), ...headers }).end(body);
  return status;
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
