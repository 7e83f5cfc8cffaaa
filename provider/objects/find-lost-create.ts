/**
 * Finds the object of a create whose response was lost: a new one that is equal in every field sent and belongs to no
 * resource. The list is read again with growing waits, since it may lag behind writes, each time once for all searches.
 */
import type { Clock } from "../core/clock";
import type { CreateRequest, ObjectList } from "../core/object-list";

/** Seconds to wait before each reading of the list. */
export const searchWaits = [0, 0.3, 1, 2.5, 4.5];

/** A reading waits until no create was sent or in progress for this long: it serves all that are lost meanwhile. In milliseconds. */
const quietTime = 150;
/** The longest wait for that, in milliseconds. */
const longestWait = 2500;

export class LostCreates<T> {
  /** Ids of the objects that existed before the first create. */
  #before: ReadonlySet<string> = new Set();
  /** The objects of the latest reading. */
  #listed = new Map<string, T>();
  /** A reading that has not begun yet, which other searches may join. */
  #next: Promise<void> | undefined;
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
  }

  removed(id: string): void {
    this.#listed.delete(id);
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
      for (const seconds of searchWaits) {
        await this.clock.sleep(seconds * 1000);
        failure = await this.#read().then(
          () => undefined,
          (error) => ({ error }),
        );
        const item = failure === undefined ? this.#resultOf(request) : undefined;
        if (item === undefined) continue;
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

  /** Reads the whole list, beginning after this call. */
  #read(): Promise<void> {
    this.#next ??= this.#quiet().then(async () => {
      this.#next = undefined;
      this.#listed = new Map(await this.objects.all(0));
    });
    return this.#next;
  }

  /** Resolves when hardly another response can be lost soon, or when that takes too long. */
  async #quiet(): Promise<void> {
    const end = this.clock.now() + longestWait;
    let sent: number;
    do {
      sent = this.#sent;
      await this.clock.sleep(quietTime);
    } while ((this.#inProgress > 0 || this.#sent > sent) && this.clock.now() < end);
  }
}
