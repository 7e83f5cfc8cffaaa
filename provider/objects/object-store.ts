/** The objects of one kind in one account, read together: a refresh of a thousand objects is a few pages, not a thousand requests. */
import { ApiError } from "../../sdk/errors";
import { CachedRead } from "../core/cached-read";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { ListSource, ObjectStoreHandle } from "../core/object-list";
import { ObjectCreator, searchWaits } from "./create-once";

/**
 * How services say of one object that there is none, besides the codes that are known: the specification does not tell (§7). Since
 * each of them may mean something else, the list must lack the object, too.
 */
export const statusesOfMissing = new Set([400, 404, 410, 422]);
/** A code is the service's word; a bare status may be anybody's. */
export const isSurelyGone = (error: ApiError) => error.isNotFound && error.code !== undefined;

/** Milliseconds for which questions are gathered before it is decided whether one object is asked for or the list. */
const gathering = 8;

export class ObjectStore<T, One = unknown> implements ObjectStoreHandle<T> {
  readonly creator: ObjectCreator<T>;
  readonly #listing: CachedRead<Map<string, T>>;
  #asked = 0;
  #gathered: Promise<void> | undefined;

  constructor(
    readonly source: ListSource<T, One>,
    /** `quiet` resolves when the program has registered what it has to register for now. */
    readonly session: { clock: Clock; registrationsSettled(): Promise<void> },
  ) {
    this.#listing = new CachedRead(() => this.#list());
    this.creator = new ObjectCreator(this, () => session.registrationsSettled(), session.clock);
  }

  /** All objects by id, at most `age` milliseconds old. */
  all(maxAge: number): Promise<Map<string, T>> {
    return this.#listing.get(maxAge);
  }

  /** What is known of an object without asking. */
  cached(id: string): T | undefined {
    return this.#listing.cached?.get(id);
  }

  /**
   * One object, at most `age` milliseconds old, or undefined when it is gone. The first question alone is asked for its
   * object; as soon as there are more, the list answers all of them.
   */
  async read(id: string, maxAge: number): Promise<T | undefined> {
    const { isComplete } = this.source;
    this.#asked++;
    if (isComplete && this.#listing.cached === undefined) {
      this.#gathered ??= this.session.clock.sleep(gathering);
      await this.#gathered;
      if (this.#asked === 1) return (await this.one(id, maxAge)) as T | undefined;
    }
    const item = (await this.#listing.get(maxAge)).get(id);
    if (item !== undefined) return item;
    // A list may lag behind, and objects slip between pages while others are deleted: its silence proves nothing.
    const one = await this.one(id, maxAge);
    if (isComplete || one === undefined) return one as T | undefined;
    for (const seconds of searchWaits) {
      await this.session.clock.sleep(seconds * 1000);
      const found = (await this.#listing.get(0)).get(id);
      if (found !== undefined) return found;
    }
    throw new Failure(
      `the service has it (id ${id}), but not yet in its list, which alone tells all that is needed. Run the same command again in a while`,
    );
  }

  /** One object as the service answers it alone; undefined when it is gone. A list of that age may be asked whether it is. */
  async one(id: string, maxAge = 0): Promise<One | undefined> {
    try {
      return await this.source.one(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isSurelyGone(error)) return undefined;
      if (!statusesOfMissing.has(error.status)) throw error;
      const items = await this.#listing.get(maxAge).catch(() => undefined);
      if (items === undefined || items.has(id)) throw error;
      return undefined;
    }
  }

  /** Tells of an object that this process has written. */
  put(item: T): void {
    this.#listing.patch((items) => items.set(this.source.idOf(item), item));
    this.creator.put(item);
  }

  /** Tells of an update by its answer. Where that is silent about what was sent, the next who asks reads anew. */
  written(id: string, form: Record<string, string>, answer: Partial<T>): void {
    const cached = this.cached(id);
    const said = Object.fromEntries(
      Object.entries(answer).filter(([, value]) => value !== undefined && value !== null),
    );
    if (cached !== undefined && Object.keys(form).every((name) => name in said)) this.put({ ...cached, ...said });
    else this.invalidate();
  }

  /** Tells of an object that this process has deleted. */
  removed(id: string): void {
    this.#listing.patch((items) => items.delete(id));
    this.creator.removed(id);
  }

  invalidate(): void {
    this.#listing.invalidate();
  }

  async #list(): Promise<Map<string, T>> {
    const items = new Map<string, T>();
    for await (const item of this.source.list(1)) items.set(this.source.idOf(item), item);
    return items;
  }
}
