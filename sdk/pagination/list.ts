/**
 * Lists, page by page. The number of items, `limit` and total of a page are used; `next` is never followed, since its host would
 * get the key and it may be endless.
 */

import { ApiError } from "../errors";
import type { PagedList, PageOptions } from "../options";
import type { CompiledEndpoint } from "../request/validate-input";
import { type ListBehaviour, type Page, PageCursor } from "./page-cursor";

/** The default of `limit`, which every service accepts. */
const defaultLimit = 10;

/** Requests one page. */
export type ListCall = (input: Record<string, unknown>, options: PageOptions) => Promise<Page>;

/** The list of a list endpoint. */
export function pagedList(
  op: CompiledEndpoint,
  call: ListCall,
  behaviour: ListBehaviour,
  options: PageOptions = {},
): PagedList<unknown, Page> {
  const { offset, limit: size, ...callOptions } = options ?? {};
  const [start, limit] = [toNumber(offset), toNumber(size)];
  const request = (position: number | undefined, limit: number) => {
    const isFirst = position === undefined || (position === 1 && behaviour.firstOffset === 0);
    const offset = isFirst ? {} : { offset: position - 1 + behaviour.firstOffset };
    return pageOrEmpty(op, call({ ...offset, limit }, callOptions));
  };
  /** Gets the page that begins with the record at a position, counted from 1; without one, the first page. */
  const getPage = async (position?: number): Promise<Page> => {
    if (limit !== undefined) return request(position, limit);
    // Read for each page: another list of this connection may have reduced it.
    const { pageSize } = behaviour;
    try {
      return await request(position, pageSize);
    } catch (error) {
      if (pageSize <= defaultLimit || !isInvalidRequest(error)) throw error;
      // The maximum page size is not published, and the service may reject this one.
      const page = await request(position, defaultLimit);
      behaviour.pageSize = defaultLimit;
      return page;
    }
  };
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    const cursor = new PageCursor(op, start ?? 1, limit ?? behaviour.pageSize, behaviour);
    for (;;) {
      const { newPage, isLast } = cursor.accept(await getPage(cursor.position));
      if (newPage !== undefined) yield newPage;
      if (isLast) return;
    }
  }
  const items = op.endpoint.list!.items;
  return {
    page: () => getPage(start),
    pages: () => ({ [Symbol.asyncIterator]: pages }),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page[items] as unknown[];
    },
    async all() {
      const all: unknown[] = [];
      for await (const page of pages()) all.push(...(page[items] as unknown[]));
      return all;
    },
  };
}

/** A numeric string becomes a number; anything else is validated with the first request. */
function toNumber(value: number | undefined): number | undefined {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}

/** The API may return an error with a code of its own for an empty list. */
async function pageOrEmpty(op: CompiledEndpoint, page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    const { items, total, emptyCode } = op.endpoint.list!;
    if (error instanceof ApiError && error.code !== undefined && error.code === emptyCode)
      return { http: 200, [items]: [], [total]: 0 };
    throw error;
  }
}

/** By the status alone: the codes of such errors are not published. */
function isInvalidRequest(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422);
}
