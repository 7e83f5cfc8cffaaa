/** The stages of a request of the interface: read, faults, limits, key, handler, keeping, answer, log. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { parseUrl } from "../../sdk/text/url";
import type { World } from "../domain/context";
import { ApiError, type Code, throwApiError } from "../domain/errors";
import type { Account } from "../domain/schema";
import type { Settings } from "../domain/settings";
import { type Asked, admit, perform, refusal } from "./dispatch";
import type { FaultOf, Faults } from "./fault-injection";
import type { Limiter } from "./rate-limit";
import { basicKey, readForm } from "./request-body";
import type { LogEntry, RequestLog } from "./request-log";
import { type Answer, cut, isSpoiler, send, write } from "./response";
import { choose, match } from "./router";

/** The parts of a running service that requests pass through. */
export interface Running {
  world: World;
  settings: Settings;
  faults: Faults;
  limiter: Limiter;
  readonly log: RequestLog;
  /** Keys that once opened an account, and how they are refused since. */
  readonly retired: Map<string, Code>;
  readonly scheme: "http" | "https";
  /** Lets time do its work on the data. */
  tick(): void;
  /** Resolves when the changes are kept; then their effects follow. */
  keep(): Promise<void>;
}

type Entry = Omit<LogEntry, "n" | "elapsed">;

/** Handles one request, from its log entry to its answer. */
export async function serve(
  running: Running,
  request: IncomingMessage,
  response: ServerResponse,
  address: URL,
): Promise<void> {
  const began = performance.now();
  const key = basicKey(request.headers.authorization);
  const entry: Entry = {
    time: running.world.now.toISOString(),
    method: request.method ?? "GET",
    path: address.pathname + address.search,
    status: 0,
    ...(key === undefined ? {} : { key: keyFingerprint(key) }),
  };
  running.log.begin();
  try {
    response.setHeader("date", running.world.now.toUTCString());
    await stages(running, request, response, address, key, entry);
  } catch (error) {
    // The answer to it is given outside, as for everything that is no request of the interface.
    if (!response.headersSent && !response.destroyed) entry.status = 500;
    throw error;
  } finally {
    running.log.end({ ...entry, elapsed: Math.round((performance.now() - began) * 10) / 10 });
  }
}

async function stages(
  running: Running,
  request: IncomingMessage,
  response: ServerResponse,
  address: URL,
  key: string | undefined,
  entry: Entry,
): Promise<void> {
  const { world, settings } = running;
  const { fields: form, refusal: spoilt } = await readForm(request);
  // A HEAD is answered as the GET that it asks about (RFC 9110); its body is left out on the way.
  const matched = match(entry.method === "HEAD" ? "GET" : entry.method, unescaped(address.pathname));
  const route = matched.kind === "route" ? choose(matched.routes, form) : undefined;
  const known = key === undefined ? undefined : world.byKey(key);
  if (route) entry.operation = route.name;
  const fields = fieldNames(form);
  if (fields.length > 0) entry.fields = fields;
  if (known) entry.account = known.account.id;

  const { delay, fault } = running.faults.draw({
    method: entry.method,
    path: address.pathname,
    operation: route?.name,
    account: known?.account.id,
    form,
  });
  if (fault) entry.fault = fault.kind;
  const leave = running.limiter.enter(key ?? "", world.parts.clock());
  if (typeof leave === "number") {
    entry.status = tooMany(response, running, leave);
    return;
  }
  try {
    if (settings.latency + delay > 0) await wait(settings.latency + delay);
    if (response.destroyed) return;
    if (fault?.kind === "cut-before") return cut(response);
    if (fault?.kind === "status") {
      entry.status = onlyStatus(response, running, fault);
      return;
    }
    const spoiler = fault && isSpoiler(fault) ? fault : undefined;
    if (spoiler && "commit" in spoiler && spoiler.commit === false) {
      entry.status = await send(response, { status: 200, body: { http: 200 } }, spoiler);
      return;
    }
    running.tick();
    const answer = decide(running, known?.account, address, () => {
      if (matched.kind === "unknown") throwApiError(10003);
      if (!known) throwApiError((key !== undefined && running.retired.get(key)) || 10002);
      // Who asks comes before what is asked: its method, then its body.
      admit(known.account, route);
      if (matched.kind === "refused") throwApiError(matched.code);
      if (fault?.kind === "error") throw new ApiError(fault.code as Code, fault.message);
      if (spoilt && route!.endpoint.method !== "GET" && route!.endpoint.method !== "DELETE") throw spoilt;
      const asked: Asked = {
        route: route!,
        params: matched.params,
        form,
        query: address.searchParams,
        account: known.account,
        test: known.test || fault?.kind === "test",
        origin: originOf(running, request.headers.host),
        from: { ip: request.socket.remoteAddress ?? "", userAgent: request.headers["user-agent"] ?? "" },
      };
      return perform(world, fault?.kind === "other-ids" ? misdirected(world, asked) : asked);
    });
    await running.keep();
    if (fault?.kind === "error" && fault.status !== undefined) answer.status = fault.status;
    if (typeof answer.body.code === "number") entry.code = answer.body.code;
    entry.status = await send(response, answer, spoiler);
  } finally {
    leave();
  }
}

