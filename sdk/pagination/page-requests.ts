/** The requests of a list. */

import { ApiError } from "../errors";
import type { PageOptions } from "../options";
import type { ServiceTraits } from "../request/service-traits";
import type { CompiledEndpoint } from "../request/validate-input";
import { assumedFirstOffset, firstOffsetOf } from "./first-offset";
import type { Page } from "./page-cursor";

/** The default of `limit`, which every service accepts. */
const defaultLimit = 10;
/** The largest `limit`. Above it, a service may return no more than by default. */
export const maxLimit = 50;

/** Sends a request for a page. */
export type PageCall = (input: Record<string, unknown>, options: PageOptions) => Promise<Page>;

export class PageRequests {
  /** Position of the first record to return, counted from 1; undefined for the first. */
  readonly start: number | undefined;
  /** Records per page; undefined for as many as the service grants. */
  readonly limit: number | undefined;
  readonly #filters: Record<string, unknown>;
  readonly #options: PageOptions;

  constructor(
    readonly op: CompiledEndpoint,
    readonly call: PageCall,
    readonly service: ServiceTraits,
    { offset, limit, ...others }: PageOptions,
  ) {
    this.start = toNumber(offset);
    this.limit = atMost(maxLimit, toNumber(limit));
    const names = Object.keys(op.endpoint.list!.filters?.shape ?? {});
    const isFilter = ([name]: [string, unknown]) => names.includes(name);
    this.#filters = Object.fromEntries(Object.entries(others).filter(isFilter));
    this.#options = Object.fromEntries(Object.entries(others).filter((entry) => !isFilter(entry)));
  }

  /** Gets the page at an offset of the service; without one, the first page. */
  async getPage(offset?: number): Promise<Page> {
    if (this.limit !== undefined) return this.#request(offset, this.limit);
    const { service } = this;
    // Read for each page: another list of this connection may have reduced it.
    const { pageSize } = service;
    try {
      return await this.#request(offset, pageSize);
    } catch (error) {
      if (pageSize <= defaultLimit || !isInvalidRequest(error)) throw error;
      // The service may have another maximum.
      const page = await this.#request(offset, defaultLimit);
      service.pageSize = defaultLimit;
      return page;
    }
  }

  /** The service's offset of the start; takes a request if no response has shown yet how the service counts. */
  async findStart(): Promise<number | undefined> {
    const { start, limit, service } = this;
    if (start === undefined || start === 1) return undefined;
    const isValid = isPositive(start) && (limit === undefined || isPositive(limit));
    // Of two records: a page of one may not show it.
    if (isValid && service.firstOffset === undefined) await this.#request(undefined, 2);
    return start - 1 + assumedFirstOffset(service);
  }

  async #request(offset: number | undefined, limit: number): Promise<Page> {
    const query = { ...this.#filters, ...(offset !== undefined && { offset }), limit };
    const page = await pageOrEmpty(this.op, this.call(query, this.#options));
    const items = page[this.op.endpoint.list!.items] as unknown[];
    if (offset === undefined) this.service.firstOffset ??= firstOffsetOf(page, items.length);
    return page;
  }
}

/** A numeric string becomes a number; anything else is validated with the first request. */
function toNumber(value: number | undefined): number | undefined {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}

const isPositive = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

function atMost(most: number, value: number | undefined): number | undefined {
  return typeof value === "number" ? Math.min(most, value) : value;
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
