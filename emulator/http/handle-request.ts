/** Handles an API request: reading, faults, limits, authentication, handler, persistence, response, log. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { keyFingerprint } from "../../sdk/auth/key-fingerprint";
import { traits } from "../../sdk/edition";
import { parseUrl } from "../../sdk/text/url";
import { ApiError, type Code, throwApiError } from "../domain/api-errors";
import type { Settings } from "../domain/emulator-settings";
import type { NotifyHosts } from "../domain/notifications/notify-hosts";
import type { Context } from "../domain/request-context";
import { refuses } from "../domain/strictness";
import type { Fields } from "../handlers/body-fields";
import type { AllowedHosts } from "./allowed-hosts";
import { type ApiRequest, authorize, errorResponse, execute } from "./dispatch";
import type { FaultInjector, InjectedFault } from "./fault-injection";
import { isResponseFault, sendCorrupted, sendStatus } from "./fault-responses";
import { type RateLimiter, sendTooManyRequests } from "./rate-limit";
import { basicKey, readFields } from "./request-body";
import { type LogEntry, loggedFieldNames, type RequestLog } from "./request-log";
import { chooseRoute, isMissing, type Match, matchRoute, type Route, takesFields } from "./router";
import { type ApiResponse, dropConnection, send } from "./send-response";
import { webhookAnswers } from "./webhook-answers";

/** What a running emulator consists of. */
export interface ServerState {
  context: Context;
  settings: Settings;
  faults: FaultInjector;
  limiter: RateLimiter;
  readonly log: RequestLog;
  /** Revoked keys, with the error that they get. */
  readonly revokedKeys: Map<string, Code>;
  readonly scheme: "http" | "https";
  allowedHosts: AllowedHosts;
  notifyHosts: NotifyHosts;
  /** Runs what is due by the emulator's clock. */
  tick(): void;
  /** Resolves when all changes are persisted; then their side effects follow. */
  persist(): Promise<void>;
}

type Entry = Omit<LogEntry, "n" | "elapsed">;

/** One request, as far as it has been read. */
interface Exchange {
  state: ServerState;
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  key: string | undefined;
  entry: Entry;
  form: Fields;
  /** Why the body is not valid; matters only for operations that take one. */
  bodyError: ApiError | undefined;
  match: Match;
  route: Route | undefined;
  /** The account of the key. */
  caller: ReturnType<Context["findByKey"]>;
  injected: InjectedFault;
  /** The webhook's URL does not answer. */
  isUnreachable?: boolean;
}

/** Returns the status that was sent (0 for none), or undefined to go on with the next step. */
type Step = (exchange: Exchange) => Promise<number | undefined>;

/** Handles one request, from its log entry to its response. */
export async function handleRequest(
  state: ServerState,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const start = performance.now();
  const key = basicKey(request.headers.authorization);
  const entry: Entry = {
    time: state.context.now.toISOString(),
    method: request.method ?? "GET",
    path: url.pathname + url.search,
    status: 0,
    ...(key === undefined ? {} : { key: keyFingerprint(key) }),
  };
  state.log.begin();
  try {
    response.setHeader("date", state.context.now.toUTCString());
    entry.status = await respond(await readRequest(state, request, response, url, key, entry));
  } catch (error) {
    // The server sends the response to unexpected errors.
    if (!response.headersSent && !response.destroyed) entry.status = 500;
    throw error;
  } finally {
    state.log.end({ ...entry, elapsed: Math.round((performance.now() - start) * 10) / 10 });
  }
}

/** Reads the body, finds operation and account, and draws the faults. */
async function readRequest(
  state: ServerState,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  key: string | undefined,
  entry: Entry,
): Promise<Exchange> {
  const { fields: form, error: bodyError } = await readFields(request, state.settings);
  // HEAD is handled like GET (RFC 9110); Node leaves the body out.
  const match = matchRoute(
    entry.method === "HEAD" ? "GET" : entry.method,
    decodeUnreserved(url.pathname),
    state.settings.edition,
  );
  const route = match.kind === "route" ? chooseRoute(match.routes, form) : undefined;
  const caller = findCaller(state, key);
  if (route) entry.operation = route.name;
  const fields = loggedFieldNames(form);
  if (fields.length > 0) entry.fields = fields;
  if (caller) entry.account = caller.account.id;
  const injected = state.faults.next({
    method: entry.method,
    path: url.pathname,
    operation: route?.name,
    account: caller?.account.id,
    form,
  });
  if (injected.fault) entry.fault = injected.fault.kind;
  return { state, request, response, url, key, entry, form, bodyError, match, route, caller, injected };
}

function findCaller({ context }: ServerState, key: string | undefined): Exchange["caller"] {
  return key === undefined ? undefined : context.findByKey(key);
}

async function respond(exchange: Exchange): Promise<number> {
  const { state, response, key } = exchange;
  const release = state.limiter.acquire(key ?? "", state.context.options.clock());
  if (typeof release === "number") return sendTooManyRequests(response, state.context.now, state.settings, release);
  try {
    for (const step of steps) {
      const status = await step(exchange);
      if (status !== undefined) return status;
    }
    return 0;
  } finally {
    release();
  }
}

const delay: Step = async ({ state, response, injected }) => {
  const ms = state.settings.latency + injected.delay;
  if (ms > 0) await wait(ms);
  return response.destroyed ? 0 : undefined;
};

