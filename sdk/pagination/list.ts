/**
 * Lists, page by page. What a page says of itself (number of items, `limit`, total) is believed, `next` is never followed:
 * its host would get the key, and its loops would have no end.
 */

import { ApiError } from "../errors";
import type { PagedList, PageOptions } from "../options";
import type { CompiledEndpoint } from "../request/validate-input";
import { type ListBehaviour, type Page, PageCursor } from "./page-cursor";

/** Asks for the page that begins with the record at a position, counted from 1; without one, for the first page. */
type Call = (position?: number) => Promise<Page>;

/** The default of `limit`, which every service bears. */
const standardLimit = 10;

/** The listing of a list endpoint. */
export function pagedList(
  op: CompiledEndpoint,
  call: (input: Record<string, unknown>, options: PageOptions) => Promise<Page>,
  manners: ListBehaviour,
  options: PageOptions = {},
): PagedList<unknown, Page> {
  const { offset, limit: size, ...callOptions } = options ?? {};
  const [start, limit] = [counted(offset), counted(size)];
  const get = (position: number | undefined, most: number) => {
    const isFirst = position === undefined || (position === 1 && manners.firstOffset === 0);
    const offset = isFirst ? {} : { offset: position - 1 + manners.firstOffset };
    return pageOrEmpty(op, call({ ...offset, limit: most }, callOptions));
  };
  const ask: Call = async (position) => {
    if (limit !== undefined) return get(position, limit);
    // Another list of this connection may meanwhile have found out that it is too large.
    const most = manners.pageSize;
    try {
      return await get(position, most);
    } catch (error) {
      if (most <= standardLimit || !isInvalid(error)) throw error;
      // The largest page is not published: a service may refuse to give more than its own.
      const page = await get(position, standardLimit);
      manners.pageSize = standardLimit;
      return page;
    }
  };
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    const walk = new PageCursor(op, start ?? 1, limit ?? manners.pageSize, manners);
    for (;;) {
      const { given, isLast } = walk.accept(await ask(walk.position));
      if (given !== undefined) yield given;
      if (isLast) return;
    }
  }
  const items = op.endpoint.list!.items;
  return {
    page: () => ask(start),
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

/** A number may be given as its digits, but must not be added to as a text. What is neither is refused with the first request. */
function counted(value: number | undefined): number | undefined {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}

/** Some services answer a list without items by an error of its own code. */
async function pageOrEmpty(op: CompiledEndpoint, page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    const { items, total, emptyCode } = op.endpoint.list!;
    if (error instanceof ApiError && error.code === emptyCode) return { http: 200, [items]: [], [total]: 0 };
    throw error;
  }
}

/** Something of the request was wrong, in whatever words: the shape of errors is not published. */
function isInvalid(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 422);
}
