/**
 * Reads a list to its end while records are created and deleted. Each page begins with the last record of the page before. If
 * that record has moved, records have shifted, and the cursor goes back until a page begins with a known one. So no record that
 * exists all the time is missed or returned twice. In pages of a single record, shifts are not noticed.
 */

import type { ServiceTraits } from "../request/service-traits";
import type { CompiledEndpoint } from "../request/validate-input";
import { assumedFirstOffset } from "./first-offset";
import { ListGuard } from "./list-guard";

export type Page = Record<string, unknown>;
type Item = Record<string, unknown>;

/** IDs that are remembered to recognize records: bounded, so that a list of any length needs constant memory. */
const maxKnownIds = 5_000;

export class PageCursor {
  /** The first record's offset, shown by this list only: by which record followed a page of one. */
  #firstOffset: 0 | 1 | undefined;
  /** The last page had one record and it is not known how the service counts: the next one shows it. */
  #isProbing = false;
  readonly #knownIds = new RecentIds(maxKnownIds);
  #isFirst = true;
  /** Position of the first record of the requested page. */
  #position: number;
  /** Position of the last record of the page before. */
  #end: number;
  /** The highest of those positions. */
  #maxEnd: number;
  readonly #guard: ListGuard;
  #minTotal = Number.POSITIVE_INFINITY;
  /** Pages are read again, since records have shifted. */
  #isRereading = false;
  /** Number of items in the last page that was not empty: how far to go back from an empty one. */
  #pageLength: number;
  /** ID of the last record of the page before. */
  #lastId: string | undefined;

  /**
   * @param start position of the first record to return, counted from 1
   * @param limit records to request per page
   */
  constructor(
    readonly op: CompiledEndpoint,
    readonly start: number,
    readonly limit: number,
    readonly service: ServiceTraits,
  ) {
    this.#guard = new ListGuard(op);
    this.#position = start;
    this.#end = this.#maxEnd = start - 1;
    this.#pageLength = limit;
  }

  /** Offset of the next page, as the service counts; undefined for the first page of the list. */
  get offset(): number | undefined {
    const first = this.#isProbing ? 1 : this.#firstOffsetUsed;
    const isFirstPage = this.#position === 1 && (this.#isFirst || first === 0);
    return isFirstPage ? undefined : this.#position - 1 + first;
  }

  get #firstOffsetUsed(): 0 | 1 {
    return this.service.firstOffset ?? this.#firstOffset ?? assumedFirstOffset(this.service);
  }

  /** Accepts the requested page. Returns the page with its new items, if any, and whether it is the last. */
  accept(page: Page): { newPage?: Page | undefined; isLast: boolean } {
    const list = this.op.endpoint.list!;
    const items = page[list.items] as Item[];
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (this.#isProbing && items.length > 0) {
      this.#isProbing = false;
      // The offset 1 leads to the first record again, or to the second one.
      this.#firstOffset = this.#idOf(items[0]!) === this.#lastId ? 1 : 0;
      this.#position++;
      if (this.#firstOffset === 1) return { isLast: false };
    }
    this.#pageLength = items.length || this.#pageLength;
    const step = Math.max(1, Math.min(positiveOr(page.limit, this.limit), this.#pageLength) - 1);
    this.#guard.countPage(this.#maxEnd / step);

    const firstId = items.length > 0 ? this.#idOf(items[0]!) : undefined;
    const isKnown = firstId !== undefined && this.#knownIds.has(firstId);
    // The last record is no longer here: records before it were deleted, and later ones have moved up unseen.
    if (this.#position > this.start && this.#position <= this.#end && !isKnown) {
      this.#isRereading = true;
      this.#guard.reread();
      this.#position = Math.max(this.start, this.#position - step);
      this.#end = this.#position;
      return { isLast: false };
    }
    const newItems = items.filter((item) => this.#knownIds.add(this.#idOf(item)));
    this.#guard.countItems(newItems.length, items.length);
    const isLast = this.#advance(page, items, newItems.length, isKnown && firstId !== this.#lastId);
    if (items.length > 0) this.#lastId = this.#idOf(items.at(-1)!);
    if (newItems.length === 0 && !isFirst) return { isLast };
    return { newPage: newItems.length === items.length ? page : { ...page, [list.items]: newItems }, isLast };
  }

  /** Moves to the next page; true if the page was the last. `isShifted`: it begins with a known record, but not the last one. */
  #advance(page: Page, items: readonly Item[], newCount: number, isShifted: boolean): boolean {
    const total = page[this.op.endpoint.list!.total] as number | undefined;
    this.#minTotal = Math.min(this.#minTotal, total ?? Number.POSITIVE_INFINITY);
    const end = this.#position + items.length - 1;
    // The service may count from 1 after all: then the page began one record earlier, and one more follows.
    const certainEnd = this.#firstOffsetUsed === 0 && isShifted ? end - 1 : end;
    const hasMoved = end > this.#end || this.#isRereading;
    this.#isRereading = false;
    this.#end = end;
    if (end > this.#maxEnd) {
      this.#maxEnd = end;
      this.#guard.progress();
    }
    if (total !== undefined && certainEnd >= total) {
      // As many records as ever existed at once; a page of one record shows no more than that.
      if (this.start - 1 + this.#guard.itemCount >= this.#minTotal || items.length <= 1) return true;
      // Fewer: records were replaced, or `offset` is ignored, as a page that extends beyond the total shows.
      if (newCount === 0 && certainEnd > total) throw this.#guard.repeatedPage();
      // If the page does not begin where the last one ended, one from the end of the list shows which is the case.
      if (!isShifted) return true;
    }
    if (items.length === 0) return true;
    if (!hasMoved && newCount === 0) return true;
    // Without a total, a page that is shorter than the limit in the response is the last.
    if (total === undefined && typeof page.limit === "number" && items.length < page.limit) return true;
    const isUnknown = this.service.firstOffset === undefined && this.#firstOffset === undefined;
    this.#isProbing = items.length === 1 && end === 1 && isUnknown;
    // Begin with the last record again, unless pages have only one.
    this.#position = items.length > 1 || this.#isProbing ? end : end + 1;
    return false;
  }

  #idOf(item: Item): string {
    return String(item[this.op.endpoint.list!.id]);
  }
}

function positiveOr(value: unknown, fallback: number): number {
  return typeof value === "number" && value > 0 ? value : fallback;
}

/** A set of the latest IDs. */
class RecentIds {
  readonly #ids = new Set<string>();
  /** From the oldest on. A new iterator would pass over all that were deleted. */
  readonly #oldest = this.#ids.values();
  constructor(readonly maxSize: number) {}

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Returns true if the ID is new. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.maxSize) {
      this.#ids.delete(this.#oldest.next().value!);
    }
    return true;
  }
}
