/** Runs an API operation: from the request to the response body. */

import { type ApiError, throwApiError } from "../domain/api-errors";
import type { Account } from "../domain/data-schema";
import type { Settings } from "../domain/emulator-settings";
import type { Context } from "../domain/request-context";
import { switchOf } from "../domain/strictness";
import { type Fields, omitEmptyFields } from "../handlers/body-fields";
import type { HandlerRequest, ListResult } from "../handlers/handler";
import { paginate } from "./paginate";
import type { Route } from "./router";
import { selectMembers } from "./select-members";
import type { ApiResponse } from "./send-response";
import { validate } from "./validate-fields";

/** A request on its way to a handler. */
export interface ApiRequest {
  route: Route;
  params: Record<string, string>;
  form: Fields;
  query: URLSearchParams;
  account: Account;
  /** Run without changing anything. */
  test: boolean;
  /** The webhook's URL does not answer. */
  isUnreachable: boolean;
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
  if (apiRequest.isUnreachable) throwApiError(10309, switchOf("webhookAnswers"));
  const query = omitEmptyFields(Object.fromEntries(apiRequest.query)) as Record<string, string>;
  const isDryRun = test && endpoint.method !== "GET";
  // Today every response to a test key has the mark.
  const isTest = isDryRun || (test && context.settings.edition === "current");
  if (endpoint.method !== "GET" && !isDryRun) context.keepFormer();
  const { context: target, account } = targetOf(context, apiRequest.account, endpoint.method, isDryRun);
  const { settings } = context;
  const request: HandlerRequest = {
    context: target,
    account,
    params,
    form,
    query,
    origin: apiRequest.origin,
    actor: apiRequest.actor,
  };
  const result = route.run(request);
  const body = endpoint.list
    ? paginate(result as ListResult<unknown>, {
        ...apiRequest,
        query,
        settings,
        readsFromZero: context.readsFromZero,
        reader: `${account.key} ${route.name} ${JSON.stringify(params)}`,
      })
    : (result as Record<string, unknown>);
  return {
    status: endpoint.success,
    body: selectMembers({ http: endpoint.success, test: isTest || undefined, ...body }, route, settings),
    // Documented for this operation only.
    ...(settings.edition === "current" &&
      route.name === "webhooks.create" && { headers: { location: `${body.href}` } }),
  };
}

const noRoute = (url: string) => `The route ${url.replace(/^\/+/, "")} could not be found.`;

/** What the operation sees. A new account is seen at once. */
function targetOf(
  context: Context,
  account: Account,
  method: string,
  isDryRun: boolean,
): Pick<HandlerRequest, "context" | "account"> {
  const target = isDryRun ? context.dryRun() : method === "GET" ? context.lagging() : context;
  const seen = target === context ? account : target.findAccount(account.id);
  return seen === undefined ? { context, account } : { context: target, account: seen };
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
  if (code === "no route") return { status, body: { message: noRoute(url) } };
  if (code === 10003 && settings.edition === "current") return { status, body: { message: noRoute(url) } };
  const extended = (settings.errorShape ?? (settings.edition === "current" ? "extended" : "plain")) === "extended";
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
