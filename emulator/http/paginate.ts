/** One page of a list, counted as the edition counts. */
import { z } from "zod";
import { fillPath, pageQuery } from "../../sdk/api/endpoint";
import { type codes, throwApiError } from "../domain/errors";
import type { Settings } from "../domain/settings";
import { refuses } from "../domain/strictness";
import type { ListResult } from "../handlers/types";
import type { Route } from "./router";

const DEFAULT_LIMIT = 10;

/** Today the first record has the offset 0. */
const currentPageQuery = pageQuery.extend({
  offset: z
    .string()
    .regex(/^\d+$/, "must be 0 or a positive integer")
    .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
    .optional(),
});

/** Groups whose lists are known to have `next` today. */
const groupsWithNext = ["webhooks", "contacts", "usage"];

export interface PageRequest {
  route: Route;
  params: Record<string, string>;
  query: Record<string, string>;
  /** The base URL that the client called. */
  origin: string;
  settings: Settings;
}

export function paginate(result: ListResult<unknown>, request: PageRequest): Record<string, unknown> {
  const { settings, route } = request;
  const list = route.endpoint.list!;
  const [first, schema] = settings.edition === "current" ? [0, currentPageQuery] : [1, pageQuery];
  const isValid = ([name, value]: [string, string]) =>
    schema.shape[name as keyof typeof schema.shape]?.safeParse(value).success !== false;
  const isStrict = refuses(settings, "pageNumbers");
  const query = schema.safeParse(
    isStrict ? request.query : Object.fromEntries(Object.entries(request.query).filter(isValid)),
  );
  if (!query.success) {
    const issue = query.error.issues[0]!;
    throwApiError(10010, `${issue.path.join(".")} ${issue.message}`);
  }
  const total = result.records.length;
  if (total === 0 && list.emptyCode !== undefined && (settings.emptyList === "error" || result.failsIfEmpty)) {
    throwApiError(list.emptyCode as keyof typeof codes);
  }
  const { pageCap } = settings;
  const offset = query.data.offset ?? first;
  const requested = query.data.limit ?? Math.min(DEFAULT_LIMIT, pageCap.limit);
  const limit = requested > pageCap.limit ? pageCap.fallback : requested;
  const records = result.records.slice(offset - first, offset - first + limit);
  const next = nextUrl(request, offset, limit, offset - first + limit < total);
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
  { origin, route, params, query, settings }: PageRequest,
  offset: number,
  limit: number,
  hasMore: boolean,
): string | null | undefined {
  const { nextStyle, edition } = settings;
  const pageUrl = (base: string, start: number) => {
    const { offset: _, limit: __, ...filters } = query;
    return `${base}${fillPath(route.endpoint, params)}?${new URLSearchParams({ offset: `${start}`, limit: `${limit}`, ...filters })}`;
  };
  if (nextStyle === "same") return pageUrl(origin, offset);
  if (nextStyle === "foreign") return pageUrl("https://elsewhere.example", offset + limit);
  if (nextStyle === "absent" && edition === "current" && !groupsWithNext.includes(route.group)) return undefined;
  if (hasMore) return pageUrl(origin, offset + limit);
  return { absent: undefined, null: null, empty: "" }[nextStyle];
}
