/** Parses a response: the body of a success, or an error. Never throws, whatever arrives. */
import type { Endpoint } from "../api/endpoint";
import { explain, UNKNOWN_URL } from "../error-codes";
import { ApiError, type CallContext, InvalidResponseError } from "../errors";
import { parseUrl } from "../text/url";
import { errorMessage, longestMessage } from "./error-message";
import { parseMembers } from "./parse-members";
import type { Redactor } from "./redact";
import { type FailedAttempt, parseRetryAfter } from "./retry-policy";
import type { HttpResponse } from "./send";

/** Most characters of the title of a page that an error shows. */
const longestTitle = 200;

/** The body of a successful call, or why it failed. */
export type ParsedResponse = { body: Record<string, unknown> } | FailedAttempt;

/** Parses the response to a call of `endpoint`. */
export function parseResponse(
  endpoint: Endpoint,
  context: CallContext,
  response: HttpResponse,
  redactor: Redactor,
): ParsedResponse {
  const { status, headers } = response;
  const body = parseBody(response.text, redactor);
  const bodyStatus = body.json === undefined ? undefined : integerOf(body.json.http);
  const errorStatus = [bodyStatus, status].find((one) => one !== undefined && one >= 400);
  if (errorStatus !== undefined) return parseApiError(endpoint, context, response, body, errorStatus, redactor);

  const invalidResponse = (problem: string, isIncomplete: boolean): FailedAttempt => ({
    // After a success status, and after See Other, the service has probably applied a write.
    error: new InvalidResponseError(
      `${describeCall(context)} returned ${status} with ${redactor.redact(problem)}`,
      context,
      status,
      endpoint.method !== "GET" && (status < 300 || status === 303),
    ),
    retryability: isIncomplete ? "unknown" : "never",
    throttled: false,
  });
  if (status >= 300) return invalidResponse(describeRedirect(first(headers.location)), false);
  // What else answers has a body: without one, a proxy may have answered.
  if (status === 204 && endpoint.method === "DELETE") body.json ??= {};
  if (body.json === undefined) return invalidResponse(body.problem, body.isIncomplete);
  const parsed = parseMembers(endpoint.response, withItems(endpoint, body.json));
  if (parsed.success) return { body: parsed.data };
  const issues = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`));
  return invalidResponse(`fields that do not match the API: ${issues.join("; ")}`, false);
}

/** Services may write null for the items of an empty list, or leave them out. */
function withItems({ list }: Endpoint, json: Record<string, unknown>): Record<string, unknown> {
  if (list === undefined || (json[list.items] ?? null) !== null || integerOf(json[list.total]) !== 0) return json;
  return { ...json, [list.items]: [] };
}

function parseApiError(
  endpoint: Endpoint,
  context: CallContext,
  { headers }: HttpResponse,
  { json, problem }: Body,
  status: number,
  redactor: Redactor,
): FailedAttempt {
  const retryAfter = parseRetryAfter(first(headers["retry-after"]), first(headers.date));
  const code = json === undefined ? undefined : codeOf(json);
  const text = json === undefined ? undefined : errorMessage(json);
  const serviceMessage = text === undefined ? undefined : redactor.excerpt(text, longestMessage);
  const isTurnedAway = status === 429 || (status === 503 && retryAfter !== undefined);
  const isUnknown = !isTurnedAway && (status >= 500 || status === 408);
  // The service's own errors have `http` or `code`; without both, a router or gateway responded.
  const fromService = code !== undefined || (json !== undefined && integerOf(json.http) !== undefined);
  const isUnknownUrl = status === 404 && (code === UNKNOWN_URL || (!fromService && serviceMessage !== undefined));
  const missing = isUnknownUrl ? endpoint.optional : undefined;
  const message = [
    `${describeCall(context)} returned ${status}`,
    missing !== undefined ? `: this account's interface has no ${missing}` : "",
    serviceMessage !== undefined ? `: ${serviceMessage.replace(/\.$/, "")}` : "",
    json === undefined ? ` with ${redactor.redact(problem)}` : "",
    code !== undefined ? ` (code ${code})` : "",
    retryAfter !== undefined ? `; retry after ${Math.ceil(retryAfter / 1000)} s` : "",
  ].join("");
  const mayHaveSucceeded = isUnknown && endpoint.method !== "GET";
  return {
    error: new ApiError(
      message,
      context,
      status,
      code,
      serviceMessage,
      retryAfter,
      mayHaveSucceeded,
      fromService,
      missing,
    ),
    retryability: isTurnedAway ? "safe" : isUnknown ? "unknown" : "never",
    // Of a create, 503 without Retry-After says as little of a limit as of the outcome.
    throttled: isTurnedAway || (status === 503 && endpoint.idempotent),
    retryAfter,
  };
}

/** The service's code. Inside a nested error only a code of the table counts: gateways nest codes of their own. */
function codeOf(body: Record<string, unknown>): number | undefined {
  const nested = [body.error, body.errors].flat().map((one) => integerOf((one as { code?: unknown } | null)?.code));
  return integerOf(body.code) ?? nested.find((code) => code !== undefined && explain(code) !== undefined);
}

/** `webhooks.create: POST /v1/webhooks` */
export function describeCall(context: CallContext): string {
  return `${context.operation}: ${context.method} ${context.path}`;
}

interface Body {
  /** The body, when it is a JSON object. */
  json: Record<string, unknown> | undefined;
  /** What it is instead. */
  problem: string;
  /** True when it is empty or its end seems to be missing. */
  isIncomplete: boolean;
}

function parseBody(text: string, redactor: Redactor): Body {
  const invalid = (problem: string, isIncomplete = false): Body => ({ json: undefined, problem, isIncomplete });
  let value: unknown;
  try {
    value = JSON.parse(quoteLargeIntegers(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text));
  } catch {
    const trimmed = text.trim();
    if (trimmed === "") return invalid("an empty body", true);
    if (trimmed.startsWith("<")) {
      const title = redactor.excerpt(titleOf(trimmed), longestTitle);
      return invalid(`a page of HTML or XML${title ? ` ("${title}")` : ""} instead of JSON`);
    }
    return trimmed.startsWith("{") || trimmed.startsWith("[")
      ? invalid(`JSON that is invalid or truncated after ${text.length} characters`, true)
      : invalid("text instead of JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("JSON that is not an object");
  }
  return { json: value as Record<string, unknown>, problem: "", isIncomplete: false };
}

/** Turns integers that JavaScript would round into strings: they are identifiers, or part of metadata. */
function quoteLargeIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  let isInString = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') isInString = !isInString;
    return !isInString && /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
  });
}

function integerOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** The title of a page; empty if there is none. */
function titleOf(page: string): string {
  const begin = page.search(/<title[\s>]/i);
  const text = begin < 0 ? "" : page.slice(page.indexOf(">", begin) + 1);
  const end = text.search(/<\/title/i);
  return end < 0 ? text.split("<", 1)[0]! : text.slice(0, end);
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** By the origin of its target: the path may contain anything. A 304, which no request asks for, has none. */
function describeRedirect(location: string | undefined): string {
  if (location === undefined) return "neither a response of the API nor the location of one";
  const target = parseUrl(location)?.origin ?? "another path of the same host";
  return `a redirect to ${target}, which is not followed: it would send the key there`;
}
