/** Runs an API operation: from the request to the response body. */
import type { ListShape } from "../../sdk/api/endpoint";
import { fillPath, pageQuery } from "../../sdk/api/endpoint";
import { type ApiError, type codes, throwApiError } from "../domain/errors";
import type { Context } from "../domain/request-context";
import type { Account } from "../domain/schema";
import type { Settings } from "../domain/settings";
import { omitEmptyFields } from "../handlers/form";
import type { HandlerRequest, ListResult } from "../handlers/types";
import type { ApiResponse } from "./response";
import { type Route, validate } from "./router";

const DEFAULT_LIMIT = 10;

/** A request on its way to a handler. */
export interface ApiRequest {
  route: Route;
  params: Record<string, string>;
  form: Record<string, string>;
  query: URLSearchParams;
  account: Account;
  /** Run without changing anything. */
  test: boolean;
  origin: string;
  actor: HandlerRequest["actor"];
}

/** Rejects suspended accounts, plans without the API, and partner operations of others. */
export function authorize(account: Account, route: Route | undefined): void {
  if (account.suspended) throwApiError(10004);
  if (account.withoutApi) throwApiError(10009);
  if (route?.endpoint.partner && !account.partner) throwApiError(10008);
}

/** Runs the operation. It changes the data in memory; the caller persists it. */
export function execute(context: Context, apiRequest: ApiRequest): ApiResponse {
  const { route, test } = apiRequest;
  const { endpoint } = route;
  const { params, form } = validate(route, apiRequest.params, apiRequest.form, context.settings);
  const isDryRun = test && endpoint.method !== "GET";
  const target = isDryRun ? context.dryRun() : context;
  const account = isDryRun ? target.findAccount(apiRequest.account.id)! : apiRequest.account;
  const { settings } = context;
  const request: HandlerRequest = {
    context: target,
    account,
    params,
    form,
    origin: apiRequest.origin,
    actor: apiRequest.actor,
    id: identifier(settings, route),
  };
  const result = route.run(request);
  const body = endpoint.list
    ? paginate(endpoint.list, result as ListResult<unknown>, apiRequest, settings)
    : (result as Record<string, unknown>);
  return {
    status: endpoint.success,
    body: { http: endpoint.success, ...(isDryRun ? { test: true } : {}), ...body },
  };
}

/** IDs are strings on create and in lists, integers in other responses, unless a setting changes that. */
function identifier(settings: Settings, { endpoint }: Route): HandlerRequest["id"] {
  const asText =
    settings.idStyle === "mixed" ? endpoint.method === "POST" || endpoint.list : settings.idStyle === "string";
  return asText ? (value) => value : Number;
}

function paginate(
  list: ListShape,
  result: ListResult<unknown>,
  apiRequest: ApiRequest,
  settings: Settings,
): Record<string, unknown> {
  const query = pageQuery.safeParse(omitEmptyFields(Object.fromEntries(apiRequest.query)));
  if (!query.success) {
    const issue = query.error.issues[0]!;
    throwApiError(10010, `${issue.path.join(".")} ${issue.message}`);
  }
  const total = result.records.length;
  if (total === 0 && list.emptyCode !== undefined && (settings.emptyList === "error" || result.failsIfEmpty)) {
    throwApiError(list.emptyCode as keyof typeof codes);
  }
  const { pageCap } = settings;
  const offset = query.data.offset ?? 1;
  const requested = query.data.limit ?? Math.min(DEFAULT_LIMIT, pageCap.limit);
  const limit = requested > pageCap.limit ? pageCap.fallback : requested;
  const records = result.records.slice(offset - 1, offset - 1 + limit);
  const next = nextUrl(settings, apiRequest, offset, limit, offset - 1 + limit < total);
  return {
    offset,
    limit,
    [list.total]: String(total),
    ...result.members,
    ...(next === undefined ? {} : { next }),
    [list.items]: records.map((record) => result.item(record as never)),
  };
}

function nextUrl(
  { nextStyle }: Settings,
  { origin, route, params }: ApiRequest,
  offset: number,
  limit: number,
  hasMore: boolean,
): string | null | undefined {
  const pageUrl = (base: string, start: number) =>
    `${base}${fillPath(route.endpoint, params)}?offset=${start}&limit=${limit}`;
  if (nextStyle === "same") return pageUrl(origin, offset);
  if (nextStyle === "foreign") return pageUrl("https://elsewhere.example", offset + limit);
  if (hasMore) return pageUrl(origin, offset + limit);
  return { absent: undefined, null: null, empty: "" }[nextStyle];
}

/** The response for an API error. */
export function errorResponse(
  error: ApiError,
  settings: Settings,
  account: Account | undefined,
  url: string,
): ApiResponse {
  const { code, status, detail, message } = error;
  // Not even `http` and `code`: the service's router responds, not its API.
  if (code === "no route") return { status, body: { message: `The route ${url.slice(1)} could not be found.` } };
  const extended = settings.errorShape === "extended";
  // Without the extended shape the message contains the detail, which helps in tests. Not for required variables: the real
  // API is known not to name them.
  const isDetailHidden = code === 10557 || code === 10558;
  return {
    status,
    body: {
      http: status,
      ...(typeof code === "number" && { code }),
      message: detail && !extended && !isDetailHidden ? `${message} (${detail})` : message,
      ...(extended ? { company: account?.id ?? null, url, detail: detail ?? null } : {}),
    },
    ...(status === 401 ? { headers: { "www-authenticate": 'Basic realm="esign"' } } : {}),
  };
}
