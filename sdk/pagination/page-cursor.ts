/**
 * The way through a list while records come and go. Each page is asked for from the last record of the page before: when
 * that record is not where it was, something shifted, and pages are read again until one begins with a record that is known.
 * So nothing that was there all the time is missed, and nothing comes twice; but in pages of a single record shifts are not seen.
 */

import { InvalidResponseError } from "../errors";
import { describeCall } from "../http/parse-response";
import type { CompiledEndpoint } from "../request/validate-input";

export type Page = Record<string, unknown>;
type Item = Record<string, unknown>;

/** Ids that are remembered to tell what came already: bounded, so that a list of any length needs constant memory. */
const remembered = 5_000;
/** Pages in a row without a new record after which the service is taken to ignore `offset`. */
const pagesWithoutNews = 5;

/** What a service has shown of its lists, kept by the connection. */
export interface ListBehaviour {
  /** Number of a list's first record: the specification says "positive integer", and yet some count from 0. */
  firstOffset: 0 | 1;
  /** Records to ask for per page. */
  pageSize: number;
}

export class PageCursor {
  readonly #seen = new Recent(remembered);
  #isFirst = true;
  /** The position with which the page begins that is asked for. */
  #offset: number;
  /** How far the list has been read, by position; and the furthest, to notice when there is no getting on. */
  #reached: number;
  #furthest: number;
  #stalled = 0;
  #withoutNews = 0;
  #found = 0;
  #leastTotal = Number.POSITIVE_INFINITY;
  /** Pages are read again, since something shifted. */
  #again = false;
  /** Records of the last page that had any: how far to go back from an empty one, whatever was asked for. */
  #held: number;
  /** The record with which the last page ended. */
  #last: string | undefined;

  /**
   * @param start position of the first record that is wanted, counted from 1
   * @param limit records that are asked for per page
   */
  constructor(
    readonly op: CompiledEndpoint,
    readonly start: number,
    readonly limit: number,
    readonly behaviour: ListBehaviour,
  ) {
    this.#offset = start;
    this.#reached = this.#furthest = start - 1;
    this.#held = limit;
  }

  /** The position with which the next page begins; undefined for the first of a list. */
  get position(): number | undefined {
    return this.#isFirst && this.start === 1 ? undefined : this.#offset;
  }

  /** Takes in the page that was asked for: what of it is to be given, and whether it was the last. */
  accept(page: Page): { given?: Page | undefined; isLast: boolean } {
    const shape = this.op.endpoint.list!;
    const items = page[shape.items] as Item[];
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst && this.start === 1)
      this.behaviour.firstOffset = firstOffsetBy(page, items.length) ?? this.behaviour.firstOffset;
    const step = Math.max(1, Math.min(numberOr(page.limit, this.limit), items.length || this.#held) - 1);
    this.#held = items.length || this.#held;
    if (++this.#stalled > 20 + (2 * this.#furthest) / step)
      throw this.#confused("it changes faster than it can be read");

    const isKnown = items.length > 0 && this.#seen.has(this.#idOf(items[0]!));
    // What was the last record is not here any more: records before it went, and others moved up unseen.
    if (this.#offset > this.start && this.#offset <= this.#reached && !isKnown) {
      this.#again = true;
      // It is no page that was there before.
      this.#withoutNews = 0;
      this.#offset = Math.max(this.start, this.#offset - step);
      this.#reached = this.#offset;
      return { isLast: false };
    }
    const news = items.filter((item) => this.#seen.add(this.#idOf(item)));
    this.#found += news.length;
    if (news.length > 0) this.#withoutNews = 0;
    else if (items.length > 1 && ++this.#withoutNews >= pagesWithoutNews) throw this.#repeated();
    const isLast = this.#isLast(page, items, news.length, isKnown && this.#idOf(items[0]!) !== this.#last);
    this.#last = items.length > 0 ? this.#idOf(items.at(-1)!) : this.#last;
    const given = news.length === items.length ? page : { ...page, [shape.items]: news };
    return { given: news.length > 0 || isFirst ? given : undefined, isLast };
  }

  /** Goes on to the position of the next page, unless there is none. */
  #isLast(page: Page, items: readonly Item[], news: number, isShifted: boolean): boolean {
    const total = page[this.op.endpoint.list!.total] as number | undefined;
    this.#leastTotal = Math.min(this.#leastTotal, total ?? Number.POSITIVE_INFINITY);
    const end = this.#offset + items.length - 1;
    // A page that begins before that record may be from a service that counts from 1 after all: then one more is to come.
    const doubt = this.behaviour.firstOffset === 0 && isShifted ? 1 : 0;
    const moved = end > this.#reached || this.#again;
    this.#again = false;
    this.#reached = end;
    if (end > this.#furthest) [this.#furthest, this.#stalled] = [end, 0];
    if (total !== undefined && end - doubt >= total) {
      // As many as there ever were at once, or what a page of one record can tell.
      if (this.start - 1 + this.#found >= this.#leastTotal || items.length <= 1) return true;
      // Fewer: others came for those that went, or `offset` is ignored. What is longer than all that is left shows that.
      if (news === 0 && end - doubt > total) throw this.#repeated();
      // Not from where the last page ended: one from the end of the list tells the two apart.
      if (!isShifted) return true;
    }
    if (items.length === 0) return true;
    if (!moved && news === 0) return true;
    // Without a total, a page that is not full is the last; full is what the service says that a page holds.
    if (total === undefined && typeof page.limit === "number" && items.length < page.limit) return true;
    // With the last record once more, unless a page holds but one.
    this.#offset = items.length > 1 ? end : end + 1;
    return false;
  }

  #idOf(item: Item): string {
    return String(item[this.op.endpoint.list!.id]);
  }

  #repeated(): InvalidResponseError {
    return this.#confused("page after page holds the same records");
  }

  #confused(what: string): InvalidResponseError {
    const { name, endpoint } = this.op;
    const context = { operation: name, method: endpoint.method, path: endpoint.path };
    return new InvalidResponseError(`${describeCall(context)}: ${what}`, context, 200, false);
  }
}

/** From what number the service counts, by the address that it gives for the page behind the first one. */
function firstOffsetBy(page: Page, items: number): 0 | 1 | undefined {
  const offset = /[?&]offset=(\d+)/.exec(typeof page.next === "string" ? page.next : "")?.[1];
  return [0, 1].find((first) => offset === String(first + items)) as 0 | 1 | undefined;
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
