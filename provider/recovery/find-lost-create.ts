/**
 * Finds the object of a create whose response was lost: a new one that is equal in every field sent and belongs to no
 * resource. Lists may lag behind writes, so a list that lacks it proves nothing by itself. There is no such object when
 * the list has shown a later write: one of this process that was sent after the response was lost. Where nothing was
 * written later, the list gets twice the time in which it has shown other writes.
 */
import { longestLag } from "../../sdk/http/read-lag";
import type { Clock } from "../core/clock";
import type { CreateRequest, ExistingObjects, ListSource } from "../core/object-access";
import { lostCreate } from "../core/time-limits";

/** How many objects of earlier readings are read again at an end of the list, since a few may have gone or appeared late. */
const overlap = 20;

/** `ends`: where new objects appear in most lists. */
type Part = "ends" | "whole";

/** The objects of one kind in one account. */
interface SearchedObjects<T> extends Pick<ExistingObjects<T>, "idOf" | "useOf"> {
  readonly source: Pick<ListSource<T>, "list">;
  /** True for what this process has deleted. */
  isRemoved(id: string): boolean;
}

export class LostCreateSearch<T> {
  /** Ids of the objects that existed before the first create. */
  #before = new Set<string>();
  /** When this process sent the requests that created objects, by the objects' ids. */
  readonly #sentAt = new Map<string, number>();
  /** Every write that was sent before it is in the list, if it was applied at all. */
  #shownUntil = Number.NEGATIVE_INFINITY;
  /** The shortest time after which the list has shown a write. */
  #lag = Number.POSITIVE_INFINITY;
  /** The objects of the latest reading of the whole list, and of the readings of its ends since. */
  #latest = new Map<string, T>();
  /** The length of the list when it was last read to its end. */
  #length = 0;
  /** Where new objects have appeared; undefined until then. */
  #newest: "first" | "last" | "anywhere" | undefined;
  /** Readings that have not begun yet, which other searches may join. */
  readonly #next: { [part in Part]?: Promise<void> | undefined } = {};
  /** In the order in which the searches began. */
  readonly #searches = new Set<CreateRequest<T>>();
  #inProgress = 0;

  constructor(
    readonly objects: SearchedObjects<T>,
    readonly clock: Clock,
  ) {}

  /** Takes the list as it was before the first create. */
  begin(items: ReadonlyMap<string, T>): void {
    this.#before = new Set(items.keys());
    this.#length = items.size;
  }

  /** Sends the request of a create. */
  async send(request: CreateRequest<T>): Promise<T> {
    const sentAt = this.clock.now();
    this.#inProgress++;
    try {
      const item = await request.post();
      // A response may name an object that exists already.
      const id = this.objects.idOf(item);
      if (this.#isFree(id)) this.#sentAt.set(id, sentAt);
      return item;
    } finally {
      this.#inProgress--;
    }
  }

  /**
   * Finds the object of a create whose response has just been lost, and claims it in the same turn, so that no other
   * search can take it. Undefined if there is none. Throws if the list cannot be read.
   */
  async find(request: CreateRequest<T>, claim: (item: T) => void): Promise<T | undefined> {
    const lostAt = this.clock.now();
    this.#searches.add(request);
    try {
      for (;;) {
        const isFresh = this.#isFresh(lostAt);
        // The list is no snapshot of several pages: all of it is read after it was fresh.
        await this.#read(isFresh ? "whole" : "ends").catch((error) => {
          if (isFresh) throw error;
        });
        const item = this.#resultOf(request);
        if (item !== undefined) {
          // The ends have not shown it, so the next searches read the whole list at once.
          if (isFresh) this.#newest = "anywhere";
          claim(item);
          return item;
        }
        if (isFresh) return undefined;
        await this.#pause(lostAt);
      }
    } finally {
      this.#searches.delete(request);
    }
  }

  /** True if the list has had all that was written until then. */
  #isFresh(lostAt: number): boolean {
    return this.#shownUntil > lostAt || this.clock.now() - lostAt >= this.#patience;
  }

  get #patience(): number {
    return Math.min(longestLag, Math.max(lostCreate.leastWait, 2 * this.#lag));
  }

  async #pause(lostAt: number): Promise<void> {
    if (this.#isFresh(lostAt)) return;
    const age = this.clock.now() - lostAt;
    const time = Math.min(Math.max(lostCreate.leastPause, age), this.#patience - age);
    await this.clock.sleep(
      time,
      "the account's list, which shows whether a request without a response created its object",
      this.#patience - age,
    );
  }

  /** What is left for a search by those that began before it: of equal objects they have less time to see another one. */
  #resultOf(request: CreateRequest<T>): T | undefined {
    const free = [...this.#latest.values()].filter((item) => this.#isFree(this.objects.idOf(item)));
    for (const search of this.#searches) {
      const index = free.findIndex((item) => search.matchNew(item));
      if (search === request) return free[index];
      if (index >= 0) free.splice(index, 1);
    }
    return undefined;
  }

  /** True for an object that no resource has, and that has come since the first create. */
  #isFree(id: string): boolean {
    return !this.#isOld(id) && this.objects.useOf(id) === undefined;
  }

  #isOld(id: string): boolean {
    return this.#before.has(id) || this.objects.isRemoved(id);
  }

  /** Reads the ends of the list or all of it, beginning after this call. */
  #read(part: Part): Promise<void> {
    this.#next[part] ??= this.#quiet().then(() => {
      this.#next[part] = undefined;
      const isWhole = part === "whole" || this.#newest === "anywhere" || this.#length <= overlap;
      return isWhole ? this.#readWhole() : this.#readEnds();
    });
    return this.#next[part];
  }

  async #quiet(): Promise<void> {
    const end = this.clock.now() + lostCreate.longestDelay;
    do await this.clock.sleep(lostCreate.quiet);
    while (this.#inProgress > 0 && this.clock.now() < end);
  }

  async #readWhole(): Promise<void> {
    // Not from the cache: it includes what this process has written meanwhile, which may not be in the list yet.
    const { items } = await this.#readPart(1);
    this.#latest = items;
    this.#length = items.size;
  }

  /** Reads the end of the list where new objects have appeared; both, as long as none have. */
  async #readEnds(): Promise<void> {
    if (this.#newest !== "first") {
      const from = this.#length - overlap + 1;
      const { items, isNew } = await this.#readPart(from);
      this.#length = from - 1 + items.size;
      if (isNew.at(-1)) this.#newest = "last";
    }
    if (this.#newest !== "last" && (await this.#readPart(1, overlap)).isNew[0]) this.#newest = "first";
  }

  /** Reads from a position, counted from 1, until so many objects have come that were seen before. */
  async #readPart(from: number, most = Number.POSITIVE_INFINITY): Promise<{ items: Map<string, T>; isNew: boolean[] }> {
    const items = new Map<string, T>();
    const isNew: boolean[] = [];
    let seen = 0;
    for await (const item of this.objects.source.list(from)) {
      const id = this.objects.idOf(item);
      items.set(id, item);
      isNew.push(!this.#isOld(id) && !this.#latest.has(id));
      if (!isNew.at(-1) && ++seen === most) break;
    }
    for (const [id, item] of items) this.#latest.set(id, item);
    this.#measureLag(items.keys());
    return { items, isNew };
  }

  #measureLag(shown: Iterable<string>): void {
    for (const id of shown) this.#shownUntil = Math.max(this.#shownUntil, this.#sentAt.get(id) ?? this.#shownUntil);
    this.#lag = Math.min(this.#lag, this.clock.now() - this.#shownUntil);
  }
}
