/** Describes a response in one line, for the log that a user may turn on. */
import type { ResponseEvent } from "../../sdk/options";

/** Environment variable that has each request logged, if it is `debug`. */
export const logVariable = "ESIGN_LOG";

/** `GET /v1/webhooks: 200 in 31 ms`. Without values: not even the message of an error. */
export function describeResponse({ method, path, attempt, status, elapsed, waited, requestId }: ResponseEvent): string {
  const facts = [
    `${status ?? "no response"} in ${Math.round(elapsed)} ms`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(waited >= 1 ? [`waited ${Math.round(waited)} ms`] : []),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
  return `${method} ${path}: ${facts.join(", ")}`;
}
