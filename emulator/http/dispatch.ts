/** Answers the requests of the interface: from the checked request to the body of the answer. */
import type { ListShape } from "../../sdk/api/endpoint";
import { pageQuery } from "../../sdk/api/endpoint";
import type { Context } from "../domain/context";
import { type ApiError, codes, throwApiError } from "../domain/errors";
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
  /** With it, the request is carried out for show only. */
  test: boolean;
  origin: string;
  actor: HandlerRequest["actor"];
}

/** Who may do this at all: the account's standing, and partner rights. */
export function authorize(account: Account, route: Route | undefined): void {
  if (account.suspended) throwApiError(10004);
  if (account.withoutApi) throwApiError(10009);
  if (route?.endpoint.partner && !account.partner) throwApiError(10008);
}

/** Carries a request out. The change is in the data when it returns; keeping it is the caller's business. */
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

/** Ids are strings on create and in lists, integers in other answers (unless the settings say otherwise). */
function identifier(settings: Settings, { endpoint }: Route): HandlerRequest["id"] {
  const asText =
    settings.idStyle === "mixed" ? endpoint.method === "POST" || endpoint.list : settings.idStyle === "string";
  return asText ? (value) => value : Number;
}

function paginate(
  list: ListShape,
  all: ListResult<unknown>,
  apiRequest: ApiRequest,
  settings: Settings,
): Record<string, unknown> {
  const query = pageQuery.safeParse(omitEmptyFields(Object.fromEntries(apiRequest.query)));
  if (!query.success) {
    const issue = query.error.issues[0]!;
    throwApiError(10010, `${issue.path.join(".")} ${issue.message}`);
  }
  const total = all.records.length;
  if (total === 0 && settings.emptyList === "error") throwApiError(list.emptyCode as keyof typeof codes);
  const { pageCap } = settings;
  const offset = query.data.offset ?? 1;
  const requested = query.data.limit ?? Math.min(DEFAULT_LIMIT, pageCap.limit);
  const limit = requested > pageCap.limit ? pageCap.fallback : requested;
  const records = all.records.slice(offset - 1, offset - 1 + limit);
  const next = nextUrl(settings, apiRequest, offset, limit, offset - 1 + limit < total);
  return {
    offset,
    limit,
    [list.total]: String(total),
    ...all.members,
    ...(next === undefined ? {} : { next }),
    [list.items]: records.map((record) => all.item(record as never)),
  };
}

function nextUrl(
  { nextStyle }: Settings,
  { origin, route }: ApiRequest,
  offset: number,
  limit: number,
  more: boolean,
): string | null | undefined {
  const address = (base: string, at: number) => `${base}${route.endpoint.path}?offset=${at}&limit=${limit}`;
  if (nextStyle === "same") return address(origin, offset);
  if (nextStyle === "foreign") return address("https://elsewhere.example", offset + limit);
  if (more) return address(origin, offset + limit);
  return { absent: undefined, null: null, empty: "" }[nextStyle];
}

/** The answer that says no. */
export function errorResponse(
  error: ApiError,
  settings: Settings,
  account: Account | undefined,
  url: string,
): ApiResponse {
  const { code, status, detail } = error;
  const message = codes[code][1];
  const extended = settings.errorShape === "extended";
  // Without the extended shape the detail is in the words: a local service should say what is wrong. Not for the
  // required variables, where it is known that the real one does not say which.
  const quiet = code === 10557 || code === 10558;
  return {
    status,
    body: {
      http: status,
      code,
      message: detail && !extended && !quiet ? `${message} (${detail})` : message,
      ...(extended ? { company: account?.id ?? null, url, detail: detail ?? null } : {}),
    },
    ...(status === 401 ? { headers: { "www-authenticate": 'Basic realm="esign"' } } : {}),
  };
}
