/** The objects of one kind in one account, read together: a refresh of a thousand objects is a few pages, not a thousand requests. */
import { ApiError } from "../../sdk/errors";
import { CachedRead } from "../core/cached-read";
import type { Clock } from "../core/clock";
import { Failure } from "../core/failure";
import type { ListSource, ObjectStoreHandle, SharedListing } from "../core/object-list";
import { refreshMaxAge } from "../session/account";
import { ObjectCreator } from "./create-or-adopt";

/**
 * Statuses with which services answer a request for an object that does not exist, besides the known codes: the
 * specification is silent about it. Each may mean something else, so the list must lack the object, too.
 */
export const statusesOfMissing = new Set([400, 404, 410, 422]);
/** A code comes from the API; a bare status may come from anything in between. */
export const isSurelyGone = (error: ApiError) => error.isNotFound && error.code !== undefined;

/** Seconds to wait before each reading of a list that lacks an object. */
const listWaits = [0, 1, 2.5, 5];

export class ObjectStore<T, One = unknown> implements ObjectStoreHandle<T> {
  readonly creator: ObjectCreator<T>;
  readonly #listing: CachedRead<Map<string, T>>;
  #seeding: Promise<void> | undefined;

  constructor(
    readonly source: ListSource<T, One>,
    readonly session: { clock: Clock; registrationsSettled(): Promise<void> },
  ) {
    this.#listing = new CachedRead(() => this.#list());
    this.creator = new ObjectCreator(this, () => session.registrationsSettled(), session.clock);
  }

  /** All objects by id, at most `maxAge` milliseconds old. */
  async all(maxAge: number): Promise<Map<string, T>> {
    const { shared } = this.source;
    if (shared === undefined || maxAge < refreshMaxAge) return this.#listing.get(maxAge);
    this.#seeding ??= this.#seed(shared);
    await this.#seeding;
    return this.#listing.get(Math.max(maxAge, shared.maxAge));
  }

  /** All objects before the first create of this process. */
  beforeCreates(): Promise<Map<string, T>> {
    return this.all(this.source.shared?.isEnoughForCreates() ? refreshMaxAge : 0);
  }

  async #seed(shared: SharedListing<T>): Promise<void> {
    const listing = await shared.read();
    if (listing === undefined) return;
    this.#listing.seed(new Map(listing.items.map((item) => [this.source.idOf(item), item])), listing.age);
  }

  /** An object of the last listing, without a request. */
  cached(id: string): T | undefined {
    return this.#listing.cached?.get(id);
  }

  /** One object, at most `maxAge` milliseconds old, or undefined if it no longer exists. */
  async read(id: string, maxAge: number): Promise<T | undefined> {
    const item = (await this.all(maxAge)).get(id);
    if (item !== undefined) return item;
    // A list may lag behind, and objects slip between pages while others are deleted: that it lacks one proves nothing.
    const one = await this.one(id, maxAge);
    if (this.source.isComplete || one === undefined) return one as T | undefined;
    return this.#waitUntilListed(id);
  }

  /** One object by its id; undefined if it no longer exists, which a listing of that age may help to decide. */
  async one(id: string, maxAge = 0): Promise<One | undefined> {
    try {
      return await this.source.one(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isSurelyGone(error)) return undefined;
      if (!statusesOfMissing.has(error.status)) throw error;
      const items = await this.all(maxAge).catch(() => undefined);
      if (items === undefined || items.has(id)) throw error;
      return undefined;
    }
  }

  /** Records an object that this process has written. */
  put(item: T): void {
    this.#listing.patch((items) => items.set(this.source.idOf(item), item));
    this.creator.put(item);
  }

  /** Records an update by its response. If that lacks some of what was sent, the next read is a new one. */
  updated(id: string, form: Record<string, string>, response: Partial<T>): void {
    const item = this.cached(id);
    const present = Object.fromEntries(
      Object.entries(response).filter(([, value]) => value !== undefined && value !== null),
    );
    if (item !== undefined && Object.keys(form).every((name) => name in present)) this.put({ ...item, ...present });
    else this.#listing.invalidate();
  }

  /** Records that this process has deleted an object. */
  removed(id: string): void {
    this.#listing.patch((items) => items.delete(id));
    this.creator.removed(id);
  }

  async #waitUntilListed(id: string): Promise<T> {
    for (const [i, seconds] of listWaits.entries()) {
      const left = listWaits.slice(i).reduce((sum, each) => sum + each, 0);
      const reason = "the account's list, which does not have a new object yet";
      await this.session.clock.sleep(seconds * 1000, reason, left * 1000);
      const item = (await this.#listing.get(0)).get(id);
      if (item !== undefined) return item;
    }
    throw new Failure(
      "ESIGN1023",
      `the API returns it (id ${id}), but not yet in its list, which alone has all that is needed`,
      "Rerun in a while",
    );
  }

  async #list(): Promise<Map<string, T>> {
    const items = new Map<string, T>();
    for await (const item of this.source.list(1)) items.set(this.source.idOf(item), item);
    return items;
  }
}
