/** One page of a list, counted as the edition counts. */

import { z } from "zod";
import { fillPath, pageQuery } from "../../sdk/api/endpoint";
import { traits } from "../../sdk/edition";
import { type codes, throwApiError } from "../domain/api-errors";
import type { Settings } from "../domain/emulator-settings";
import { defaultPageSize } from "../domain/limits";
import { refuses, switchOf } from "../domain/strictness";
import type { ListResult } from "../handlers/handler";
import type { Route } from "./router";

/** Today the first record has the offset 0. */
const currentPageQuery = pageQuery.extend({
  offset: z
    .string()
    .regex(/^\d+$/, "must be 0 or a positive integer")
    .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
    .optional(),
});

interface PageRequest {
  route: Route;
  params: Record<string, string>;
  query: Record<string, string>;
  /** The base URL that the client called. */
  origin: string;
  settings: Settings;
  /** Readers that have begun with the offset 0, where both countings are accepted, and the offset after their last page. */
  readsFromZero: Map<string, number>;
  /** The key and the list. */
  reader: string;
}

export function paginate(result: ListResult<unknown>, request: PageRequest): Record<string, unknown> {
  const { settings, route } = request;
  const list = route.endpoint.list!;
  const editionFirst = traits[settings.edition].firstOffset;
  const schema = editionFirst === 0 ? currentPageQuery : pageQuery;
  const isStrict = refuses(settings, "pageNumbers");
  const isFromZero = !isStrict && countsFromZero(request);
  const first = isFromZero ? 0 : editionFirst;
  const { shape } = isFromZero ? currentPageQuery : schema;
  const isValid = ([name, value]: [string, string]) =>
    shape[name as keyof typeof shape]?.safeParse(value).success !== false;
  const query = z
    .object(shape)
    .safeParse(isStrict ? request.query : Object.fromEntries(Object.entries(request.query).filter(isValid)));
  if (!query.success) {
    const issue = query.error.issues[0]!;
    throwApiError(10010, `${issue.path.join(".")} ${issue.message}; ${switchOf("pageNumbers")}`);
  }
  const total = result.records.length;
  if (total === 0 && list.emptyCode !== undefined && (settings.emptyList === "error" || result.failsIfEmpty)) {
    throwApiError(list.emptyCode as keyof typeof codes);
  }
  const { pageCap } = settings;
  const offset = query.data.offset ?? first;
  const requested = query.data.limit ?? Math.min(defaultPageSize, pageCap.limit);
  const limit = requested > pageCap.limit ? pageCap.fallback : requested;
  const records = result.records.slice(offset - first, offset - first + limit);
  const hasMore = offset - first + limit < total;
  if (isFromZero) request.readsFromZero.set(request.reader, offset + limit);
  const next = nextUrl(request, offset, limit, hasMore);
  const prev = offset > first ? pageUrl(request, request.origin, Math.max(first, offset - limit), limit) : undefined;
  return {
    offset,
    limit,
    [list.total]: String(total),
    ...result.members,
    ...(next === undefined ? {} : { next }),
    ...(prev === undefined ? {} : { prev }),
    [list.items]: records.map((record) => result.item(record as never)),
  };
}

/** Whether the caller counts from 0: that shows with its first page only, so it is remembered until the caller begins otherwise. */
function countsFromZero({ readsFromZero, reader, query: { offset } }: PageRequest): boolean {
  if (offset === "0") return true;
  if (offset === undefined || (offset === "1" && readsFromZero.get(reader) !== 1)) readsFromZero.delete(reader);
  return readsFromZero.has(reader);
}

/** The URL of a page of the same list. */
function pageUrl({ route, params, query }: PageRequest, base: string, offset: number, limit: number): string {
  const { offset: _, limit: __, ...filters } = query;
  const search = new URLSearchParams({ offset: `${offset}`, limit: `${limit}`, ...filters });
  return `${base}${fillPath(route.endpoint, params)}?${search}`;
}

function nextUrl(request: PageRequest, offset: number, limit: number, hasMore: boolean): string | null | undefined {
  const { origin } = request;
  const { nextStyle } = request.settings;
  if (nextStyle === "same") return pageUrl(request, origin, offset, limit);
  if (nextStyle === "foreign") return pageUrl(request, "https://elsewhere.example", offset + limit, limit);
  if (hasMore) return pageUrl(request, origin, offset + limit, limit);
  return { absent: undefined, null: null, empty: "" }[nextStyle];
}
