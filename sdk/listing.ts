/**
 * Lists, page by page. What a page says of itself (number of items, `limit`, total) is believed, `next` is never followed:
 * its host would get the key, and its loops would have no end.
 *
 * Records come and go while a list is read. Each page is therefore asked for from the last record of the page before: when
 * that record is not where it was, something shifted, and pages are read again until one begins with a record that is known.
 * So nothing that was there all the time is missed, and nothing comes twice; but in pages of a single record shifts are not seen.
 */
import { callOf } from "./answer";
import type { Operation } from "./check";
import type { Listing, PageOptions } from "./client";
import { ReplyError, ServiceError } from "./errors";

type Page = Record<string, unknown>;
/** Asks for the page that begins with the record at a position, counted from 1; without one, for the first page. */
type Call = (position?: number) => Promise<Page>;

/** Ids that are remembered to tell what came already: bounded, so that a list of any length needs constant memory. */
const remembered = 5_000;
/** Pages in a row without a new record after which the service is taken to ignore `offset`. */
const pagesWithoutNews = 5;

/** What a service has shown of its lists, kept by the connection. */
export interface Manners {
  /** Number of a list's first record: the specification says "positive integer", and yet some count from 0. */
  firstOffset: 0 | 1;
  /** Records to ask for per page. */
  pageSize: number;
}

/** The default of `limit` (§8), which every service bears. */
const standardLimit = 10;

/** The listing of a list endpoint. */
export function listing(
  op: Operation,
  call: (input: Record<string, unknown>, options: PageOptions) => Promise<Page>,
  manners: Manners,
  options: PageOptions = {},
): Listing<unknown, Page> {
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
  const pages = () => walk(op, ask, start ?? 1, limit ?? manners.pageSize, manners);
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
async function pageOrEmpty(op: Operation, page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    const { items, total, emptyCode } = op.endpoint.list!;
    if (error instanceof ServiceError && error.code === emptyCode) return { http: 200, [items]: [], [total]: 0 };
    throw error;
  }
}

/** Something of the request was wrong, in whatever words: the shape of errors is not published (§7). */
function isInvalid(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 400 || error.status === 422);
}

/** From what number the service counts, by the address that it gives for the page behind the first one. */
function firstOffsetBy(page: Page, items: number): 0 | 1 | undefined {
  const offset = /[?&]offset=(\d+)/.exec(typeof page.next === "string" ? page.next : "")?.[1];
  return [0, 1].find((first) => offset === String(first + items)) as 0 | 1 | undefined;
}

/** Pages whose items are all new, to the end of the list. */
async function* walk(
  op: Operation,
  ask: Call,
  start: number,
  limit: number,
  manners: Manners,
): AsyncGenerator<Page, void, undefined> {
  const shape = op.endpoint.list!;
  const seen = new Recent(remembered);
  let offset = start;
  // How far the list has been read, by position; and the furthest, to notice when there is no getting on.
  let reached = start - 1;
  let furthest = reached;
  let stalled = 0;
  let withoutNews = 0;
  let found = 0;
  let leastTotal = Number.POSITIVE_INFINITY;
  let again = false;
  // Records of the last page that had any: how far to go back from an empty one, whatever was asked for.
  let held = limit;
  // The record with which the last page ended.
  let last: string | undefined;

  for (let first = true; ; first = false) {
    const page = await ask(first && start === 1 ? undefined : offset);
    const items = page[shape.items] as Record<string, unknown>[];
    if (first && start === 1) manners.firstOffset = firstOffsetBy(page, items.length) ?? manners.firstOffset;
    const total = page[shape.total] as number | undefined;
    const idOf = (item: Record<string, unknown>) => String(item[shape.id]);
    const step = Math.max(1, Math.min(numberOr(page.limit, limit), items.length || held) - 1);
    held = items.length || held;
    if (++stalled > 20 + (2 * furthest) / step) throw confused(op, "it changes faster than it can be read");

    const known = items.length > 0 && seen.has(idOf(items[0]!));
    // What was the last record is not here any more: records before it went, and others moved up unseen.
    if (offset > start && offset <= reached && !known) {
      again = true;
      // It is no page that was there before.
      withoutNews = 0;
      offset = Math.max(start, offset - step);
      reached = offset;
      continue;
    }
    const fresh = items.filter((item) => seen.add(idOf(item)));
    found += fresh.length;
    leastTotal = Math.min(leastTotal, total ?? Number.POSITIVE_INFINITY);
    if (fresh.length > 0) {
      withoutNews = 0;
      yield fresh.length === items.length ? page : { ...page, [shape.items]: fresh };
    } else if (items.length > 1 && ++withoutNews >= pagesWithoutNews) {
      throw confused(op, "page after page holds the same records");
    } else if (first) {
      yield page;
    }

    const end = offset + items.length - 1;
    // A page that begins before that record may be from a service that counts from 1 after all: then one more is to come.
    const isShifted = known && idOf(items[0]!) !== last;
    const doubt = manners.firstOffset === 0 && isShifted ? 1 : 0;
    const moved = end > reached || again;
    again = false;
    reached = end;
    last = items.length > 0 ? idOf(items.at(-1)!) : last;
    if (end > furthest) [furthest, stalled] = [end, 0];
    if (total !== undefined && end - doubt >= total) {
      // As many as there ever were at once, or what a page of one record can tell.
      if (start - 1 + found >= leastTotal || items.length <= 1) return;
      // Fewer: others came for those that went, or `offset` is ignored. What is longer than all that is left shows that.
      if (fresh.length === 0 && end - doubt > total) throw confused(op, "page after page holds the same records");
      // Not from where the last page ended: one from the end of the list tells the two apart.
      if (!isShifted) return;
    }
    if (items.length === 0) return;
    if (!moved && fresh.length === 0) return;
    // Without a total, a page that is not full is the last; full is what the service says that a page holds.
    if (total === undefined && typeof page.limit === "number" && items.length < page.limit) return;
    // With the last record once more, unless a page holds but one.
    offset = items.length > 1 ? end : end + 1;
  }
}

function confused(op: Operation, what: string): ReplyError {
  const context = { operation: op.name, method: op.endpoint.method, path: op.endpoint.path };
  return new ReplyError(`${callOf(context)}: ${what}`, context, 200, false);
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" && value > 0 ? value : otherwise;
}

/** The ids that came last. */
class Recent {
  readonly #ids = new Set<string>();
  constructor(readonly size: number) {}

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** True when the id is new. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.size) {
      for (const oldest of this.#ids) {
        this.#ids.delete(oldest);
        break;
      }
    }
    return true;
  }
}
