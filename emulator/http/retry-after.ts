/** Responses that come before the API, with when to send the request again: the rate limit, and the status of a fault. */
import type { ServerResponse } from "node:http";
import type { Settings } from "../domain/emulator-settings";
import type { Context } from "../domain/request-context";
import type { FaultOf } from "./fault-injection";
import { write } from "./send-response";

interface State {
  readonly context: Pick<Context, "now">;
  readonly settings: Pick<Settings, "rateLimit">;
}

type RetryAfterStyle = "seconds" | "date" | "none";

function retryAfter(now: Date, seconds: number, style: RetryAfterStyle): Record<string, string> {
  if (style === "none") return {};
  // Neither format has fractions of a second; rounded down would be too early.
  if (style === "seconds") return { "retry-after": String(Math.ceil(seconds)) };
  return { "retry-after": new Date(Math.ceil(now.getTime() / 1000 + seconds) * 1000).toUTCString() };
}

const TOO_MANY_REQUESTS = "Too many requests.";

/** Returns the status. `seconds`: until a retry. */
export function sendTooManyRequests(response: ServerResponse, { context, settings }: State, seconds: number): number {
  const headers = retryAfter(context.now, seconds, settings.rateLimit.retryAfter ?? "seconds");
  return write(response, 429, JSON.stringify({ http: 429, message: TOO_MANY_REQUESTS }), undefined, headers);
}

/** Sends the status of a fault; returns it. */
export function sendStatus(response: ServerResponse, { context }: State, fault: FaultOf<"status">): number {
  const { status } = fault;
  const headers =
    fault.retryAfter === undefined ? {} : retryAfter(context.now, fault.retryAfter, fault.retryAfterStyle ?? "seconds");
  if (fault.body === "empty") return write(response, status, "", "text/plain", headers);
  if (fault.body === "html") {
    return write(response, status, `<html><body><h1>${status}</h1></body></html>`, "text/html", headers);
  }
  const message = status === 429 ? TOO_MANY_REQUESTS : "The service is not available.";
  return write(response, status, JSON.stringify({ http: status, message }), undefined, headers);
}
