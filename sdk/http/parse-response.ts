/** Understands an answer: the reply of a success, or the error that it is. Never throws for anything that may come. */
import type { z } from "zod";
import type { Endpoint } from "../api/endpoint";
import { explain } from "../error-codes";
import { ApiError, type CallContext, InvalidResponseError } from "../errors";
import { parseUrl } from "../text/url";
import { messageOf } from "./error-message";
import type { Redactor } from "./redact";
import { type Failed, parseRetryAfter } from "./retry-policy";
import type { HttpAnswer } from "./send";

/** The reply of a successful call, or why it failed. */
export type Understood = { reply: Record<string, unknown> } | Failed;

/** Reads an answer to a call of `endpoint`. */
export function understand(
  endpoint: Endpoint,
  context: CallContext,
  answer: HttpAnswer,
  redactor: Redactor,
): Understood {
  const { status } = answer;
  const body = readBody(answer.text);
  const claimed = body.json === undefined ? undefined : numberOf(body.json.http);
  const errorStatus = claimed !== undefined && claimed >= 400 ? claimed : status >= 400 ? status : undefined;
  if (errorStatus !== undefined) return refusal(endpoint, context, answer, body, errorStatus, redactor);

  const misunderstood = (what: string, again: boolean): Failed => ({
    // A status of success makes it likely that a write was carried out, and See Other says that its result is elsewhere.
    error: new InvalidResponseError(
      `${callOf(context)} was answered ${status} with ${redactor.text(what)}`,
      context,
      status,
      endpoint.method !== "GET" && (status < 300 || status === 303),
    ),
    prospect: again ? "unknown" : "final",
    throttled: false,
  });
  if (status >= 300) {
    return misunderstood(
      `a redirect to ${originOf(answer.headers.location)}, which is not followed, since that would carry the key there`,
      false,
    );
  }
  if (status === 204) body.json ??= {};
  if (body.json === undefined) return misunderstood(body.problem, body.cutShort);
  const parsed = (endpoint.reply as z.ZodObject).safeParse(withItems(endpoint, body.json));
  if (parsed.success) return { reply: parsed.data };
  const faults = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`));
  return misunderstood(
    `members that are not as the specification says (§${endpoint.section}): ${faults.join("; ")}`,
    false,
  );
}

/** A list that says that it is empty may write null, or nothing at all, where its items would be. */
function withItems({ list }: Endpoint, json: Record<string, unknown>): Record<string, unknown> {
  if (list === undefined || (json[list.items] ?? null) !== null || numberOf(json[list.total]) !== 0) return json;
  return { ...json, [list.items]: [] };
}

function refusal(
  endpoint: Endpoint,
  context: CallContext,
  answer: HttpAnswer,
  body: Body,
  status: number,
  redactor: Redactor,
): Failed {
  const retryAfter = parseRetryAfter(first(answer.headers["retry-after"]), first(answer.headers.date));
  const code = body.json === undefined ? undefined : codeOf(body.json);
  const said = body.json === undefined ? undefined : messageOf(body.json);
  const serviceMessage = said === undefined ? undefined : shorten(redactor.text(said));
  const refused = status === 429 || (status === 503 && retryAfter !== undefined);
  const unknown = !refused && (status >= 500 || status === 408);
  // The service's own errors have `http` or `code`; what lacks both comes from a router or gateway before it.
  const fromService = code !== undefined || (body.json !== undefined && numberOf(body.json.http) !== undefined);
  const words = [
    `${callOf(context)} was answered ${status}`,
    serviceMessage !== undefined
      ? `: ${serviceMessage.replace(/\.$/, "")}`
      : body.json === undefined
        ? ` with ${redactor.text(body.problem)}`
        : "",
    code !== undefined ? ` (code ${code})` : "",
    retryAfter !== undefined ? `; it asks to wait ${Math.ceil(retryAfter / 1000)} s` : "",
  ];
  return {
    error: new ApiError(
      words.join(""),
      context,
      status,
      code,
      serviceMessage,
      retryAfter,
      unknown && endpoint.method !== "GET",
      fromService,
    ),
    prospect: refused ? "not-done" : unknown ? "unknown" : "final",
    throttled: status === 429 || status === 503,
    retryAfter,
  };
}

/**
 * The service's own code. Its errors may be an object or a list inside of the answer, as their words may (§7): there, only a code that is
 * known counts, since gateways write theirs in such a way, too.
 */
function codeOf(body: Record<string, unknown>): number | undefined {
  const inside = [body.error, body.errors].flat().map((one) => numberOf((one as { code?: unknown } | null)?.code));
  return numberOf(body.code) ?? inside.find((code) => code !== undefined && explain(code) !== undefined);
}

/** `webhooks.create: POST /v1/webhooks` */
export function callOf(context: CallContext): string {
  return `${context.operation}: ${context.method} ${context.path}`;
}

interface Body {
  /** The body, when it is a JSON object. */
  json: Record<string, unknown> | undefined;
  /** What it is instead. */
  problem: string;
  /** True when it is empty or looks as if its end were missing. */
  cutShort: boolean;
}

function readBody(text: string): Body {
  const problem = (words: string, cutShort = false): Body => ({ json: undefined, problem: words, cutShort });
  let value: unknown;
  try {
    value = JSON.parse(withLargeIds(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text));
  } catch {
    const trimmed = text.trim();
    if (trimmed === "") return problem("an empty body", true);
    if (trimmed.startsWith("<")) {
      const title = /<title[^>]*>([^<]{1,200})/i.exec(trimmed.slice(0, 10_000))?.[1];
      return problem(`a page of HTML or XML${title ? ` ("${shorten(title)}")` : ""}, not the service's JSON`);
    }
    return trimmed.startsWith("{") || trimmed.startsWith("[")
      ? problem(`JSON that is broken or cut short after ${text.length} characters`, true)
      : problem("text that is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return problem("JSON that is not an object");
  }
  return { json: value as Record<string, unknown>, problem: "", cutShort: false };
}

/**
 * Whole numbers too large for a number become texts: they are identifiers, of the service or in metadata, and would be rounded to
 * another object's.
 */
function withLargeIds(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  let isInText = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (found) => {
    if (found === '"') isInText = !isInText;
    return !isInText && /^-?\d{16,}$/.test(found) && !Number.isSafeInteger(Number(found)) ? `"${found}"` : found;
  });
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** One line without control characters. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

/** Stands where words were cut. */
export const cut = "…";

/** One line of a length that a terminal bears. */
function shorten(text: string): string {
  const line = oneLine(text);
  return line.length > 500 ? `${line.slice(0, 500)}${cut}` : line;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Host of a redirect's target; its path may hold anything. */
function originOf(location: string | string[] | undefined): string {
  const target = first(location);
  if (target === undefined) return "an address that it does not name";
  return parseUrl(target)?.origin ?? "another path of the same host";
}