const MOST_FIELDS = 50;
const LONGEST_FIELD = 100;

/** Names for the log. What was no form at all, JSON for example, is one name as long as the body. */
function fieldNames(form: Record<string, string>): string[] {
  const names = Object.keys(form).slice(0, MOST_FIELDS);
  return names.map((name) => (name.length > LONGEST_FIELD ? `${name.slice(0, LONGEST_FIELD)}…` : name));
}

/** A path without the escapes that mean nothing: `%65` is `e` (RFC 3986). */
function unescaped(path: string): string {
  return path.replace(/%(2D|2E|5F|7E|3\d|[46][1-9A-F]|[57][0-9A])/gi, (code) => decodeURIComponent(code));
}

/** The service's address as the client called it, or its own one when the client's makes no address. */
function originOf({ scheme, world }: Running, host: string | undefined): string {
  const called = `${scheme}://${host ?? ""}`;
  return parseUrl(called) ? called : world.url;
}

/** A handler's answer, or the refusal that it threw. What a refused request would have caused does not happen. */
function decide(running: Running, account: Account | undefined, address: URL, handle: () => Answer): Answer {
  const { effects } = running.world;
  const before = effects.length;
  try {
    return handle();
  } catch (error) {
    effects.length = before;
    if (error instanceof ApiError) return refusal(error, running.settings, account, address.pathname);
    throw error;
  }
}

/** The same question about another object of the account, as far as there is one. */
function misdirected(world: World, asked: Asked): Asked {
  if (asked.route.endpoint.method !== "GET") return asked;
  const ids: Record<string, string[]> = {
    webhook_id: asked.account.webhooks.map((webhook) => webhook.id),
    company_id: world.companies(asked.account).map((company) => company.id),
    envelope_fingerprint: asked.account.envelopes.map((envelope) => envelope.fingerprint),
  };
  const params = Object.entries(asked.params).map(([name, value]) => [
    name,
    ids[name]?.find((id) => id !== value) ?? value,
  ]);
  return { ...asked, params: Object.fromEntries(params) };
}

type RetryAfterStyle = "seconds" | "date" | "none";

function retryAfter(now: Date, seconds: number, style: RetryAfterStyle): Record<string, string> {
  if (style === "none") return {};
  // Neither notation has parts of a second; what is rounded down would be too early.
  if (style === "seconds") return { "retry-after": String(Math.ceil(seconds)) };
  return { "retry-after": new Date(Math.ceil(now.getTime() / 1000 + seconds) * 1000).toUTCString() };
}

const TOO_MANY = "Too many requests.";

function tooMany(response: ServerResponse, { world, settings }: Running, seconds: number): number {
  const headers = retryAfter(world.now, seconds, settings.rateLimit.retryAfter ?? "seconds");
  return write(response, 429, JSON.stringify({ http: 429, message: TOO_MANY }), undefined, headers);
}

function onlyStatus(response: ServerResponse, { world }: Running, fault: FaultOf<"status">): number {
  const { status } = fault;
  const headers =
    fault.retryAfter === undefined ? {} : retryAfter(world.now, fault.retryAfter, fault.retryAfterStyle ?? "seconds");
  if (fault.body === "empty") return write(response, status, "", "text/plain", headers);
  if (fault.body === "html") {
    return write(response, status, `<html><body><h1>${status}</h1></body></html>`, "text/html", headers);
  }
  const message = status === 429 ? TOO_MANY : "The service is not available.";
  return write(response, status, JSON.stringify({ http: status, message }), undefined, headers);
}
