/**
 * Lists, page by page. The number of items, `limit` and total of a page are used; `next` is never followed, since its host would
 * get the key and it may be endless.
 */

import type { PagedList, PageOptions } from "../options";
import type { ServiceTraits } from "../request/service-traits";
import type { CompiledEndpoint } from "../request/validate-input";
import { type Page, PageCursor } from "./page-cursor";
import { type PageCall, PageRequests } from "./page-requests";

/** The list of a list endpoint. */
export function pagedList(
  op: CompiledEndpoint,
  call: PageCall,
  service: ServiceTraits,
  options: PageOptions = {},
): PagedList<unknown, Page> {
  const requests = new PageRequests(op, call, service, options ?? {});
  const { items } = op.endpoint.list!;
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    const { start = 1, limit = service.pageSize } = requests;
    await requests.findStart();
    const cursor = new PageCursor(op, start, limit, service);
    for (;;) {
      const { newPage, isLast } = cursor.accept(await requests.getPage(cursor.offset));
      if (newPage !== undefined) yield newPage;
      if (isLast) return;
    }
  }
  return {
    page: async () => requests.getPage(await requests.findStart()),
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
