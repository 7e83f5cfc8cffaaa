/**
 * Finds the object of a create whose response was lost: a new one that is equal in every field sent and belongs to no
 * resource. The list is read again with growing waits, since it may lag behind writes, each time once for all searches:
 * first where new objects appear in most lists, at one of the two ends, and before the request is sent again all of it.
 */
import type { Clock } from "../core/clock";
import type { CreateRequest, ObjectList } from "../core/object-list";

/** Seconds to wait before each reading of the list. */
export const searchWaits = [0, 1, 2.5, 5];

const lastReading = searchWaits.length - 1;

/** How many objects of earlier readings are read again at an end, since a few may have gone or appeared late. */
const overlap = 20;

/** A reading waits until no create was sent or in progress for this long: it serves all that are lost meanwhile. In milliseconds. */
const quietTime = 150;
/** The longest wait for that, in milliseconds; the whole list, of many pages, is read for as many searches as possible. */
const longestWait = { ends: 2500, whole: 10_000 };
type Part = keyof typeof longestWait;

export class LostCreates<T> {
  /** Ids of the objects that existed before the first create, or that this process has deleted. */
  #before = new Set<string>();
  /** The objects of the latest reading of the whole list, and of the readings of its ends since. */
  #listed = new Map<string, T>();
  /** The length of the list when it was last read to its end. */
  #length = 0;
  /** Where new objects have appeared; undefined until then. */
  #newest: "first" | "last" | "anywhere" | undefined;
  /** Readings that have not begun yet, which other searches may join. */
  readonly #next: { [part in Part]?: Promise<void> | undefined } = {};
  /** Number of searches that wait for a reading of the whole list. */
  #waiting = 0;
  /** In the order in which the searches began. */
  readonly #searches = new Set<CreateRequest<T>>();
  #inProgress = 0;
  #sent = 0;

  constructor(
    readonly objects: ObjectList<T>,
    readonly clock: Clock,
    /** True if the object belongs to a resource. */
    readonly isOwned: (id: string) => boolean,
  ) {}

  /** Takes the list as it was before the first create. */
  begin(items: ReadonlyMap<string, T>): void {
    this.#before = new Set(items.keys());
    this.#length = items.size;
  }

  /** Records that this process has deleted an object. */
  removed(id: string): void {
    this.#before.add(id);
  }

  /** Sends the request of a create. */
  async send(request: CreateRequest<T>): Promise<T> {
    this.#inProgress++;
    this.#sent++;
    try {
      return await request.post();
    } finally {
      this.#inProgress--;
    }
  }

  /** Finds the object and claims it in the same turn, so that no other search can take it. Throws if the last reading failed. */
  async find(request: CreateRequest<T>, claim: (item: T) => void): Promise<T | undefined> {
    this.#searches.add(request);
    try {
      let failure: { error: unknown } | undefined;
      for (const [i, seconds] of searchWaits.entries()) {
        await this.clock.sleep(seconds * 1000);
        failure = await this.#read(i === lastReading ? "whole" : "ends").then(
          () => undefined,
          (error) => ({ error }),
        );
        const item = failure === undefined ? this.#resultOf(request) : undefined;
        if (item === undefined) continue;
        // The ends have not shown it, so the next searches read the whole list at once.
        if (i === lastReading) this.#newest = "anywhere";
        claim(item);
        return item;
      }
      if (failure !== undefined) throw failure.error;
      return undefined;
    } finally {
      this.#searches.delete(request);
    }
  }

  /** What is left for a search by those that began before it: of equal objects they have less time to see another one. */
  #resultOf(request: CreateRequest<T>): T | undefined {
    const free = [...this.#listed.values()].filter((item) => {
      const id = this.objects.source.idOf(item);
      return !this.#before.has(id) && !this.isOwned(id);
    });
    for (const search of this.#searches) {
      const index = free.findIndex((item) => search.matchNew(item));
      if (search === request) return free[index];
      if (index >= 0) free.splice(index, 1);
    }
    return undefined;
  }

  /** Reads the ends of the list or all of it, beginning after this call. */
  #read(part: Part): Promise<void> {
    if (part === "whole") this.#waiting++;
    this.#next[part] ??= this.#quiet(part).then(() => {
      this.#next[part] = undefined;
      if (part === "whole") this.#waiting = 0;
      else if (this.#newest !== "anywhere" && this.#length > overlap) return this.#readEnds();
      return this.#readWhole();
    });
    return this.#next[part];
  }

  async #readWhole(): Promise<void> {
    // Not from the cache: it includes what this process has written meanwhile, which may not be in the list yet.
    const { items } = await this.#readPart(1);
    this.#listed = items;
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
      const id = this.objects.source.idOf(item);
      items.set(id, item);
      isNew.push(!this.#before.has(id) && !this.#listed.has(id));
      if (!isNew.at(-1) && ++seen === most) break;
    }
    for (const [id, item] of items) this.#listed.set(id, item);
    return { items, isNew };
  }

  /** Resolves when hardly another search can need the same reading soon, or when that takes too long. */
  async #quiet(part: Part): Promise<void> {
    const end = this.clock.now() + longestWait[part];
    const hasOthers = () => part === "whole" && this.#searches.size > this.#waiting;
    let sent: number;
    do {
      sent = this.#sent;
      await this.clock.sleep(quietTime);
    } while ((this.#inProgress > 0 || this.#sent > sent || hasOthers()) && this.clock.now() < end);
  }
}