/** Faults instead of which the operation does not run. */
const failEarly: Step = async ({ state, response, injected: { fault } }) => {
  if (fault?.kind === "cut-before") {
    dropConnection(response);
    return 0;
  }
  if (fault?.kind === "status") return sendStatus(response, state.context.now, fault);
  if (fault && isResponseFault(fault) && "commit" in fault && fault.commit === false) {
    return sendCorrupted(response, { status: 200, body: { http: 200 } }, fault);
  }
  return undefined;
};

/** Asks a webhook's URL, which takes time: handlers are synchronous. */
const tryWebhook: Step = async (exchange) => {
  const { state, route, caller, form } = exchange;
  const isTried = caller && ["webhooks.create", "webhooks.update"].includes(route?.name ?? "");
  if (isTried && refuses(state.settings, "webhookAnswers")) {
    exchange.isUnreachable = !(await webhookAnswers(form.webhook_url, state.notifyHosts));
  }
  return undefined;
};

const runOperation: Step = async (exchange) => {
  const { state, response, entry, injected } = exchange;
  const { fault } = injected;
  state.tick();
  // Again: since the request was read, the data may have been replaced.
  exchange.caller = findCaller(state, exchange.key);
  const result = runHandler(exchange);
  await state.persist();
  if (fault?.kind === "error" && fault.status !== undefined) result.status = fault.status;
  if (typeof result.body.code === "number") entry.code = result.body.code;
  const { contentType } = traits[state.settings.edition];
  const headers = { ...(contentType !== undefined && { "content-type": contentType }), ...result.headers };
  const answer = { ...result, headers };
  return fault && isResponseFault(fault) ? sendCorrupted(response, answer, fault) : send(response, answer);
};

const steps: readonly Step[] = [delay, failEarly, tryWebhook, runOperation];

/** The handler's response, or the one of the error that it threw. Side effects of a failed request are discarded. */
function runHandler(exchange: Exchange): ApiResponse {
  const { state, caller, url } = exchange;
  const { sideEffects } = state.context;
  const before = sideEffects.length;
  try {
    return execute(state.context, authorizedRequest(exchange));
  } catch (error) {
    sideEffects.length = before;
    if (error instanceof ApiError) return errorResponse(error, state.settings, caller?.account, url.pathname);
    throw error;
  }
}

/** Checks in the order of the service: URL, key, account, method, body. */
function authorizedRequest(exchange: Exchange): ApiRequest {
  const { state, request, url, key, form, bodyError, match, route, caller } = exchange;
  const { fault } = exchange.injected;
  if (match.kind === "unknown" || isMissing(state.settings, match)) throwApiError(unknownUrl(state.settings));
  if (!caller) throwApiError((key !== undefined && state.revokedKeys.get(key)) || 10002);
  authorize(caller.account, route);
  if (match.kind === "rejected") throwApiError(match.code);
  if (fault?.kind === "error") throw new ApiError(fault.code as Code, fault.message);
  if (bodyError && takesFields(route!)) throw bodyError;
  const apiRequest: ApiRequest = {
    route: route!,
    params: match.params,
    form,
    query: url.searchParams,
    account: caller.account,
    test: caller.test || fault?.kind === "test",
    isUnreachable: exchange.isUnreachable === true,
    origin: requestOrigin(state, request.headers.host),
    actor: { ip: request.socket.remoteAddress ?? "", userAgent: request.headers["user-agent"] ?? "" },
  };
  return fault?.kind === "other-ids" ? withOtherIds(state.context, apiRequest) : apiRequest;
}

/** What an unknown URL gets. Today's edition responds before it knows anything of a request. */
const unknownUrl = ({ edition }: Settings): Code => (traits[edition].unknownUrlCode === null ? "no route" : 10003);

/** Decodes unreserved characters of a path: `%65` is `e` (RFC 3986). */
function decodeUnreserved(path: string): string {
  return path.replace(/%(2D|2E|5F|7E|3\d|[46][1-9A-F]|[57][0-9A])/gi, (code) => decodeURIComponent(code));
}

/** The base URL as the client called it; the emulator's own when the Host header is not valid. */
function requestOrigin({ scheme, context }: ServerState, host: string | undefined): string {
  const called = `${scheme}://${host ?? ""}`;
  return parseUrl(called) ? called : context.url;
}

/** The same request for another object of the account, if there is one. */
function withOtherIds(context: Context, apiRequest: ApiRequest): ApiRequest {
  if (apiRequest.route.endpoint.method !== "GET") return apiRequest;
  const ids: Record<string, string[]> = {
    webhook_id: apiRequest.account.webhooks.map((webhook) => webhook.id),
    company_id: context.companiesOf(apiRequest.account).map((company) => company.id),
    envelope_fingerprint: apiRequest.account.envelopes.map((envelope) => envelope.fingerprint),
    user_id: apiRequest.account.users.map((user) => user.id),
    contact_id: apiRequest.account.contacts.map((contact) => contact.id),
    template_fingerprint: apiRequest.account.templates.map((template) => template.fingerprint),
  };
  const params = Object.entries(apiRequest.params).map(([name, value]) => [
    name,
    ids[name]?.find((id) => id !== value) ?? value,
  ]);
  return { ...apiRequest, params: Object.fromEntries(params) };
}
