/** Sends a response. */
import type { ServerResponse } from "node:http";
import { toJson } from "../domain/big-ids-json";

export interface ApiResponse {
  status: number;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Resets the connection. */
export function dropConnection(response: ServerResponse): void {
  response.socket?.destroy();
}

export function headersOf(result: ApiResponse, body: string | Buffer) {
  return { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...result.headers };
}

/** Sends a response of the API; returns its status. */
export function send(response: ServerResponse, result: ApiResponse): number {
  const body = toJson(result.body);
  response.writeHead(result.status, headersOf(result, body)).end(body);
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
