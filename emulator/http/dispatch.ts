/** Answers the requests of the interface: from the checked request to the body of the answer. */
import type { ListShape } from "../../sdk/api/endpoint";
import { pageQuery } from "../../sdk/api/endpoint";
import type { World } from "../domain/context";
import { type ApiError, codes, throwApiError } from "../domain/errors";
import { withoutEmpty } from "../domain/form";
import type { Account } from "../domain/schema";
import type { Settings } from "../domain/settings";
import type { Call, Records } from "../handlers/types";
import type { Answer } from "./response";
import { check, type Route } from "./router";

const DEFAULT_LIMIT = 10;

/** A request on its way to a handler. */
export interface Asked {
  route: Route;
  params: Record<string, string>;
  form: Record<string, string>;
  query: URLSearchParams;
  account: Account;
  /** With it, the request is carried out for show only. */
  test: boolean;
  origin: string;
  from: Call["from"];
}

/** Who may do this at all: the account's standing, and partner rights. */
export function admit(account: Account, route: Route | undefined): void {
  if (account.suspended) throwApiError(10004);
  if (account.withoutApi) throwApiError(10009);
  if (route?.endpoint.partner && !account.partner) throwApiError(10008);
}

/** Carries a request out. The change is in the data when it returns; keeping it is the caller's business. */
export function perform(world: World, asked: Asked): Answer {
  const { route, test } = asked;
  const { endpoint } = route;
  const { params, form } = check(route, asked.params, asked.form, world.settings);
  const rehearsed = test && endpoint.method !== "GET";
  const stage = rehearsed ? world.rehearsal() : world;
  const account = rehearsed ? stage.byId(asked.account.id)! : asked.account;
  const { settings } = world;
  const call: Call = {
    world: stage,
    account,
    params,
    form,
    origin: asked.origin,
    from: asked.from,
    id: identifier(settings, route),
  };
  const result = route.run(call);
  const body = endpoint.list
    ? page(endpoint.list, result as Records<unknown>, asked, settings)
    : (result as Record<string, unknown>);
  return {
    status: endpoint.success,
    body: { http: endpoint.success, ...(rehearsed ? { test: true } : {}), ...body },
  };
}

/** Ids are strings on create and in lists, integers in other answers (unless the settings say otherwise). */
function identifier(settings: Settings, { endpoint }: Route): Call["id"] {
  const asText =
    settings.idStyle === "mixed" ? endpoint.method === "POST" || endpoint.list : settings.idStyle === "string";
  return asText ? (value) => value : Number;
}

function page(list: ListShape, all: Records<unknown>, asked: Asked, settings: Settings): Record<string, unknown> {
  const query = pageQuery.safeParse(withoutEmpty(Object.fromEntries(asked.query)));
  if (!query.success) {
    const issue = query.error.issues[0]!;
    throwApiError(10010, `${issue.path.join(".")} ${issue.message}`);
  }
  const total = all.records.length;
  if (total === 0 && settings.emptyList === "error") throwApiError(list.emptyCode as keyof typeof codes);
  const { pageCap } = settings;
  const offset = query.data.offset ?? 1;
  const wanted = query.data.limit ?? Math.min(DEFAULT_LIMIT, pageCap.limit);
  const limit = wanted > pageCap.limit ? pageCap.fallback : wanted;
  const records = all.records.slice(offset - 1, offset - 1 + limit);
  const next = nextAddress(settings, asked, offset, limit, offset - 1 + limit < total);
  return {
    offset,
    limit,
    [list.total]: String(total),
    ...all.members,
    ...(next === undefined ? {} : { next }),
    [list.items]: records.map((record) => all.item(record as never)),
  };
}

function nextAddress(
  { nextStyle }: Settings,
  { origin, route }: Asked,
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
export function refusal(error: ApiError, settings: Settings, account: Account | undefined, url: string): Answer {
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
