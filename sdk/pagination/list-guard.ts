/** Ends the reading of a list that a broken service would never end. */
import { InvalidResponseError } from "../errors";
import { describeCall } from "../http/parse-response";
import type { CompiledEndpoint } from "../request/validate-input";

/** More records than any account has: a list that goes on seems to have no end. */
const maxRecords = 1_000_000;
/** Pages in a row without a new record after which the service seems to ignore `offset`. */
const maxPagesWithoutNewItems = 5;

export class ListGuard {
  /** Records of the list up to now, each counted once. */
  itemCount = 0;
  #pagesWithoutProgress = 0;
  #pagesWithoutNewItems = 0;

  constructor(readonly op: CompiledEndpoint) {}

  /**
   * Counts a page that was received.
   * @param pages number of pages that led to the furthest record up to now
   * @throws {InvalidResponseError} if going back has taken far more pages than that
   */
  countPage(pages: number): void {
    if (++this.#pagesWithoutProgress > 20 + 2 * pages) throw this.#error("the list changes faster than it can be read");
  }

  /** A page has led further into the list than any before. */
  progress(): void {
    this.#pagesWithoutProgress = 0;
  }

  /** Pages are read again on purpose: they need have nothing new. */
  reread(): void {
    this.#pagesWithoutNewItems = 0;
  }

  /**
   * Counts the records of a page.
   * @throws {InvalidResponseError} if there are too many, or too many pages without a new one
   */
  countItems(newCount: number, pageLength: number): void {
    this.itemCount += newCount;
    if (this.itemCount > maxRecords) throw this.#error(`the list does not end: it has more than ${maxRecords} records`);
    if (newCount > 0) this.#pagesWithoutNewItems = 0;
    else if (pageLength > 1 && ++this.#pagesWithoutNewItems >= maxPagesWithoutNewItems) throw this.repeatedPage();
  }

  repeatedPage(): InvalidResponseError {
    return this.#error("page after page contains the same records");
  }

  #error(problem: string): InvalidResponseError {
    const { name, endpoint } = this.op;
    const context = { operation: name, method: endpoint.method, path: endpoint.path };
    return new InvalidResponseError(`${describeCall(context)}: ${problem}`, context, 200, false);
  }
}
